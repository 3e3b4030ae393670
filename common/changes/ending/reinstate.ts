import type { Price } from '#common/quotes/price-lines.ts'
import { addDays, today } from '#common/kit/dates.ts'
import type { StepDocumentKind } from '#common/documents/kinds.ts'
import { type Difference, differenceOf, type Route, routesOfCharge } from '../money.ts'
import { moneyDocuments } from '../differences.ts'
import { refused, type Refused } from '../refusals.ts'
import { type Ended, endOf, type Now, phaseAt, type Policy, startOf, undoUntil, type Version } from '../state.ts'

export type ReinstatePreview = {
  possible: boolean
  refusals: Refused[]
  before: Price
  after: (Version & { status: 'purchased' }) | null
  difference: Difference
  charge: number
  refund: 0
  /** The part of the refund that has not left yet and is stopped. */
  stopped: number
  commission: { rate: number; amount: number }
  routes: Route[]
  waived: number
  /** The part that is not charged again, as it was never paid and not refunded. */
  unpaid: number
  effectiveAt: number
  /** The time between both instants was not covered. */
  uncovered: { from: number; to: number } | null
  papers: StepDocumentKind[]
}

/** Returns the cost of putting a cancelled policy back in force at its old price, or why it cannot be. */
export function previewReinstatement(policy: Policy, { version }: { version: number }, now: Now): ReinstatePreview {
  const { charged, ended, edition } = policy
  const refusals = refusalsOf(policy, version, now)
  const preview: ReinstatePreview = {
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
    effectiveAt: now.at,
    uncovered: null,
    papers: [],
  }
  if (refusals.length > 0 || !ended) return preview
  const { former, unsent, waived = 0, at } = ended
  const difference = differenceOf(charged, former.charged)
  const stopped = Math.min(Math.max(0, unsent), difference.total)
  const unpaid = Math.min(difference.total - stopped, Math.max(0, -waived))
  const charge = difference.total - stopped - unpaid
  return {
    ...preview,
    after: { ...former, status: 'purchased' },
    difference,
    charge,
    stopped,
    unpaid,
    commission: { rate: edition.commissionPercent, amount: former.charged.commission - charged.commission },
    ...routesOfCharge(policy, charge, now),
    uncovered: { from: at, to: now.at },
    papers: ['certificate', ...moneyDocuments(difference.total)],
  }
}

function refusalsOf(policy: Policy, version: number, now: Now): Refused[] {
  const { ended, status } = policy
  if (status !== 'cancelled' || !ended) return [refused('reinstate.not_cancelled')]
  if (policy.version !== version) return [refused('change.stale')]
  if (policy.pending) return [refused('change.pending')]
  if (ended.kind === 'withdrawal') return [refused('reinstate.withdrawn')]
  if (phaseAt(policy, now.at).started) return [refused('reinstate.started')]
  return isLate(policy, ended, now.at) ? [refused('reinstate.late')] : []
}

/** Returns the instant until which a reinstatement is possible: the departure, or the days and hours after the cancellation. */
export function reinstatementUntil(policy: Policy, endedAt = policy.ended?.at): number | null {
  const { trip, timeZone, edition } = policy
  if (endedAt === undefined) return null
  const { reinstateDays, reinstateHoursWithCancellation: hours } = edition.afterSale.constants
  const late = edition.basis.tariff.cancellation
    ? endedAt + hours * 3_600_000
    : endOf(addDays(today(endedAt, timeZone), reinstateDays), policy)
  return Math.min(late, Math.max(startOf(trip.startDate, policy), undoUntil(policy)))
}

/** Cancellation cover can be reinstated within hours only, as an ill client would buy it back. All else within days, the last one whole. */
function isLate({ edition, timeZone }: Policy, ended: Ended, at: number): boolean {
  const { reinstateDays, reinstateHoursWithCancellation: hours } = edition.afterSale.constants
  if (edition.basis.tariff.cancellation) return at - ended.at > hours * 3_600_000
  return today(at, timeZone) > addDays(today(ended.at, timeZone), reinstateDays)
}
