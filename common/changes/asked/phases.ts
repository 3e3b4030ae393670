import { travelDays } from '#common/quotes/rating/stay.ts'
import { taxPlace } from '#common/quotes/rating/taxes.ts'
import { tripZone } from '#common/quotes/rating/zone.ts'
import type { Trip } from '#common/quotes/trip.ts'
import { refused, type Refused } from '../refusals.ts'
import { type Phase, type Policy, startOf } from '../state.ts'
import { type Asked, pathsOf, type Touched } from './asked.ts'

/** The refusals of a policy whose cover stays as it is. */
export type Fixed = 'change.ended' | 'change.claimed' | 'change.started'

/**
 * Returns why the cover can no longer change: its dates, countries and amount, and who travels. Contact, reference and language still can, and until
 * the end also corrections of people's data. Undefined if a part of the cover can change.
 */
export function fixedBy({ claimed, edition: { servicing } }: Policy, phase: Phase): Fixed | undefined {
  if (phase.ended) return 'change.ended'
  if (claimed) return 'change.claimed'
  return phase.started && !servicing.extend && !servicing.midTerm ? 'change.started' : undefined
}

/** Returns why the policy's phase does not allow a change: the first rule that applies, at each field. */
export function refusedByPhase(policy: Policy, asked: Asked, phase: Phase, at: number): Refused[] {
  const { touched } = asked
  const rules: (() => Refused[])[] = [
    () => (pathsOf(touched, () => true).length === 0 ? [refused('change.nothing')] : []),
    () =>
      phase.ended
        ? atEach(
            'change.ended',
            pathsOf(touched, fact => !always.has(fact)),
          )
        : [],
    () =>
      policy.claimed
        ? atEach(
            'change.claimed',
            pathsOf(touched, fact => material.has(fact)),
          )
        : [],
    () =>
      phase.started
        ? atEach(
            'change.started',
            pathsOf(touched, fact => material.has(fact) && !isPossibleOnTrip(policy, asked, fact)),
          )
        : [],
    () => (at >= namesCloseAt(policy, asked) && (touched.joins || touched.leaves) ? [refused('change.names_closed', 'users')] : []),
    () => taxPlaceMoves(policy, asked),
  ]
  for (const rule of rules) {
    const found = rule()
    if (found.length > 0) return found
  }
  return []
}

const atEach = (code: Parameters<typeof refused>[0], paths: string[]): Refused[] => paths.map(path => refused(code, path))

/** Facts that may change at any time, also after the end and after a claim. */
const always = new Set<keyof Touched>(['contact', 'reference', 'locale'])

/** Facts that are part of the cover. A corrected name or document number is not. */
const material = new Set<keyof Touched>([
  'births',
  'joins',
  'leaves',
  'holder',
  'startDate',
  'endDate',
  'origin',
  'destinations',
  'amountCents',
  'reservationDate',
])

/** True if a fact changes that affects the price. */
export const isPriced = (touched: Touched): boolean =>
  pathsOf(touched, fact => material.has(fact) && fact !== 'holder' && fact !== 'reservationDate').length > 0

function isPossibleOnTrip({ trip, edition }: Policy, { trip: asked, touched }: Asked, fact: keyof Touched): boolean {
  const { extend, midTerm } = edition.servicing
  switch (fact) {
    case 'births':
      return true
    case 'endDate':
      return extend === true && !touched.startDate && asked.endDate > trip.endDate
    case 'joins':
      return midTerm === true
    case 'reservationDate':
      return midTerm === true && touched.joins
    case 'destinations':
      return midTerm === true && !isNearer(edition.basis.zones, trip, asked)
    default:
      return false
  }
}

/** Rule 5: during the trip, the destinations may only become wider. Another country of the same zone leaves the price unchanged. */
function isNearer(zones: Policy['edition']['basis']['zones'], was: Trip, is: Trip): boolean {
  const rank = ({ destinations, origin }: Trip) => zones.zones.findIndex(zone => zone.id === tripZone(destinations, origin, zones))
  return rank(is) < rank(was)
}

/** The list of names closes some hours before the later of both starts. Otherwise two steps, moving the trip first, could avoid it. */
export function namesCloseAt(policy: Policy, { trip }: Asked): number {
  const hours = policy.edition.servicing.namesUntilHours
  const start = trip.startDate > policy.trip.startDate ? trip.startDate : policy.trip.startDate
  return hours === undefined ? Number.POSITIVE_INFINITY : startOf(start, policy) - hours * 3_600_000
}

/** Taxes of another country make another contract: the agent cancels and sells anew. */
function taxPlaceMoves({ trip, edition: { basis } }: Policy, { trip: asked, touched }: Asked): Refused[] {
  const placeOf = (stay: Trip) => taxPlace(basis, { startDate: stay.startDate, days: travelDays(stay), origin: stay.origin })
  if (asked.endDate < asked.startDate || placeOf(trip) === placeOf(asked)) return []
  return [refused('change.tax_place', touched.origin ? 'countryOriginId' : touched.endDate ? 'endDate' : 'startDate')]
}
