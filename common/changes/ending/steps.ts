import { addDays, daysBetween, today } from '#common/kit/dates.ts'
import { paidOf } from '../money.ts'
import { startOf } from '../phase.ts'
import type { Now, Policy } from '../state.ts'
import { type CancelPreview, previewEnding } from './cancel.ts'
import { bestOn } from './candidates.ts'

/** A time in which ending a policy gives the same back, or less each day from `refund` on. */
export type RefundStep = { from: number; refund: number; falls: boolean }

/**
 * Returns how the best refund gets worse from now on, in the order of time: the last step gives nothing. Empty if nothing comes back now. When a right
 * of withdrawal ends, the contract's own cancellation goes on.
 */
export function refundSteps(policy: Policy, now: Now): RefundStep[] {
  const steps: RefundStep[] = []
  for (let at = now.at; ; ) {
    const { refund, nextLower } = previewEnding(policy, { as: 'cancellation', version: policy.version }, { ...now, at })
    if (refund === 0) return steps.length === 0 ? [] : [...steps, { from: at, refund, falls: false }]
    // Unused days fall each day until the end. They are one step: a year of them cannot be read.
    const falls = steps.length > 0 && nextLower !== null && nextLower.refund > 0 && nextLower.at - at <= dayMs
    steps.push({ from: at, refund, falls })
    if (!nextLower) return steps
    at = falls ? nothingFrom(policy, at) : nextLower.at
  }
}

/** Returns the instant from which ending the policy gives nothing back, of a preview that gives something now. */
export function refundUntil(policy: Policy, { nextLower }: Pick<CancelPreview, 'nextLower'>): number | null {
  if (!nextLower) return null
  return nextLower.refund > 0 ? nothingFrom(policy, nextLower.at) : nextLower.at
}

/** A day with a change of the clock has an hour more. */
const dayMs = 25 * 3_600_000

/** Finds the first day on which nothing comes back. A refund never rises, so halving finds it. */
function nothingFrom(policy: Policy, at: number): number {
  let before = today(at, policy.timeZone)
  let from = addDays(policy.trip.endDate, 1)
  while (daysBetween(before, from) > 1) {
    const middle = addDays(before, Math.floor(daysBetween(before, from) / 2))
    if (paidOf(policy, bestOn(policy, middle)) === 0) from = middle
    else before = middle
  }
  return startOf(from, policy)
}
