import { today } from '#common/kit/dates.ts'
import { formatMoney, roundedRatio } from '#common/kit/money.ts'
import type { Words } from '#common/kit/words/words.ts'
import { languageOf } from '#common/kit/locales.ts'
import { coverageValue } from '#common/products/cover.ts'
import { cancellationStart, lateWindow } from '#common/quotes/rating/cancellation.ts'
import { manyTripsIn } from '#common/quotes/rating/many-trips.ts'
import { keyGroups } from '#common/quotes/ranking.ts'
import { coverOfTrip } from '#common/quotes/cover-of-trip.ts'
import type { DocumentFacts } from './facts.ts'
import { dayEnd, dayStart, momentIn } from './moment.ts'
import type { Part, PdfDocument, Row } from './document.ts'
import { day, filledRows, placesOf } from './parts.ts'
import { answersOf } from './product-document.ts'

/** The parts that say what is insured: where, from when until when, up to how much, and what is not. */

export function tripRows(facts: DocumentFacts, words: Words): [Row & { note: string }, Row & { note?: string }] {
  const { policy, trip, days } = facts
  const many = manyTripsIn(facts.product.described, facts.trip)
  return [
    {
      label: words('documents.period'),
      value: `${day(trip.startDate)} – ${day(trip.endDate)}`,
      note: words('documents.days', { days }),
    },
    many
      ? {
          label: words('documents.zone'),
          value: many.zone[languageOf(policy.locale)],
          note: words('documents.zone.note', { days: many.days ?? 0 }),
        }
      : { label: words('documents.destinations'), value: placesOf(trip.destinations, policy.locale) },
  ]
}

/** Says from when until when the trip and its cancellation are insured, in the agency’s time, beside the limits of this trip. */
export function tripPart(facts: DocumentFacts, words: Words): Part {
  return {
    kind: 'facts',
    sides: [
      { heading: words('documents.periods'), rows: periods(facts, words) },
      { heading: words('documents.cover.first'), rows: firstCovers(facts) },
    ],
  }
}

function periods(facts: DocumentFacts, words: Words): Row[] {
  const { trip } = facts
  const many = manyTripsIn(facts.product.described, facts.trip)
  const cancellation = cancellationFromUntil(facts, words)
  const travel = many ? words('documents.periods.trips') : words('documents.periods.trip')
  return filledRows(
    [travel, cancellation && onlyCancels(facts) ? '' : `${dayStart(trip.startDate, facts)} – ${dayEnd(trip.endDate, facts)}`],
    [words('documents.periods.cancellation'), cancellation],
  )
}

/** True for a product whose covers all concern the time before the departure. */
const onlyCancels = ({ product }: DocumentFacts): boolean => product.described.tariff.base.kind === 'none'

function cancellationFromUntil(facts: DocumentFacts, words: Words): string | undefined {
  const { policy, product, price, seller } = facts
  const from = cancellationStart(product.described, {
    cancellationPremium: price.cancellationPremium,
    reservedOn: reservedForSale(facts),
    soldAt: policy.soldAt,
    timeZone: seller.timeZone,
  })
  if (!from) return undefined
  const until = words('documents.periods.departure')
  if (from === 'each booking') return `${words('documents.periods.booking')} – ${until}`
  return `${policy.number === null ? quotedStart(facts, words) : momentIn(from, facts)} – ${until}`
}

/** A quote's cover begins with the purchase, or after the waiting period that it would have today. */
function quotedStart(facts: DocumentFacts, words: Words): string {
  const late = lateAt(facts, facts.policy.at)
  return late ? words('documents.periods.purchase_and', { hours: late.waitHours }) : words('documents.periods.purchase')
}

const reservedForSale = ({ movement, trip }: DocumentFacts) => (movement ? movement.reservedForSale : trip.reservationDate)

/** Returns the window of cancellation cover that is bought late at this moment. */
const lateAt = (facts: DocumentFacts, at: Date) =>
  lateWindow(facts.product.described.tariff.cancellation, reservedForSale(facts), today(at, facts.seller.timeZone))

/** Returns the covers that clients ask for first, with the limits of this trip, as the prices show them. */
function firstCovers({ policy, product, trip }: DocumentFacts): Row[] {
  const { coverages } = product.described.product
  return keyGroups([{ coverages }], mostFirstCovers).flatMap(group => {
    const cover = coverOfTrip(group, product.described, trip, policy)
    return cover ? filledRows([cover.name, cover.value]) : []
  })
}

const mostFirstCovers = 4

export function coverPart({ product, policy }: DocumentFacts, words: Words): Part {
  const language = languageOf(policy.locale)
  return {
    kind: 'table',
    heading: words('documents.cover'),
    columns: [
      { label: words('documents.cover.what'), wide: true, end: false },
      { label: words('documents.cover.limit'), wide: false, end: true },
    ],
    rows: product.described.product.coverages.map(cover => [cover.name[language], coverageValue(cover, policy)]),
  }
}

/** States what is not insured, in the words of the information document. */
export const notInsuredParts = ({ product, policy }: DocumentFacts): PdfDocument['parts'] => answersOf(product, policy, [[['notInsured']]])

/** docs/rating.md, step 5: cancellation cover bought long after the booking has a waiting period, and the certificate says so. */
export function waitPart(facts: DocumentFacts, words: Words): Part[] {
  const late = lateAt(facts, facts.policy.soldAt)
  const items = [
    ...(late ? [words('documents.waiting_period.note', { days: late.immediateDays, hours: late.waitHours })] : []),
    ...(facts.movement?.waits ?? []).map(until => words('documents.waiting_period.addition', { until: momentIn(until, facts) })),
  ]
  return items.length > 0 ? [{ kind: 'note', heading: words('documents.waiting_period'), items }] : []
}

/** Returns the insured trip cost, and how much of it is each traveller’s. */
export function costOf({ trip, policy: { locale, currency } }: DocumentFacts, words: Words): string | undefined {
  const { amountCents: cents, travellers } = trip
  if (cents === undefined) return undefined
  const total = formatMoney(cents, locale, currency)
  if (travellers < 2) return total
  return words('documents.cost.each', { total, share: formatMoney(roundedRatio([cents], [travellers]), locale, currency) })
}
