import { existing } from '#common/kit/testing.ts'
import { premiumIn, totalIn } from '#common/quotes/price-lines.ts'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addDays, startOfDay, today } from '#common/kit/dates.ts'
import { type Code, codes } from '#common/quotes/rating/testing.ts'
import { type ChangePreview, previewChange } from './change.ts'
import { previewEnding, refundSteps } from './ending/cancel.ts'
import { mayHaveRight } from './ending/candidates.ts'
import { previewReinstatement } from './ending/reinstate.ts'
import type { Policy } from './state.ts'
import { after, now, person, sold } from './testing.ts'
import { changeFields } from './asked/asked.ts'

const soldAt = Date.parse('2026-11-20T10:00:00Z')
const hour = 3_600_000

/** Policies of every product in great variety: countries, ages, ways of paying, channels, rights. */
const policies = fc
  .record({
    code: fc.constantFrom<Code>(...codes, 'TOT', 'CAN', 'SNO', 'TOT', 'CAN', 'SNO'),
    unit: fc.constantFrom('azahar', 'rotta'),
    inDays: fc.integer({ min: 1, max: 120 }),
    days: fc.oneof(fc.integer({ min: 1, max: 31 }), fc.integer({ min: 30, max: 200 })),
    ages: fc.array(fc.integer({ min: 0, max: 74 }), { minLength: 1, maxLength: 12 }),
    origin: fc.constantFrom(724, 380, 250, 620, 826, 276),
    destination: fc.constantFrom(724, 20, 380, 764, 840, 392),
    amount: fc.integer({ min: 10_000, max: 1_500_000 }),
    channel: fc.constantFrom('counter' as const, 'distance' as const),
    askedToBegin: fc.boolean(),
    twin: fc.boolean(),
    gateway: fc.constantFrom('Deferred', 'StripeV2'),
  })
  .map(({ code, unit, inDays, days, ages, origin, destination, amount, gateway, ...rest }): Policy | undefined => {
    const startDate = addDays('2026-11-20', inDays)
    const endDate = code === 'ANN' ? addDays(startDate, 364) : addDays(startDate, days - 1)
    const people = ages.map((age, index) => person(`P${index}`, `${2026 - age}-01-${10 + index}`))
    const trip = { startDate, endDate, origin, destinations: [destination], amount: amount / 100, reservationDate: '2026-11-20' }
    try {
      return { ...sold({ product: code, soldAt: '2026-11-20T10:00:00Z', trip, people, unit, gateway }), ...rest }
    } catch {
      return undefined
    }
  })
  .filter(policy => policy !== undefined)

const wishes = {
  startIn: fc.integer({ min: 0, max: 200 }),
  longer: fc.integer({ min: -20, max: 60 }),
  origin: fc.constantFrom(724, 380, 250),
  destinations: fc.array(fc.constantFrom(724, 20, 380, 764, 840, 392, 643), { minLength: 1, maxLength: 2 }),
  amount: fc.integer({ min: 10_000, max: 1_500_000 }),
  leave: fc.nat({ max: 3 }),
  join: fc.array(fc.integer({ min: 1, max: 70 }), { maxLength: 3 }),
  born: fc.integer({ min: 1946, max: 2025 }),
  renamed: fc.constantFrom('Traveler P0', 'A stranger'),
}
/** Most changes have one fact, as those with many are nearly all refused. */
const changes = fc.oneof(
  { weight: 3, arbitrary: fc.record(wishes, { requiredKeys: [] }) },
  ...Object.entries(wishes).map(([name, wish]) => ({ weight: name === 'amount' ? 5 : 1, arbitrary: fc.record({ [name]: wish }) })),
)
type Wish = { [name in keyof typeof wishes]?: (typeof wishes)[name] extends fc.Arbitrary<infer T> ? T : never }

