import { addDays, daysBetween, today } from '#common/kit/dates.ts'
import { paidOf } from '../money.ts'
import { startOf } from '../phase.ts'
import type { Now, Policy } from '../state.ts'
import { type CancelPreview, previewEnding } from './cancel.ts'
import { bestOn } from './candidates.ts'

/** A time in which the refund stays the same, or falls each day from `refund` on. */
export type RefundStep = { from: number; refund: number; falls: boolean }

/**
 * Returns how the best refund falls from now on, in order of time. The last step refunds nothing. Empty if nothing is refunded now. After a right of
 * withdrawal the contract's own cancellation applies.
 */
export function refundSteps(policy: Policy, now: Now): RefundStep[] {
  const steps: RefundStep[] = []
  for (let at = now.at; ; ) {
    const { refund, nextLower } = previewEnding(policy, { as: 'cancellation', version: policy.version }, { ...now, at })
    if (refund === 0) return steps.length === 0 ? [] : [...steps, { from: at, refund, falls: false }]
    // The refund of unused days falls daily until the end. These are one step, as a year of them is unreadable.
    const falls = steps.length > 0 && nextLower !== null && nextLower.refund > 0 && nextLower.at - at <= dayMs
    steps.push({ from: at, refund, falls })
    if (!nextLower) return steps
    at = falls ? nothingFrom(policy, at) : nextLower.at
  }
}

/** Returns the instant from which ending the policy refunds nothing. Expects a preview with a refund. */
export function refundUntil(policy: Policy, { nextLower }: Pick<CancelPreview, 'nextLower'>): number | null {
  if (!nextLower) return null
  return nextLower.refund > 0 ? nothingFrom(policy, nextLower.at) : nextLower.at
}

/** A day with a clock change may have one hour more. */
const dayMs = 25 * 3_600_000

/** Finds the first day without a refund. A refund never rises, so a binary search finds it. */
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
