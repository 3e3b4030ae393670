import { addDays, daysBetween, today } from '#common/kit/dates.ts'
import { startOf } from '../phase.ts'
import type { Now, Policy } from '../state.ts'
import { previewEnding } from './cancel.ts'
import { bestOn } from './candidates.ts'

/** A time in which ending a policy gives the same back, or less each day from `refund` on. */
export type RefundStep = { from: number; refund: number; falls: boolean }

/** Returns how the refund gets worse from now on, in the order of time: the last step gives nothing. Empty if nothing comes back now. */
export function refundSteps(policy: Policy, { as }: { as: 'cancellation' | 'withdrawal' }, now: Now): RefundStep[] {
  const steps: RefundStep[] = []
  for (let at = now.at; ; ) {
    const { refund, nextLower } = previewEnding(policy, { as, version: policy.version }, { ...now, at })
    if (refund === 0) return steps.length === 0 ? [] : [...steps, { from: at, refund, falls: false }]
    // Unused days fall each day until the end. They are one step: a year of them cannot be read.
    const falls = steps.length > 0 && nextLower !== null && nextLower.refund > 0 && nextLower.at - at <= dayMs
    steps.push({ from: at, refund, falls })
    if (!nextLower) return steps
    at = falls ? nothingFrom(policy, at) : nextLower.at
  }
}

/** A day with a change of the clock has an hour more. */
const dayMs = 25 * 3_600_000

/** Finds the first day on which nothing comes back. A refund never rises, so halving finds it. */
function nothingFrom(policy: Policy, at: number): number {
  let before = today(at, policy.timeZone)
  let from = addDays(policy.trip.endDate, 1)
  while (daysBetween(before, from) > 1) {
    const middle = addDays(before, Math.floor(daysBetween(before, from) / 2))
    if (bestOn(policy, middle) === 0) from = middle
    else before = middle
  }
  return startOf(from, policy)
}