/** Converts a wish to the fields of the call. */
function asked({ trip, people }: Policy, wish: Wish) {
  const startDate = wish.startIn === undefined ? trip.startDate : addDays('2026-11-20', wish.startIn)
  const length = Math.max(0, Math.round((Date.parse(trip.endDate) - Date.parse(trip.startDate)) / 86_400_000) + (wish.longer ?? 0))
  const stay = people.slice(0, Math.max(1, people.length - (wish.leave ?? 0))).map(({ personUuid }, index) => ({
    personUuid,
    ...(index === 0 && wish.born ? { birthDate: `${wish.born}-06-15` } : {}),
    ...(index === 0 && wish.renamed ? { name: wish.renamed } : {}),
  }))
  const join = (wish.join ?? []).map((age, index) => ({ name: `New ${index}`, birthDate: `${2026 - age}-02-0${index + 1}` }))
  return {
    startDate,
    endDate: addDays(startDate, length),
    ...(wish.origin ? { countryOriginId: wish.origin } : {}),
    ...(wish.destinations ? { countriesDestinationId: wish.destinations.join(',') } : {}),
    ...(wish.amount ? { insurancedAmount: wish.amount / 100 } : {}),
    users: [...stay, ...join],
  }
}

const later = fc.oneof(...[3, 30 * 24, 40 * 24, 220 * 24].map(max => fc.nat({ max }))).map(hours => soldAt + hours * hour)
const change = (policy: Policy, wish: Wish, at: number) =>
  previewChange(policy, { version: policy.version, change: asked(policy, wish) }, now(at))
const end = (policy: Policy, at: number, as: 'cancellation' | 'withdrawal' = 'cancellation') =>
  previewEnding(policy, { as, version: policy.version, acceptNoRefund: true }, now(at))
const sum = (cents: readonly number[]): number => cents.reduce((total, each) => total + each, 0)

function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    Object.values(value).forEach(frozen)
  }
  return value
}

