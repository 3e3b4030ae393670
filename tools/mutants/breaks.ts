import type { Break } from './break.ts'
import { section2 } from './breaks/section-2.ts'

/** Every recorded break, by section of the specification. */
export const breaks: Break[] = [...section2]
