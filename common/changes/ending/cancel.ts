import { premiumIn, type Price, totalIn } from '#common/quotes/price-lines.ts'
import { addDays, daysBetween, today } from '#common/kit/dates.ts'
import type { StepDocumentKind } from '#common/documents/kinds.ts'
import { type Difference, differenceOf, paidOf, type Route, routesBack } from '../money.ts'
import { moneyDocuments } from '../differences.ts'
import { refused, type Refused } from '../refusals.ts'
import { type Now, type Phase, phaseAt, type Policy, startOf, undoUntil, type Version } from '../state.ts'
import { bestOn, type Ending, endingsIn, goodwillBasis, nearestReason, rightsOn } from './candidates.ts'

export type CancelPreview = {
  possible: boolean
  refusals: Refused[]
  /** An ending by a statutory right is a withdrawal, even if a cancellation was requested. It cannot be reinstated. */
  kind: 'cancellation' | 'withdrawal'
  basis: string | null
  before: Price
  after: (Version & { status: 'cancelled' }) | null
  difference: Difference
  charge: 0
  /** The amount that is refunded. */
  refund: number
  commission: { rate: number; amount: number }
  routes: Route[]
  /** Negative: the part of the refund that was waived earlier and so never paid. */
  waived: number
  withoutWay: number
  effectiveAt: number
  /** The last covered day, if the trip's cover has begun. */
  coverEnds: string | null
  /** All ways of ending with a refund, best first, and the instant until which each applies. */
  options: { basis: string; refund: number; until: number }[]
  /** The instant at which the refund falls, and its amount then. */
  nextLower: { at: number; refund: number } | null
  /** The right of withdrawal that applies, and its last day. */
  right: { id: string; until: string } | null
  papers: StepDocumentKind[]
}

/** `goodwill`: the percentage of the premium that the administration refunds, if that is more than the rules give. */
export type EndingAsked = {
  as: 'cancellation' | 'withdrawal'
  version: number
  acceptNoRefund?: boolean | undefined
  goodwill?: number | undefined
}

/** Returns the refund of ending a policy at an instant, and why; or why it cannot end (decision 0045). */
export function previewEnding(policy: Policy, asked: EndingAsked, now: Now): CancelPreview {
  const phase = phaseAt(policy, now.at)
  const { charged, edition, status } = policy
  const ways =
    status === 'purchased' && !phase.ended ? endingsIn(policy, phase, asked.as === 'cancellation' ? asked.goodwill : undefined) : []
  // A policy without a price has no refund, and counts as fully refunded.
  const best = ways.find(({ refund }) => refund > 0 || totalIn(charged) === 0)
  const refusals = asked.as === 'withdrawal' ? withdrawalRefused(policy, phase) : cancellationRefused(policy, asked, phase, best)
  const due = best?.refund ?? 0
  const refund = paidOf(policy, due)
  const right = rightsOn(policy, phase.day).find(({ reason }) => !reason)
  const preview: CancelPreview = {
    possible: refusals.length === 0,
    refusals,
    kind: asked.as === 'withdrawal' || best?.isRight ? 'withdrawal' : 'cancellation',
    basis: best?.basis ?? null,
    before: charged,
    after: null,
    difference: differenceOf(charged, charged),
    charge: 0,
    refund: 0,
    commission: { rate: edition.commissionPercent, amount: 0 },
    routes: [],
    waived: 0,
    withoutWay: 0,
    effectiveAt: now.at,
    coverEnds: null,
    options: ways
      .filter(way => way.refund > 0 || way === best)
      .map(way => ({ basis: way.basis, refund: paidOf(policy, way.refund), until: way.until() })),
    nextLower: best && best.basis !== goodwillBasis ? nextLower(policy, phase, refund) : null,
    right: right && status === 'purchased' ? { id: right.right.id, until: right.until } : null,
    papers: [],
  }
  if (refusals.length > 0) return preview
  const after = endedVersion(policy, best)
  return {
    ...preview,
    after,
    difference: differenceOf(charged, after.charged),
    refund,
    commission: { rate: edition.commissionPercent, amount: after.charged.commission - charged.commission },
    ...routesBack(policy, due),
    coverEnds: coverEnd(policy, phase.day),
    papers: [preview.kind, ...moneyDocuments(-due)],
  }
}

/** Cover that has begun ends today, even in the first hour and whatever the refund. */
export function coverEnd({ trip }: { trip: Pick<Policy['trip'], 'startDate' | 'endDate'> }, day: string): string | null {
  if (day < trip.startDate) return null
  return day < trip.endDate ? day : trip.endDate
}

/** The part that is kept stays charged, and its commission stays earned (rule 11). */
function endedVersion({ trip, people, charged, segments }: Policy, best: Ending | undefined): Version & { status: 'cancelled' } {
  const left = best?.left ?? charged
  return { status: 'cancelled', trip, people, charged: left, tariffPremium: premiumIn(left), segments: best?.segments ?? segments }
}

function cancellationRefused(policy: Policy, asked: EndingAsked, phase: Phase, best: Ending | undefined): Refused[] {
  if (policy.status === 'cancelled') return [refused('cancel.already')]
  if (policy.version !== asked.version) return [refused('cancel.stale')]
  if (phase.ended) return [refused('cancel.ended')]
  if (policy.claimed) return [refused('cancel.claimed')]
  if (best) return []
  if (phase.started) return [refused('cancel.started')]
  return asked.acceptNoRefund ? [] : [refused('cancel.no_refund')]
}

/** A statement of withdrawal concerns the policy in any version, so it is never stale (rule 8). */
function withdrawalRefused(policy: Policy, { day }: Phase): Refused[] {
  if (policy.status === 'cancelled') return [refused('cancel.already')]
  const judged = rightsOn(policy, day)
  if (judged.every(({ reason }) => reason)) return [refused('withdraw.none', '', { why: nearestReason(judged) })]
  return policy.claimed ? [refused('withdraw.claimed')] : []
}

/** Finds the instant at which the refund falls. It never rises, so a binary search finds the day. */
function nextLower(policy: Policy, phase: Phase, refund: number): CancelPreview['nextLower'] {
  if (refund === 0) return null
  const backOn = (day: string): number => paidOf(policy, bestOn(policy, day))
  let before = phase.day
  if (phase.undo) {
    const at = undoUntil(policy)
    before = today(at, policy.timeZone)
    const then = backOn(before)
    if (then < refund) return { at, refund: then }
  }
  let from = addDays(policy.trip.endDate, 1)
  while (daysBetween(before, from) > 1) {
    const middle = addDays(before, Math.floor(daysBetween(before, from) / 2))
    if (backOn(middle) < refund) from = middle
    else before = middle
  }
  return { at: startOf(from, policy), refund: backOn(from) }
}

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