describe('every change', () => {
  test('a change charges or refunds, never both, and its lines add up', () => {
    const seen = { charge: 0, refund: 0, kept: 0, refused: 0 }
    fc.assert(
      fc.property(policies, changes, later, (policy, wish, at) => {
        const preview = change(policy, wish, at)
        if (!preview.after) {
          seen.refused += 1
          expect(preview.refusals.length).toBeGreaterThan(0)
          expect([preview.charge, preview.refund, preview.kept.amount]).toEqual([0, 0, 0])
          return
        }
        const { charge, refund, kept, difference, before, after: next, routes, waived } = preview
        if (charge > 0) seen.charge += 1
        if (refund > 0) seen.refund += 1
        if (kept.amount > 0) seen.kept += 1
        expect([charge, refund, kept.amount].filter(cents => cents > 0).length).toBeLessThanOrEqual(1)
        expect([charge, refund, kept.amount].filter(cents => !Number.isSafeInteger(cents) || cents < 0)).toEqual([])
        expect(difference.total).toBe(charge - refund - kept.amount)
        expect(difference.premium + sum(difference.taxes.map(({ amount }) => amount))).toBe(difference.total)
        expect(totalIn(next.charged)).toBe(totalIn(before) + charge - refund)
        expect(sum(next.segments.map(({ premium }) => premium))).toBe(premiumIn(next.charged))
        expect(sum(routes.map(({ amount }) => amount)) + waived).toBe(charge + refund)
        expect(next.charged.commission).toBe(before.commission + preview.commission.amount)
        expect(preview.validUntil).toBeGreaterThan(at)
      }),
      // Only about one change in a hundred keeps an amount.
      { numRuns: 3000 },
    )
    expect(Math.min(...Object.values(seen)), JSON.stringify(seen)).toBeGreaterThan(5)
  })

  test('a change and its reverse refund no more than ending would', () => {
    let played = 0
    fc.assert(
      fc.property(policies, changes, later, (policy, wish, at) => {
        const there = change(policy, wish, at)
        if (!there.after) return
        const changed = after(policy, there)
        const { trip, people } = policy
        const users = people.map(({ personUuid, ...user }) =>
          changed.people.some(each => each.personUuid === personUuid) ? { personUuid, ...user } : user,
        )
        const reverse = {
          startDate: trip.startDate,
          endDate: trip.endDate,
          countryOriginId: trip.origin,
          countriesDestinationId: trip.destinations.join(','),
          ...(trip.amountCents === undefined ? {} : { insurancedAmount: trip.amountCents / 100 }),
          users,
        }
        const back = previewChange(changed, { version: changed.version, change: reverse }, now(at))
        if (!back.after) return
        played += 1
        const gain = there.refund + back.refund - there.charge - back.charge
        expect(gain).toBeLessThanOrEqual(end(policy, at).refund)
        // Kept money counts as paid, so changing back costs nothing more.
        if (there.kept.amount > 0) expect(back.charge).toBe(0)
        expect(totalIn(back.after.charged)).toBe(totalIn(policy.charged) + (there.charge > 0 && back.refund === 0 ? there.charge : 0))
      }),
      { numRuns: 1000 },
    )
    expect(played).toBeGreaterThan(100)
  })

  test('a change depends on nothing but its input, which stays unchanged', () =>
    fc.assert(
      fc.property(policies, changes, later, (policy, wish, at) => {
        const first = change(frozen(structuredClone(policy)), wish, at)
        expect(change(policy, wish, at)).toEqual(first)
        expect(end(frozen(structuredClone(policy)), at)).toEqual(end(policy, at))
      }),
      { numRuns: 300 },
    ))

  test('a nonsensical change is refused without an exception', () => {
    const policy = sold({
      product: 'TOT',
      soldAt: '2026-11-20T10:00:00Z',
      trip: {
        startDate: '2026-12-20',
        endDate: '2026-12-28',
        origin: 724,
        destinations: [380],
        amount: 1000,
        reservationDate: '2026-11-20',
      },
      people: [person('A', '1990-01-15'), person('B', '1991-01-15')],
    })
    const user = fc.oneof(
      fc.anything(),
      fc.record({ personUuid: fc.oneof(fc.constantFrom('A', 'B', 'C'), fc.anything()), birthDate: fc.anything(), name: fc.anything() }),
    )
    const value = fc.oneof(
      fc.anything(),
      fc.array(user),
      fc.array(fc.integer()),
      fc.constantFrom('9999-12-31', '0001-01-01', '2026-12-24', 0, -1, 1e300),
    )
    const nonsense = fc.oneof(fc.anything(), fc.dictionary(fc.constantFrom(...changeFields), value))
    fc.assert(
      fc.property(nonsense, fc.oneof(later, fc.double()), (sent, at) => {
        // Safe: the function accepts anything.
        const preview: ChangePreview = previewChange(policy, { version: 1, change: sent as object }, now(at))
        expect(preview.possible).toBe(preview.refusals.length === 0)
        end(policy, at)
      }),
      { numRuns: 2000 },
    )
  })
})

describe('every chain of movements', () => {
  const movements = fc.array(
    fc.record({ wish: changes, hours: fc.integer({ min: 0, max: 500 }), ends: fc.constantFrom('no', 'no', 'cancellation', 'withdrawal') }),
    {
      minLength: 1,
      maxLength: 6,
    },
  )

  test('a chain of movements keeps the paid amount equal to the charged one', () => {
    let ended = 0
    fc.assert(
      fc.property(policies, movements, (bought, chain) => {
        let policy = bought
        let [paid, at] = [totalIn(bought.charged), soldAt]
        for (const { wish, hours, ends } of chain) {
          at += hours * hour
          const preview =
            policy.status === 'cancelled'
              ? previewReinstatement(policy, { version: policy.version }, now(at))
              : ends === 'no'
                ? change(policy, wish, at)
                : end(policy, at, ends === 'withdrawal' ? 'withdrawal' : 'cancellation')
          if (!preview.after) continue
          paid += preview.charge - preview.refund
          const former = policy
          policy = after(policy, preview)
          if ('kind' in preview) {
            ended += 1
            policy = { ...policy, ended: { kind: preview.kind, at, former, refund: preview.refund, unsent: 0 } }
          }
          expect(totalIn(policy.charged)).toBe(paid)
          expect(paid).toBeGreaterThanOrEqual(0)
          expect(sum(policy.segments.map(({ premium }) => premium))).toBe(premiumIn(policy.charged))
        }
      }),
      { numRuns: 1000 },
    )
    expect(ended).toBeGreaterThan(200)
  })
})

