import { ageOn, daysBetween, readDate } from '#common/kit/dates.ts'
import { roundedRatio } from '#common/kit/money.ts'
import { hasPriceFor } from '#common/quotes/rating/base.ts'
import type { Basis, RatedTrip } from '#common/quotes/rating/basis.ts'
import { insuredOf } from '#common/quotes/rating/cancellation.ts'
import { type Premium, premiumOf } from '#common/quotes/rating/premium.ts'
import { travelDays } from '#common/quotes/rating/stay.ts'
import { tripZone } from '#common/quotes/rating/zone.ts'
import type { Trip } from '#common/quotes/trip.ts'
import { dayOfSale, type Phase, type Policy, type Segment, travels } from '../state.ts'
import type { After, Asked } from './asked.ts'

export type Rated = Premium & { days: number }
type Born = { readonly birthDate?: unknown }

/**
 * Rule 1: rates a trip as if it had been sold on that day. Validates nothing, as the limits are those of the day of the change. Undefined if the
 * tariff has no price. People born after the start count as age 0 (rule 5).
 */
export function ratedTrip(basis: Basis, trip: Trip, travellers: readonly Born[], soldOn: string): Rated | undefined {
  const { startDate, origin } = trip
  const days = travelDays(trip)
  const zone = tripZone(trip.destinations, origin, basis.zones)
  if (zone === undefined || travellers.length === 0 || !(days >= 1) || !hasPriceFor(basis.tariff.base, zone, days)) return undefined
  const rated: RatedTrip = {
    startDate,
    days,
    origin,
    zone,
    travellers: travellers.map(({ birthDate }) => ({ birthDate: readDate(birthDate) ?? null, age: ageAt(birthDate, startDate) })),
    insured: insuredOf(basis, { ...trip, travellers: travellers.length }, soldOn),
  }
  return { ...premiumOf(basis, rated), days }
}

export function ageAt(birthDate: unknown, startDate: string): number | undefined {
  const born = readDate(birthDate)
  return born === undefined ? undefined : Math.max(0, ageOn(born, startDate))
}

/** A premium by the tariff, its parts, and the premium of each traveller. */
export type Tariffed = { premium: number; cancellation: number; personDays: number; segments: Segment[]; perTraveller: number[] }

/**
 * Returns the premium by the tariff after a change (rules 1, 5). If people joined during the trip it is the sum of the parts; any later change adds
 * the difference that it makes to the price of the whole.
 */
export function tariffedAs(policy: Policy, asked: Asked, phase: Phase): Tariffed | undefined {
  const { edition, trip, holder, segments: parts } = policy
  const [soldOn, basis] = [dayOfSale(policy), edition.basis]
  const before = policy.people.filter((_, index) => travels(holder, index))
  const now = asked.people.filter((_, index) => travels(holder, index))
  const joins = phase.started && (asked.touched.joins || asked.touched.destinations)
  const old = ratedTrip(basis, trip, before, soldOn)
  const is = ratedTrip(basis, asked.trip, now, soldOn)
  // A new person, or a wider destination, costs only the remaining days. All else is priced as at the sale.
  const still = joins
    ? ratedTrip(
        basis,
        { ...asked.trip, destinations: trip.destinations },
        now.filter(({ personUuid }) => personUuid !== null),
        soldOn,
      )
    : is
  if (!old || !is || !still) return undefined
  const isWhole = parts.length <= 1
  const base = {
    premium: (isWhole ? 0 : policy.tariffPremium - old.premium) + still.premium,
    cancellation: (isWhole ? 0 : policy.charged.cancellationPremium - old.cancellationPremium) + still.cancellationPremium,
  }
  const remaining = daysBetween(phase.day, asked.trip.endDate) + 1
  const share = (more: number) => (joins ? roundedRatio([Math.max(0, more), remaining], [is.days]) : 0)
  const more = share(is.premium - still.premium)
  const joined = joins ? now.length - still.perTraveller.length : 0
  const premium = base.premium + more
  return {
    premium,
    cancellation: Math.min(premium, base.cancellation + Math.min(more, share(is.cancellationPremium - still.cancellationPremium))),
    perTraveller: joins ? perPerson(now, still.perTraveller, more) : is.perTraveller,
    ...withJoined(policy, asked.trip, { more: joins ? more : undefined, joined, day: phase.day, travellers: now.length }),
  }
}

/** New people pay for the remaining days; all people pay for a wider zone. */
function perPerson(now: readonly After[], still: readonly number[], more: number): number[] {
  const joined = now.filter(({ personUuid }) => personUuid === null).length
  const payers = joined || now.length
  let [kept, paid] = [0, 0]
  return now.map(({ personUuid }) => {
    const pays = personUuid === null || joined === 0
    const part = pays ? roundedRatio([more, paid + 1], [payers]) - roundedRatio([more, paid], [payers]) : 0
    if (pays) paid += 1
    return part + (personUuid === null ? 0 : (still[kept++] ?? 0))
  })
}

/** Builds the parts of the term. The first one's premium is the rest, known once the charge is known. */
function withJoined(
  { segments }: Policy,
  { startDate, endDate }: Trip,
  { more, joined, day, travellers }: { more: number | undefined; joined: number; day: string; travellers: number },
): Pick<Tariffed, 'segments' | 'personDays'> {
  const others = [
    ...segments.slice(1).map(segment => ({ ...segment, to: endDate })),
    ...(more === undefined ? [] : [{ from: day, to: endDate, premium: more, joined }]),
  ]
  const late = others.reduce((sum, segment) => sum + segment.joined, 0)
  const daysOf = ({ from, to }: Pick<Segment, 'from' | 'to'>) => daysBetween(from, to) + 1
  const first = { from: startDate, to: endDate, premium: 0, joined: 0 }
  return {
    segments: [first, ...others],
    personDays: others.reduce((sum, segment) => sum + segment.joined * daysOf(segment), (travellers - late) * daysOf(first)),
  }
}

/** Returns the parts with the first one's premium set so that they add up to the charge. */
export function chargedParts(segments: readonly Segment[], premium: number): Segment[] {
  const [first, ...others] = segments
  return first ? [{ ...first, premium: premium - others.reduce((sum, segment) => sum + segment.premium, 0) }, ...others] : []
}
