import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addDays, daysBetween } from '#common/kit/dates.ts'
import { priceTrip } from '#common/quotes/rating/price.ts'
import { basisOf, bornFor, type Code, codes, inEnglish, today, tripOf } from '#common/quotes/rating/testing.ts'
import type { TripDraft } from '#common/quotes/trip.ts'
import { hoursOf, nextChange, type PriceOn, priceStandsUntil } from './price-for-unit.ts'

const bases = new Map(codes.map(code => [code, basisOf(code)]))
/** Rates a trip with a demo product on any day. */
const rating = (code: Code, trip: TripDraft, basis = bases.get(code) ?? basisOf(code)): PriceOn => {
  return day => priceTrip(basis, trip, day, inEnglish).price
}

describe('the next change of a price', () => {
  const ages = [40]
  const cancellable = (inDays: number, reservedAgo = 0) =>
    tripOf(392, 8, ages, { inDays, amountCents: 300_000, reservationDate: addDays(today, -reservedAgo) })

  it.each<[string, PriceOn, string | undefined]>([
    ['is at a step of the lead', rating('TOT', cancellable(91)), addDays(today, 1)],
    ['is at the lead’s step, days away', rating('CAN', cancellable(34)), addDays(today, 4)],
    ['is when the first days after the booking are over', rating('TOT', cancellable(60, 3)), addDays(today, 5)],
    ['is when cover would begin too late', rating('TOT', cancellable(9, 3)), addDays(today, 5)],
    ['is the first day on which the trip may not begin', rating('ANN', tripOf(392, 365, ages, { inDays: 3 })), addDays(today, 3)],
    ['is the day after the trip began', rating('ESS', tripOf(380, 8, ages, { inDays: 3 })), addDays(today, 4)],
    ['is none while nothing of it depends on the day', rating('ESS', tripOf(380, 8, ages, { inDays: 40 })), undefined],
  ])('%s', (_, priceOn, day) => expect(nextChange(priceOn, today, addDays(today, 30))).toBe(day))

  it('a price’s next change is undefined if it lies after the last day examined', () =>
    expect(nextChange(rating('CAN', cancellable(34)), today, addDays(today, 3))).toBeUndefined())
})

const trips = fc
  .record({
    inDays: fc.integer({ min: 0, max: 200 }),
    days: fc.integer({ min: 1, max: 40 }),
    ages: fc.array(fc.option(fc.integer({ min: 0, max: 84 })), { minLength: 1, maxLength: 5 }),
    destination: fc.constantFrom(380, 764, 840, 20),
    amountCents: fc.integer({ min: 1, max: 900_000 }),
    reservedAgo: fc.integer({ min: 0, max: 12 }),
  })
  .map(({ inDays, days, ages, destination, amountCents, reservedAgo }): TripDraft => {
    const startDate = addDays(today, inDays)
    return {
      startDate,
      endDate: addDays(startDate, days - 1),
      origin: 724,
      destinations: [destination],
      travellers: ages.length,
      birthDates: ages.map(age => (age === null ? null : bornFor(age, startDate))),
      amountCents,
      reservationDate: addDays(today, -reservedAgo),
    }
  })

describe('until it ends', () => {
  const zones = fc.constantFrom('Europe/Madrid', 'UTC', 'America/Los_Angeles', 'Pacific/Kiritimati', 'Africa/Cairo')
  const moments = fc.integer({ min: 0, max: 86_399_999 }).map(ms => new Date(Date.parse(`${today}T00:00:00Z`) + ms))

  it('a trip’s price is constant and ends within its hours', () => {
    let ended = 0
    fc.assert(
      fc.property(fc.constantFrom(...codes), trips, zones, moments, fc.integer({ min: 24, max: 720 }), (code, trip, zone, now, hours) => {
        const priceOn = rating(code, trip)
        const dayAt = (time: number) => new Date(time).toLocaleDateString('sv-SE', { timeZone: zone })
        const price = priceOn(dayAt(now.getTime()))
        if (!price) return
        const until = priceStandsUntil(priceOn, now, hours, zone).getTime()
        const whole = now.getTime() + hours * 3_600_000
        expect(until).toBeLessThanOrEqual(whole)
        const days = daysBetween(dayAt(now.getTime()), dayAt(until))
        for (let day = 0; day <= days; day++) expect(priceOn(addDays(dayAt(now.getTime()), day))).toEqual(price)
        if (until === whole) return
        ended += 1
        // A moment later the price is another, or none.
        expect(priceOn(dayAt(until + 1))).not.toEqual(price)
      }),
      { numRuns: 500 },
    )
    expect(ended).toBeGreaterThan(50)
  })

  it.each<[string, string, number, string]>([
    ['2026-11-20T10:00:00Z', 'Europe/Madrid', 72, '2026-11-20T22:59:59.999Z'],
    ['2026-11-19T08:00:00Z', 'Europe/Madrid', 24, '2026-11-20T08:00:00.000Z'],
    ['2026-11-20T09:00:00Z', 'Pacific/Kiritimati', 24, '2026-11-20T09:59:59.999Z'],
  ])('a price of %s in %s that changes on the 21st, kept %i hours, ends %s', (now, zone, hours, until) => {
    const price = rating('ESS', tripOf(380, 8, [30]))(today)
    const changing: PriceOn = day => (day < '2026-11-21' ? price : undefined)
    expect(priceStandsUntil(changing, new Date(now), hours, zone).toISOString()).toBe(until)
  })
})

describe('the hours of a price', () => {
  it.each<[number | undefined, number | undefined, number]>([
    [undefined, undefined, 24],
    [undefined, 720, 24],
    [72, undefined, 24],
    [72, 720, 72],
    [720, 168, 168],
  ])('with %s of the unit and %s of the tariff are %i', (ofUnit, limit, hours) =>
    expect(hoursOf(ofUnit, { quoteHours: limit })).toBe(hours),
  )
})
