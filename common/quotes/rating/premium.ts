import { roundedRatio } from '#common/kit/money.ts'
import { agePercent, freeInfants } from './ages.ts'
import { figureAt, partyPrice, travellerBase } from './base.ts'
import type { Basis, Traveller, RatedTrip } from './basis.ts'
import { cancellationPremium } from './cancellation.ts'

export type Premium = { premium: number; travelPremium: number; cancellationPremium: number; perTraveller: number[] }

/** Returns the premiums in cents (docs/rating.md, steps 3 to 6). */
export function premiumOf(basis: Basis, trip: RatedTrip): Premium {
  const { groups, minimumPerPolicy, base } = basis.tariff
  const travel = travelPremiums(basis, trip)
  const cancellation = cancellationPremiums(basis, trip)
  const pays = 100 - (groups ? (figureAt(groups, trip.travellers.length) ?? 0) : 0)
  const reduced = (cents: number) => (groups ? roundedRatio([cents, pays], [100]) : cents)
  const premium = Math.max(reduced(sum(travel) + sum(cancellation)), minimumPerPolicy ?? 0)
  // The group's rounding and the policy's minimum apply to the travel premium, if there is one.
  const ofCancellation = base.kind === 'none' ? premium : reduced(sum(cancellation))
  return {
    premium,
    travelPremium: premium - ofCancellation,
    cancellationPremium: ofCancellation,
    perTraveller: shareOut(
      premium,
      travel.map((cents, index) => cents + (cancellation[index] ?? 0)),
    ),
  }
}

function travelPremiums(basis: Basis, { zone, days, travellers }: RatedTrip): number[] {
  const { base, ages } = basis.tariff
  if (base.kind === 'term') {
    // The party has one price, whatever the ages.
    return shareOut(
      partyPrice(base, zone, travellers.length) ?? 0,
      travellers.map(() => 1),
    )
  }
  const { factors, divisors, minimum } = travellerBase(base, zone, days) ?? { factors: [0], divisors: [], minimum: 0 }
  const premiumAt = remembered((age: number | undefined) =>
    Math.max(roundedRatio([...factors, agePercent(ages, age)], [...divisors, 100]), minimum),
  )
  return paying(basis, travellers, premiumAt)
}

function cancellationPremiums(basis: Basis, { insured, travellers }: RatedTrip): number[] {
  const { cancellation } = basis.tariff
  if (!cancellation || !insured) return travellers.map(() => 0)
  return paying(
    basis,
    travellers,
    remembered(age => cancellationPremium(cancellation, insured, age)),
  )
}

function paying(basis: Basis, travellers: readonly Traveller[], premiumAt: (age: number | undefined) => number): number[] {
  const free = freeInfants(basis, travellers)
  return travellers.map(({ age }, index) => (free.has(index) ? 0 : premiumAt(age)))
}

/** Caches by age, as two hundred travellers have few different ages. */
function remembered(premiumAt: (age: number | undefined) => number): (age: number | undefined) => number {
  const known = new Map<number | undefined, number>()
  return age => {
    const cents = known.get(age) ?? premiumAt(age)
    known.set(age, cents)
    return cents
  }
}

/** Splits a sum by weights, exact to the cent. Weights that already add up to it are returned unchanged. */
function shareOut(whole: number, weights: readonly number[]): number[] {
  const total = sum(weights)
  const even = total === 0
  let weight = 0
  let allotted = 0
  return weights.map(each => {
    weight += even ? 1 : each
    const upTo = roundedRatio([whole, weight], [even ? weights.length : total])
    const part = upTo - allotted
    allotted = upTo
    return part
  })
}

const sum = (cents: readonly number[]): number => cents.reduce((total, each) => total + each, 0)
