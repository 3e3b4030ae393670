import type { Price } from '#common/quotes/price-lines.ts'
import { addDays, displayDate } from '#common/kit/dates.ts'
import { priceTrip } from '#common/quotes/rating/price.ts'
import { lastOfTerm } from '#common/quotes/rating/stay.ts'
import type { TripDraft } from '#common/quotes/trip.ts'
import { chargedFor } from './money.ts'
import { refused, type Refused, refusedBy } from './refusals.ts'
import { type Edition, type Now, phaseAt, type Policy, travels } from './state.ts'

/** The offer of the next term, valid through the last day of the old one. */
export type RenewalPreview = {
  possible: boolean
  refusals: Refused[]
  offer: { startDate: string; endDate: string; charged: Price; validThrough: string } | null
}

/** The information document promises an offer this many days before the end. */
export const renewDays = 30

/** Returns why no next term can be offered now, whatever it costs; undefined if it can. */
export function renewalRefusal(policy: Policy, at: number): Refused | undefined {
  const { endDate } = policy.trip
  const { day } = phaseAt(policy, at)
  if (policy.edition.basis.tariff.base.kind !== 'term' || policy.status === 'cancelled' || day > endDate)
    return refused('renew.not_renewable')
  const from = addDays(endDate, -renewDays)
  return day < from ? refused('renew.early', '', { from: displayDate(from) ?? '' }) : undefined
}

/** Prices the next term by today's edition and the ages on its first day. A claim does not prevent it. */
export function previewRenewal(policy: Policy, today: Pick<Edition, 'basis' | 'commissionPercent'>, now: Now): RenewalPreview {
  const { basis } = today
  const refuse = (...refusals: Refused[]): RenewalPreview => ({ possible: false, refusals, offer: null })
  const refusal = renewalRefusal(policy, now.at)
  if (refusal) return refuse(refusal)
  if (basis.tariff.base.kind !== 'term') return refuse(refused('renew.not_renewable'))
  const { trip } = policy
  const startDate = addDays(trip.endDate, 1)
  const endDate = lastOfTerm(startDate, basis.tariff.base.months)
  const { price, problems } = priceTrip(basis, nextTrip(policy, startDate, endDate), phaseAt(policy, now.at).day, now.countryName)
  if (!price) return refuse(...problems.map(refusedBy))
  const { premium, cancellationPremium: cancellation, travelDays } = price
  const people = policy.people.length - (policy.holder === 'travels' ? 0 : 1)
  const asked = { trip: { ...trip, startDate, endDate }, premium, cancellation, personDays: people * travelDays }
  return { possible: true, refusals: [], offer: { startDate, endDate, charged: chargedFor(today, asked), validThrough: trip.endDate } }
}

function nextTrip({ trip, people, holder }: Policy, startDate: string, endDate: string): TripDraft {
  const birthDates = people.flatMap(({ birthDate }, index) => (travels(holder, index) ? [birthDate ?? null] : []))
  return { ...trip, startDate, endDate, travellers: birthDates.length, birthDates }
}
