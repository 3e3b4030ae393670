import { useKnown } from './known-modules.mjs'

useKnown()
