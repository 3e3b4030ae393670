import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addDays, ageOn } from '#common/kit/dates.ts'
import type { TripDraft } from '../trip.ts'
import type { Basis } from './basis.ts'
import { priceTrip } from './price.ts'
import { basisOf, bornFor, type Code, codes, inEnglish, today } from './testing.ts'

const bases = new Map(codes.map(code => [code, basisOf(code)]))
// Safe: the map has every code.
const demo = (code: Code): Basis => bases.get(code) as Basis

/** Trips of every kind, most of them insurable. */
const trips = fc
  .record({
    inDays: fc.integer({ min: 1, max: 200 }),
    days: fc.oneof(fc.integer({ min: 1, max: 31 }), fc.integer({ min: 1, max: 365 })),
    ages: fc.array(fc.option(fc.integer({ min: 0, max: 84 })), { minLength: 1, maxLength: 12 }),
    origin: fc.constantFrom(724, 380, 250, 276),
    destinations: fc.array(fc.constantFrom(724, 20, 380, 764, 840, 76, 392), { minLength: 1, maxLength: 3 }),
    amountCents: fc.integer({ min: 1, max: 5_000_000 }),
    reservedAgo: fc.integer({ min: 0, max: 20 }),
  })
  .map(({ inDays, days, ages, reservedAgo, ...rest }): TripDraft & { startDate: string; days: number } => {
    const startDate = addDays(today, inDays)
    return {
      ...rest,
      startDate,
      days,
      endDate: addDays(startDate, days - 1),
      travellers: ages.length,
      birthDates: ages.map(age => (age === null ? null : bornFor(age, startDate))),
      reservationDate: addDays(today, -reservedAgo),
    }
  })

/** Tariffs with other figures than those of the demo. */
const tariffs = fc
  .record({
    code: fc.constantFrom(...codes),
    percents: fc.array(fc.integer({ min: 0, max: 400 }), { minLength: 8, maxLength: 8 }),
    groups: fc.option(fc.tuple(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 0, max: 100 }))),
    minimumPerPolicy: fc.option(fc.integer({ min: 0, max: 20_000 }), { nil: undefined }),
    perAdult: fc.integer({ min: 0, max: 3 }),
  })
  .map(({ code, percents, groups, minimumPerPolicy, perAdult }): Basis => {
    const { tariff, ...rest } = demo(code)
    const ages = tariff.ages.map(([from, to], row): [number, number, number] => [from, to, percents[row % 8] ?? 100])
    return {
      ...rest,
      tariff: {
        ...tariff,
        ages,
        infantsFree: { underAge: 2, perAdult },
        ...(groups ? { groups: [[groups[0], 200, groups[1]]] } : {}),
        ...(minimumPerPolicy === undefined ? {} : { minimumPerPolicy }),
      },
    }
  })

const rate = (basis: Basis, trip: TripDraft) => priceTrip(basis, trip, today, inEnglish)

describe('every price', () => {
  it('a price is in whole cents, never negative, and the sum of its parts', () => {
    let rated = 0
    fc.assert(
      fc.property(tariffs, trips, (basis, trip) => {
        const { price } = rate(basis, trip)
        if (!price) return
        rated += 1
        const taxes = price.taxes.map(({ amount }) => amount)
        const parts = price.perTraveller.map(({ premium }) => premium)
        const figures = [price.travelPremium, price.cancellationPremium, price.premium, price.total, ...taxes, ...parts]
        expect(figures.filter(cents => !Number.isSafeInteger(cents) || cents < 0)).toEqual([])
        expect(price.travelPremium + price.cancellationPremium).toBe(price.premium)
        expect(sum(parts)).toBe(price.premium)
        expect(price.premium + sum(taxes)).toBe(price.total)
      }),
      { numRuns: 1000 },
    )
    expect(rated).toBeGreaterThan(150)
  })

  it('a price does not depend on the order of travellers and destinations', () =>
    fc.assert(
      fc.property(tariffs, trips, (basis, trip) => {
        const { price } = rate(basis, trip)
        const turned = {
          ...trip,
          birthDates: trip.birthDates?.toReversed(),
          destinations: trip.destinations?.toReversed(),
        }
        const { price: other } = rate(basis, turned)
        const without = (of: typeof price) => of && { ...of, perTraveller: of.perTraveller.length }
        expect(without(other)).toEqual(without(price))
      }),
      { numRuns: 500 },
    ))

  it('a price is the same by ages as by birth dates', () =>
    fc.assert(
      fc.property(tariffs, trips, (basis, trip) => {
        const ages = (trip.birthDates ?? []).map(born => (born === null ? null : ageOn(born, trip.startDate)))
        const [{ price: byDate }, { price: byAge }] = [rate(basis, trip), rate(basis, { ...trip, birthDates: undefined, ages })]
        if (byDate) expect([byAge?.total, byAge?.provisional]).toEqual([byDate.total, byDate.provisional])
      }),
      { numRuns: 500 },
    ))

  it('a price is never lower for a longer trip of the same tariff', () =>
    fc.assert(
      fc.property(fc.constantFrom(...codes), trips, fc.integer({ min: 1, max: 60 }), (code, trip, more) => {
        const shorter = rate(demo(code), trip).price
        const longer = rate(demo(code), { ...trip, endDate: addDays(trip.startDate, trip.days - 1 + more) }).price
        if (shorter && longer) expect(longer.total).toBeGreaterThanOrEqual(shorter.total)
      }),
      { numRuns: 1000 },
    ))

  it('a price is provisional exactly if an unknown age can change it', () =>
    fc.assert(
      fc.property(tariffs, trips, fc.array(fc.integer({ min: 0, max: 74 }), { minLength: 12, maxLength: 12 }), (basis, trip, ages) => {
        const { price } = rate(basis, trip)
        if (!price) return
        const known = { ...trip, birthDates: trip.birthDates?.map((born, nth) => born ?? bornFor(ages[nth] ?? 30, trip.startDate)) }
        const { price: exact } = rate(basis, known)
        if (!exact) return
        expect(exact.provisional).toBe(false)
        if (!price.provisional) expect(exact.premium).toBe(price.premium)
      }),
      { numRuns: 1000 },
    ))
})

const sum = (cents: number[]): number => cents.reduce((total, each) => total + each, 0)
