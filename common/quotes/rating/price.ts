import type { Problem } from '#common/kit/problems.ts'
import { type TripDraft, tripProblems } from '#common/quotes/trip.ts'
import { ageProblems, birthDateProblems, decisiveAges, paxProblems, travellersOf } from './ages.ts'
import type { Basis, CountryName, RatedTrip, Traveller } from './basis.ts'
import { cancellationProblems, insuredOf } from './cancellation.ts'
import { type Premium, premiumOf } from './premium.ts'
import { stayProblems, travelDays } from './stay.ts'
import { type TaxAmount, taxesOf } from './taxes.ts'
import { placeProblems, tripZone } from './zone.ts'

/** Amounts in cents. `waitHours`: the waiting period of the cancellation cover, as the certificate states it. */
export type RatedPrice = Omit<Premium, 'perTraveller'> & {
  tariffVersion: string
  zone: string
  travelDays: number
  perTraveller: { birthDate: string | null; premium: number }[]
  taxes: TaxAmount[]
  total: number
  provisional: boolean
  waitHours: number
}

export type Rating = { price: RatedPrice; problems?: undefined } | { price?: undefined; problems: Problem[] }

/**
 * Rates a trip (docs/rating.md), or returns its problems. Service and browser get the same price for the same trip, tariff and day. Problems have the
 * call's field, the refusal code and the limit.
 */
export function priceTrip(basis: Basis, trip: TripDraft, today: string, countryName: CountryName): Rating {
  const { startDate, endDate, origin, destinations = [], travellers: pax } = trip
  const zone = origin === undefined ? undefined : tripZone(destinations, origin, basis.zones)
  const settings = { ...basis.settings, hasAmountCancellation: basis.tariff.cancellation !== undefined }
  const problems = onePerField([...ratingProblems(basis, trip, { zone, today, countryName }), ...tripProblems(trip, settings, today)])
  if (problems.length > 0 || zone === undefined || !startDate || !endDate || origin === undefined || pax === undefined) return { problems }
  const travellers = travellersOf(trip, pax, startDate)
  const days = travelDays({ startDate, endDate })
  return { price: priceOf(basis, { startDate, days, origin, zone, travellers, insured: insuredOf(basis, trip, today) }) }
}

type RatingContext = { zone: string | undefined; today: string; countryName: CountryName }

function ratingProblems(basis: Basis, trip: TripDraft, { zone, today, countryName }: RatingContext): Problem[] {
  const { startDate, endDate, origin, destinations = [], travellers: pax, birthDates } = trip
  const places = origin === undefined ? [] : placeProblems(basis, origin, destinations, countryName)
  const named = { origin: countryName(origin ?? 0) ?? '', destination: destinations.map(id => countryName(id) ?? '').join(', ') }
  const covered = places.length === 0 ? zone : undefined
  return [
    ...places,
    ...(startDate && endDate && startDate <= endDate ? stayProblems(basis, { startDate, endDate }, covered, named) : []),
    ...(pax === undefined ? [] : paxProblems(basis, pax)),
    ...(startDate && pax !== undefined && birthDates ? birthDateProblems(basis, birthDates, { pax, startDate, today }) : []),
    ...(startDate && pax !== undefined ? ageProblems(basis, trip, { pax, startDate }) : []),
    ...cancellationProblems(basis, trip, today),
  ]
}

/** Keeps the first problem of each field. Those of rating come first, as they name the product's own limit. */
const onePerField = (problems: Problem[]): Problem[] =>
  problems.filter(({ path }, index) => problems.findIndex(other => other.path === path) === index)

function priceOf(basis: Basis, trip: RatedTrip): RatedPrice {
  const { perTraveller, ...premiums } = premiumOf(basis, trip)
  const { premium } = premiums
  const { zone, startDate, days, origin, travellers, insured } = trip
  const taxes = taxesOf(basis, { startDate, days, origin, premium, personDays: travellers.length * days })
  return {
    ...premiums,
    tariffVersion: basis.tariff.version,
    zone,
    travelDays: days,
    perTraveller: travellers.map(({ birthDate }, index) => ({ birthDate, premium: perTraveller[index] ?? 0 })),
    taxes,
    total: taxes.reduce((total, { amount }) => total + amount, premium),
    provisional: isProvisional(basis, trip),
    waitHours: insured?.waitHours ?? 0,
  }
}

/** True if an unknown age could still change the price (docs/rating.md, step 4). */
function isProvisional(basis: Basis, trip: RatedTrip): boolean {
  const unknown = trip.travellers.flatMap(({ age }, index) => (age === undefined ? [index] : []))
  if (unknown.length === 0) return false
  const { premium } = premiumOf(basis, trip)
  const changes = (ageAt: (nth: number) => number | undefined) => {
    const travellers = withAges(trip.travellers, unknown, ageAt)
    return premiumOf(basis, { ...trip, travellers }).premium !== premium
  }
  const ages = decisiveAges(basis)
  // Tries each age alone and all together: a minimum can hide the effect of one, a group discount that of all.
  if (ages.some(age => changes(() => age) || changes(nth => (nth === 0 ? age : undefined)))) return true
  return ages.some(adult => changes(nth => (nth < adultsNeeded(basis, unknown.length) ? adult : ages[0])))
}

function withAges(travellers: readonly Traveller[], unknown: number[], ageAt: (nth: number) => number | undefined): Traveller[] {
  const nthAt = new Map(unknown.map((index, nth) => [index, nth]))
  return travellers.map((traveller, index) => {
    const nth = nthAt.get(index)
    return nth === undefined ? traveller : { ...traveller, age: ageAt(nth) }
  })
}

/** Returns the number of adults needed for all others to travel free as infants. */
const adultsNeeded = ({ tariff: { infantsFree } }: Basis, unknown: number): number =>
  Math.ceil(unknown / (1 + (infantsFree?.perAdult ?? 0)))
