import type { Problem } from '#common/kit/problems.ts'
import { sentAs, type Trip, tripProblems } from '#common/quotes/trip.ts'
import { birthDateProblems, paxProblems, travellersOf } from './ages.ts'
import { type Basis, type NameOf, readTrip, type TripAsked, type TripRated, type TripRead } from './basis.ts'
import { cancellationProblems, insuredOf } from './cancellation.ts'
import { type Premium, premiumOf } from './premium.ts'
import { isProvisional } from './provisional.ts'
import { stayProblems, travelDays } from './stay.ts'
import { type TaxAmount, taxesOf } from './taxes.ts'
import { placeProblems, tripZone } from './zone.ts'

/** In cents. `waitHours`: how long after the purchase the cancellation cover starts, which the certificate states. */
export type Price = Omit<Premium, 'perTraveller'> & {
  tariffVersion: string
  zone: string
  travelDays: number
  perTraveller: { birthDate: string | null; premium: number }[]
  taxes: TaxAmount[]
  total: number
  provisional: boolean
  waitHours: number
}

export type Rating = { price: Price; problems?: undefined } | { price?: undefined; problems: Problem[] }

/**
 * How a price comes about (rating.md): the same for the same trip, tariff and day, in the service and in the browser. Or what speaks against
 * it: the field as the calls name it, the word of the refusal, and its bound. Answers whatever it is asked.
 */
export function priceTrip(basis: Basis, asked: TripAsked, today: string, nameOf: NameOf): Rating {
  const trip = readTrip(asked ?? {})
  const zone = trip.origin === undefined ? undefined : tripZone(trip.destinations, trip.origin, basis.zones)
  const problems = onePerField([...ratingProblems(basis, trip, { zone, today, nameOf }), ...formProblems(basis, asked ?? {}, today)])
  const { startDate, endDate, origin, pax } = trip
  if (problems.length > 0 || zone === undefined || !startDate || !endDate || origin === undefined || pax === undefined) return { problems }
  const travellers = travellersOf(trip.birthDates, pax, startDate)
  const days = travelDays({ startDate, endDate })
  return { price: priceOf(basis, { startDate, days, origin, zone, travellers, insured: insuredOf(basis, trip, today) }) }
}

type Seen = { zone: string | undefined; today: string; nameOf: NameOf }

function ratingProblems(basis: Basis, trip: TripRead, { zone, today, nameOf }: Seen): Problem[] {
  const { startDate, endDate, origin, destinations, pax, birthDates } = trip
  const places = origin === undefined ? [] : placeProblems(basis, origin, destinations, nameOf)
  const named = { origin: nameOf(origin ?? 0) ?? '', destination: destinations.map(id => nameOf(id) ?? '').join(', ') }
  const covered = places.length === 0 ? zone : undefined
  return [
    ...places,
    ...(startDate && endDate && startDate <= endDate ? stayProblems(basis, { startDate, endDate }, covered, named) : []),
    ...(pax === undefined ? [] : paxProblems(basis, pax)),
    ...(startDate && pax !== undefined && birthDates ? birthDateProblems(basis, birthDates, { pax, startDate, today }) : []),
    ...cancellationProblems(basis, trip, today),
  ]
}

/** The rules of step 1, with the fields as the calls name them. */
function formProblems({ settings, tariff }: Basis, asked: TripAsked, today: string): Problem[] {
  const trip = {
    startDate: asked.startDate,
    endDate: asked.endDate,
    coverageScope: [asked.countryOriginId ?? null],
    travelers: asked.paxNumber,
    mainDestination: asked.countriesDestinationId,
    priceTravel: asked.insurancedAmount,
    reservationDate: asked.reservationDate,
  } as Trip
  return tripProblems(trip, { ...settings, hasAmountCancellation: tariff.cancellation !== undefined }, today).map(problem => ({
    ...problem,
    path: sentAs[problem.path as keyof Trip],
  }))
}

/** What rating says of a field is said first, for it names the product's own bound. */
const onePerField = (problems: Problem[]): Problem[] =>
  problems.filter(({ path }, place) => problems.findIndex(other => other.path === path) === place)

function priceOf(basis: Basis, trip: TripRated): Price {
  const { perTraveller, ...premiums } = premiumOf(basis, trip)
  const { premium } = premiums
  const { zone, days, origin, travellers, insured } = trip
  const taxes = taxesOf(basis, { origin, premium, pax: travellers.length, days })
  return {
    ...premiums,
    tariffVersion: basis.tariff.version,
    zone,
    travelDays: days,
    perTraveller: travellers.map(({ birthDate }, place) => ({ birthDate, premium: perTraveller[place] ?? 0 })),
    taxes,
    total: taxes.reduce((total, { amount }) => total + amount, premium),
    provisional: isProvisional(basis, trip),
    waitHours: insured?.waitHours ?? 0,
  }
}
