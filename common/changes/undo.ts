import type { Price } from '#common/quotes/price-lines.ts'
import type { StepDocumentKind } from '#common/documents/kinds.ts'
import { type Difference, differenceOf, type Route, routesBack, routesOfCharge } from './money.ts'
import { documentsBetween } from './differences.ts'
import { refused, type Refused } from './refusals.ts'
import type { Now, Policy, Version } from './state.ts'

/**
 * A change that was just made, with the version before it and its language. `unsent`: the part of its refund that has not left. `waived`: the waived
 * part of its charge; if negative, the part of its refund that was never paid, and so was not returned.
 */
export type Made = { at: number; former: Version; unsent: number; waived: number; locale?: string | null | undefined }

export type UndoPreview = {
  possible: boolean
  refusals: Refused[]
  before: Price
  after: Version | null
  difference: Difference
  charge: number
  refund: number
  stopped: number
  commission: { rate: number; amount: number }
  routes: Route[]
  waived: number
  /** The part that is not charged again, as it was never paid and not refunded. */
  unpaid: number
  withoutWay: number
  effectiveAt: number
  papers: StepDocumentKind[]
}

/** Returns the effect of undoing a change in its first minutes: exactly the former version and its money, whatever ending would refund. */
export function previewUndo(policy: Policy, { version, made }: { version: number; made: Made }, now: Now): UndoPreview {
  const { charged, edition } = policy
  const refusals = refusalsOf(policy, version, made, now)
  const preview: UndoPreview = {
    possible: refusals.length === 0,
    refusals,
    before: charged,
    after: null,
    difference: differenceOf(charged, charged),
    charge: 0,
    refund: 0,
    stopped: 0,
    commission: { rate: edition.commissionPercent, amount: 0 },
    routes: [],
    waived: 0,
    unpaid: 0,
    withoutWay: 0,
    effectiveAt: now.at,
    papers: [],
  }
  if (refusals.length > 0) return preview
  const { former, unsent, waived, locale } = made
  const difference = differenceOf(charged, former.charged)
  const stopped = Math.min(unsent, Math.max(0, difference.total))
  const [dearer, due] = [Math.max(0, difference.total) - stopped, Math.max(0, -difference.total)]
  const unpaid = Math.min(dearer, Math.max(0, -waived))
  const charge = dearer - unpaid
  // A waived charge was never paid, so it is not refunded.
  const refund = due - Math.min(due, Math.max(0, waived))
  return {
    ...preview,
    after: former,
    difference,
    charge,
    refund,
    stopped,
    unpaid,
    commission: { rate: edition.commissionPercent, amount: former.charged.commission - charged.commission },
    papers: documentsBetween(policy, former, difference.total, (locale ?? policy.locale) !== policy.locale),
    ...routesOfCharge(policy, charge, now),
    ...(due > 0 ? { ...routesBack({ payments: policy.payments }, refund), waived: refund - due } : {}),
  }
}

function refusalsOf(policy: Policy, version: number, made: Made, { at }: Now): Refused[] {
  if (policy.status === 'cancelled') return [refused('change.cancelled')]
  if (policy.version !== version) return [refused('change.stale')]
  if (policy.pending) return [refused('change.pending')]
  if (policy.claimed) return [refused('change.claimed')]
  return at - made.at < policy.edition.afterSale.constants.undoMinutes * 60_000 ? [] : [refused('change.expired')]
}
