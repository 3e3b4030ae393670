import { daysBetween, today } from '#common/kit/dates.ts'
import { fromCents, roundedRatio } from '#common/kit/money.ts'
import type { Problem } from '#common/kit/problems.ts'
import type { Tariff } from '#common/products/tariff.ts'
import type { TripDraft } from '../trip.ts'
import { agePercent } from './ages.ts'
import type { Basis, Insured } from './basis.ts'

type Cancellation = NonNullable<Tariff['cancellation']>

/** Returns the basis of the cancellation premium (docs/rating.md, step 5), if the tariff has one. */
export function insuredOf({ tariff: { cancellation } }: Basis, trip: TripDraft, day: string): Insured | undefined {
  const { startDate, reservationDate, travellers = 0, amountCents } = trip
  if (!cancellation || !startDate || !reservationDate || travellers < 1 || amountCents === undefined) return undefined
  return {
    share: roundedRatio([amountCents], [travellers]),
    lead: daysBetween(day, startDate),
    waitHours: lateWindow(cancellation, reservationDate, day)?.waitHours ?? 0,
  }
}

/** Returns the window of a cover that was bought too long after the reservation to start at once; else undefined. */
export const lateWindow = (cancellation: Cancellation | undefined, reservedOn: string | null | undefined, day: string) =>
  cancellation && reservedOn && daysBetween(reservedOn, day) > cancellation.window.immediateDays ? cancellation.window : undefined

type Bought = { reservedOn: string | null | undefined; soldAt: Date; timeZone: string }

/** Returns when the cancellation cover of a sale begins: at the sale, or after the waiting period. */
function cancellationFrom(cancellation: Cancellation | undefined, { reservedOn, soldAt, timeZone }: Bought): Date {
  const late = lateWindow(cancellation, reservedOn, today(soldAt, timeZone))
  return late ? new Date(soldAt.getTime() + late.waitHours * 3_600_000) : soldAt
}

type Sold = { product: { coverages: readonly { code?: string | undefined }[] }; tariff: Tariff }

/**
 * Returns when the cancellation of a sold policy is insured from, until the departure. A policy of many trips insures each from its booking within the
 * term. Undefined without such cover.
 */
export function cancellationStart(
  { product, tariff: { base, cancellation } }: Sold,
  { cancellationPremium, ...bought }: Bought & { cancellationPremium: number },
): Date | 'each booking' | undefined {
  const isIncluded = product.coverages.some(({ code }) => code === 'cancellation.trip')
  if (cancellation ? cancellationPremium === 0 : !isIncluded) return undefined
  return base.kind === 'term' && isIncluded ? 'each booking' : cancellationFrom(cancellation, bought)
}

/** True if bought late for a trip that begins within the waiting period. */
function isTooLate(cancellation: Cancellation, reservationDate: string, lead: number, day: string): boolean {
  const late = lateWindow(cancellation, reservationDate, day)
  return late !== undefined && lead < late.otherwiseLeastLeadDays
}

export function cancellationProblems(basis: Basis, trip: TripDraft, day: string): Problem[] {
  const { settings, tariff, currency } = basis
  const insured = insuredOf(basis, trip, day)
  if (!insured || !tariff.cancellation) return []
  const { share, lead } = insured
  const { immediateDays, otherwiseLeastLeadDays: least } = tariff.cancellation.window
  const problems: Problem[] = []
  if (share > settings.maxTravelCost * 100) {
    const params = { limit: settings.maxTravelCost, given: fromCents(share), currency }
    problems.push({ path: 'insurancedAmount', rule: 'quote.cost', key: 'refusal.quote.cost', params })
  }
  if (isTooLate(tariff.cancellation, trip.reservationDate ?? day, lead, day)) {
    const params = { days: immediateDays, least, lead }
    problems.push({ path: 'reservationDate', rule: 'quote.cancellation_window', key: 'refusal.quote.cancellation_window', params })
  }
  return problems
}

/** Returns the cancellation premium of a paying traveller. */
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

/** Returns the figure of a step. The last row also applies to higher values. */
const stepAt = (steps: Cancellation['leadUpTo'], value: number): number => (steps.find(([upTo]) => value <= upTo) ?? steps.at(-1))?.[1] ?? 0
