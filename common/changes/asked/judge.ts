import { daysBetween, readDate } from '#common/kit/dates.ts'
import type { Problem } from '#common/kit/problems.ts'
import { birthDates, outside } from '#common/kit/validators/periods.ts'
import { livesElsewhere, residenceProblem } from '#common/policies/people.ts'
import { ageProblems, paxProblems } from '#common/quotes/rating/ages.ts'
import type { Basis } from '#common/quotes/rating/basis.ts'
import { cancellationProblems, insuredOf } from '#common/quotes/rating/cancellation.ts'
import { stayProblems } from '#common/quotes/rating/stay.ts'
import { destinationProblems, placeProblems, tripZone } from '#common/quotes/rating/zone.ts'
import { type TripDraft, tripProblems } from '#common/quotes/trip.ts'
import { type Now, type Policy, travels } from '../state.ts'
import type { Asked } from './asked.ts'
import { ageAt } from './price.ts'

/**
 * Rule 2: validates the requested change on its day, in the order of rating: countries, dates, days, term, season, people, ages, cost. Unchanged
 * facts were validated at the sale.
 */
export function problemsOf(policy: Policy, asked: Asked, day: string, now: Now): Problem[] {
  const { basis } = policy.edition
  const places = problemsOfPlaces(policy, asked, now)
  const problems = [
    ...places,
    ...problemsOfDates(basis, asked, day),
    ...problemsOfStay(basis, asked, places.length > 0, now),
    ...problemsOfPeople(policy, asked, day),
    ...problemsOfResidence(policy, asked),
    ...problemsOfCost(basis, asked, policy, day),
  ]
  return problems.filter(({ path }, index) => problems.findIndex(other => other.path === path) === index)
}

/** A newly named country must not be excluded today. From another origin, every country may lie in a zone without a price. */
function problemsOfPlaces(policy: Policy, { trip, touched }: Asked, { excludedCountries, countryName }: Now): Problem[] {
  const { basis } = policy.edition
  if (!touched.origin && !touched.destinations) return []
  const excluding = (excluded: readonly number[]): Basis => ({ ...basis, zones: { ...basis.zones, excludedCountries: [...excluded] } })
  const named = trip.destinations.filter(id => !policy.trip.destinations.includes(id))
  const problems = [
    ...destinationProblems(excluding(excludedCountries), trip.origin, named, countryName),
    ...(touched.origin ? placeProblems(excluding([]), trip.origin, trip.destinations, countryName) : []),
  ]
  return problems.toSorted((a, b) => Number(a.path !== 'countryOriginId') - Number(b.path !== 'countryOriginId'))
}

/** Validates a new residence, and with another origin every stated one. The problem is at the field that changed. */
function problemsOfResidence({ edition: { basis }, people: before, holder }: Policy, { trip, people, touched }: Asked): Problem[] {
  if (basis.settings.insures !== 'origin') return []
  return people.flatMap((person, index): Problem[] => {
    if (!travels(holder, index) || !livesElsewhere(person, trip.origin)) return []
    const was = before.find(({ personUuid }) => personUuid === person.personUuid)
    if (was?.residenceCountryId !== person.residenceCountryId) return [residenceProblem(`users[${index}].residenceCountryId`)]
    return touched.origin ? [residenceProblem('countryOriginId')] : []
  })
}

/** Validates only what changes, so an unchanged end may lie anywhere but before the start. */
function problemsOfDates({ settings }: Basis, { trip, touched }: Asked, day: string): Problem[] {
  if (!touched.startDate && !touched.endDate) return []
  return tripProblems(trip, { ...settings, hasAmountCancellation: false }, day).filter(
    ({ path, rule }) => (path === 'startDate' && touched.startDate) || (path === 'endDate' && (touched.endDate || rule === 'endDateMin')),
  )
}

function problemsOfStay(basis: Basis, { trip, touched }: Asked, isRefused: boolean, { countryName }: Now): Problem[] {
  const { startDate, endDate, origin, destinations } = trip
  if (!(touched.startDate || touched.endDate || touched.origin || touched.destinations) || endDate < startDate) return []
  const zone = isRefused ? undefined : tripZone(destinations, origin, basis.zones)
  const named = { origin: countryName(origin) ?? '', destination: destinations.map(id => countryName(id) ?? '').join(', ') }
  return stayProblems(basis, { startDate, endDate }, zone, named)
}

