import { aheadMs, shiftDate } from './at.ts'

// Runs first in every process and thread of tests that are played under another day.
shiftDate(aheadMs())