describe('every ending', () => {
  test('an ending by a right requires a policy whose sale may give that right', () => {
    const seen = { runs: 0, never: 0 }
    fc.assert(
      fc.property(policies, later, (policy, at) => {
        const may = mayHaveRight(policy)
        if (end(policy, at, 'withdrawal').right) seen.runs += 1
        if (may) return
        seen.never += 1
        expect(end(policy, at, 'withdrawal').right).toBeNull()
      }),
      { numRuns: 1000 },
    )
    expect(seen.runs).toBeGreaterThan(50)
    expect(seen.never).toBeGreaterThan(50)
  })

  test('an ending takes the best way, and tells when it gets worse', () => {
    let worse = 0
    fc.assert(
      fc.property(policies, later, (policy, at) => {
        const preview = end(policy, at)
        const refunds = preview.options.map(({ refund }) => refund)
        if (!preview.possible) return
        expect(preview.refund).toBe(Math.max(0, ...refunds))
        expect(refunds).toEqual(refunds.toSorted((a, b) => b - a))
        expect(totalIn(preview.before) - preview.refund).toBe(totalIn(existing(preview.after ?? undefined).charged))
        expect(preview.options.filter(({ until }) => until <= at)).toEqual([])
        if (!preview.nextLower) return
        worse += 1
        const then = end(policy, preview.nextLower.at)
        expect(then.refund).toBe(preview.nextLower.refund)
        expect(then.refund).toBeLessThan(preview.refund)
        expect(end(policy, preview.nextLower.at - 1).refund).toBe(preview.refund)
      }),
      { numRuns: 1000 },
    )
    expect(worse).toBeGreaterThan(300)
  })

  test('an ending refunds no more later than earlier', () =>
    fc.assert(
      fc.property(policies, later, fc.integer({ min: 0, max: 90 * 24 }), (policy, at, hours) => {
        expect(end(policy, at + hours * hour).refund).toBeLessThanOrEqual(end(policy, at).refund)
      }),
      { numRuns: 1000 },
    ))
})

test.each(['Europe/Madrid', 'Asia/Beirut', 'America/Santiago', 'Pacific/Apia'])(
  'a trip begins with its day in %s, also when clocks change',
  timeZone => {
    // Each zone changes its clocks near one of these days; in Beirut and Santiago such a day begins at one.
    for (const startDate of ['2027-03-28', '2027-04-04', '2027-09-05', '2027-10-31']) {
      const bought = sold({
        product: 'ESS',
        soldAt: '2026-11-20T10:00:00Z',
        trip: { startDate, endDate: addDays(startDate, 7), origin: 724, destinations: [380] },
        people: [person('A', '1990-01-15')],
      })
      const policy = { ...bought, timeZone }
      const start = startOfDay(startDate, timeZone)
      expect(today(start, timeZone)).toBe(startDate)
      expect(end(policy, start - 1)).toMatchObject({ possible: true, refund: totalIn(policy.charged), nextLower: { at: start, refund: 0 } })
      expect(end(policy, start).refusals).toMatchObject([{ code: 'cancel.started' }])
    }
  },
)

test('the steps of a refund give the refund of every day', () => {
  fc.assert(
    fc.property(policies, fc.integer({ min: 2, max: 60 }), (policy, hours) => {
      const first = soldAt + hours * hour
      const steps = refundSteps(policy, now(first))
      const last = steps.at(-1)
      for (let at = first; today(at, policy.timeZone) <= addDays(policy.trip.endDate, 1); at += 24 * hour) {
        const { refund } = previewEnding(policy, { as: 'cancellation', version: 1 }, now(at))
        const step = steps.findLast(({ from }) => from <= at)
        if (step?.falls) expect(refund > 0 && refund <= step.refund).toBe(true)
        else expect(refund).toBe(step?.refund ?? 0)
      }
      if (last) expect(last.refund).toBe(0)
    }),
    { numRuns: 60 },
  )
})
