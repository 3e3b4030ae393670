import type { Break } from './break.ts'
import { attacks } from './breaks/attacks.ts'
import { decisions } from './breaks/decisions.ts'
import { section2 } from './breaks/section-2.ts'
import { section3 } from './breaks/section-3.ts'
import { section4 } from './breaks/section-4.ts'
import { section5 } from './breaks/section-5.ts'
import { section6 } from './breaks/section-6.ts'
import { section7 } from './breaks/section-7.ts'
import { section8 } from './breaks/section-8.ts'
import { section9 } from './breaks/section-9.ts'

/** Every recorded break, by section of the specification, then those of attacks and decisions. */
export const breaks: Break[] = [
  ...section2,
  ...section3,
  ...section4,
  ...section5,
  ...section6,
  ...section7,
  ...section8,
  ...section9,
  ...attacks,
  ...decisions,
]