/** Validates the number of people, newly given birth dates, and the ages on a new start. */
function problemsOfPeople({ edition: { basis }, holder }: Policy, { trip, people, found, touched }: Asked, day: string): Problem[] {
  const travellers = people.flatMap((person, index) => (travels(holder, index) ? [{ person, index }] : []))
  const isNew = (index: number) => found?.asked[index]?.bornAnew === true
  const pathAt = (index: number) => `users[${index}].birthDate`
  const count = touched.joins || touched.leaves ? paxProblems(basis, travellers.length) : []
  const period = birthDates(day, basis.earliestBirthDate)
  const born = travellers.flatMap(({ person, index }): Problem[] => {
    const date = readDate(person.birthDate)
    if (!isNew(index)) return []
    if (date === undefined) return person.birthDate ? [{ path: pathAt(index), rule: 'parseDate', key: 'validation.invalidDate' }] : []
    const problem = outside(date, period)
    return problem ? [{ path: pathAt(index), rule: 'birthDateRange', ...problem }] : []
  })
  const ages = travellers.map(({ person, index }) =>
    touched.startDate || isNew(index) ? (ageAt(person.birthDate, trip.startDate) ?? null) : null,
  )
  const old = ageProblems(basis, { ages, birthDates: undefined }, { pax: travellers.length, startDate: trip.startDate })
  return [
    ...count.map(problem => ({ ...problem, path: 'users' })),
    ...born,
    ...old.map(problem => ({ ...problem, path: pathAt(travellers[indexIn(problem.path)]?.index ?? 0) })),
  ]
}

const indexIn = (path: string): number => Number(/\d+/.exec(path)?.[0] ?? 0)

/** Validates the share per head, and the reservation of added cancellation cover (rule 10). */
function problemsOfCost(basis: Basis, asked: Asked, policy: Policy, day: string): Problem[] {
  if (!basis.tariff.cancellation) return []
  const { touched } = asked
  const isShareNew = touched.amountCents || touched.joins || touched.leaves
  const cost = isShareNew ? cancellationProblems(basis, insuredTrip(policy, asked), day).filter(({ rule }) => rule === 'quote.cost') : []
  const { reservationDate } = asked.trip
  const late = touched.reservationDate && reservationDate ? outside(reservationDate, { to: day }) : null
  const reserved: Problem[] = late ? [{ path: 'reservationDate', rule: 'reservationDate', ...late }] : []
  return [...cost, ...reserved, ...windowOf(policy, asked, day).problems]
}

/**
 * Rule 10: more cancellation cover, by a higher share per head or a new person, begins at once if it was reserved recently. Else it has a waiting
 * period, and the trip must be far enough away.
 */
export function windowOf(policy: Policy, asked: Asked, day: string): { problems: Problem[]; waitHours: number } {
  const { basis } = policy.edition
  const window = basis.tariff.cancellation?.window
  if (!window || !isMoreCancellation(policy, asked)) return { problems: [], waitHours: 0 }
  const reservedOn = asked.trip.reservationDate ?? day
  if (daysBetween(reservedOn, day) <= window.immediateDays) return { problems: [], waitHours: 0 }
  const { immediateDays, otherwiseLeastLeadDays: least } = window
  const lead = daysBetween(day, asked.trip.startDate)
  if (lead >= least) return { problems: [], waitHours: window.waitHours }
  const params = { days: immediateDays, least, lead }
  return {
    problems: [{ path: 'reservationDate', rule: 'quote.cancellation_window', key: 'refusal.quote.cancellation_window', params }],
    waitHours: 0,
  }
}

function isMoreCancellation(policy: Policy, asked: Asked): boolean {
  if (asked.touched.joins) return true
  const { basis } = policy.edition
  const { trip, people } = policy
  const shareOf = (version: Pick<Asked, 'trip' | 'people'>) => insuredOf(basis, insuredTrip(policy, version), trip.startDate)?.share ?? 0
  return shareOf(asked) > shareOf({ trip, people: [...people] })
}

function insuredTrip({ holder }: Policy, { trip, people }: Pick<Asked, 'trip' | 'people'>): TripDraft {
  const travellers = people.filter((_, index) => travels(holder, index)).length
  return { ...trip, travellers, reservationDate: trip.reservationDate ?? trip.startDate }
}
