import { daysBetween } from '#common/kit/dates.ts'
import { fromCents, roundedRatio, toCents } from '#common/kit/money.ts'
import type { Problem } from '#common/kit/problems.ts'
import type { Tariff } from '#common/products/tariff.ts'
import { agePercent } from './ages.ts'
import type { Basis, Insured, TripRead } from './basis.ts'

type Cancellation = NonNullable<Tariff['cancellation']>

/** What each traveller's cancellation premium is reckoned from (rating.md, step 5); nothing for tariffs without it. */
export function insuredOf({ tariff: { cancellation } }: Basis, trip: TripRead, today: string): Insured | undefined {
  const { startDate, reservationDate, pax } = trip
  const cents = toCents(trip.amount)
  if (!cancellation || !startDate || !reservationDate || !pax || pax < 1 || cents === undefined) return undefined
  return {
    share: roundedRatio([cents], [pax]),
    lead: daysBetween(today, startDate),
    waitHours: isLate(cancellation, reservationDate, today) ? cancellation.window.waitHours : 0,
  }
}

/** Bought within these days of the reservation, the cover starts at once. */
const isLate = ({ window }: Cancellation, reservationDate: string, today: string): boolean =>
  daysBetween(reservationDate, today) > window.immediateDays

/** Bought later than within these days, it is only sold for trips that begin after the wait. */
export const isTooLate = (cancellation: Cancellation, reservationDate: string, lead: number, today: string): boolean =>
  isLate(cancellation, reservationDate, today) && lead < cancellation.window.otherwiseLeastLeadDays

export function cancellationProblems(basis: Basis, trip: TripRead, today: string): Problem[] {
  const { settings, tariff, currency } = basis
  const insured = insuredOf(basis, trip, today)
  if (!insured || !tariff.cancellation) return []
  const { share, lead } = insured
  const { immediateDays, otherwiseLeastLeadDays: least } = tariff.cancellation.window
  const problems: Problem[] = []
  if (share > settings.maxTravelCost * 100) {
    const params = { limit: settings.maxTravelCost, given: fromCents(share), currency }
    problems.push({ path: 'insurancedAmount', rule: 'quote.cost', key: 'refusal.quote.cost', params })
  }
  if (isTooLate(tariff.cancellation, trip.reservationDate ?? today, lead, today)) {
    const params = { days: immediateDays, least, lead }
    problems.push({ path: 'reservationDate', rule: 'quote.cancellation_window', key: 'refusal.quote.cancellation_window', params })
  }
  return problems
}

/** Of a traveller who pays. */
export function cancellationPremium(cancellation: Cancellation, { share, lead }: Insured, age: number | undefined): number {
  const factors = [
    share,
    stepAt(cancellation.leadUpTo, lead),
    stepAt(cancellation.costUpTo, share),
    agePercent(cancellation.ages, age),
    cancellation.percent,
  ]
  return Math.max(roundedRatio(factors, [10_000, 100, 100, 100]), cancellation.minimumPerTraveller ?? 0)
}

/** What lies past the last row takes the last row. */
const stepAt = (steps: Cancellation['leadUpTo'], value: number): number => (steps.find(([upTo]) => value <= upTo) ?? steps.at(-1))?.[1] ?? 0
