// The parts of the shell that are needed after the first key or press.
import '#portal/kit/errors/retry-focus.ts'
import '#portal/kit/shortcuts/typing-guard.ts'
import './print.css'
