import { existing } from '#common/kit/testing.ts'
import { withSums } from '#common/quotes/price-lines.ts'
import { describe, expect, test } from 'vitest'
import type { Right } from '#common/products/tariff.ts'
import { previewChange } from './change.ts'
import { previewEnding } from './ending/cancel.ts'
import { previewReinstatement, reinstatementUntil } from './ending/reinstate.ts'
import { routesOfCharge } from './money.ts'
import type { Policy } from './state.ts'
import { after, now, person, type Sale, sold, terms } from './testing.ts'
import { previewUndo } from './undo.ts'

/** Worked by hand from docs/decisions/0045-change-rules.md and docs/rating.md. */

const couple = [person('A', '1981-01-15'), person('B', '1983-01-15')]
const japan: Sale = {
  product: 'TOT',
  soldAt: '2026-11-20T10:00:00Z',
  trip: { startDate: '2027-03-20', endDate: '2027-04-03', origin: 724, destinations: [392], amount: 6400, reservationDate: '2026-11-20' },
  people: couple,
}
const italy: Sale = {
  product: 'ESS',
  soldAt: '2026-11-20T10:00:00Z',
  trip: { startDate: '2026-12-01', endDate: '2026-12-08', origin: 724, destinations: [380] },
  people: [person('A', '1992-01-15'), person('B', '1990-01-15')],
}
const annual: Sale = {
  product: 'ANN',
  soldAt: '2026-11-20T10:00:00Z',
  trip: { startDate: '2026-12-01', endDate: '2027-11-30', origin: 724, destinations: [764] },
  people: [person('A', '1986-01-15'), person('B', '1988-01-15')],
}
const study: Sale = {
  product: 'STU',
  soldAt: '2026-11-20T10:00:00Z',
  trip: { startDate: '2026-12-01', endDate: '2027-04-29', origin: 724, destinations: [276] },
  people: [person('A', '2005-01-15')],
}

const change = (policy: Policy, at: string, asked: Record<string, unknown>, more = {}) =>
  previewChange(policy, { version: policy.version, change: asked }, now(at, more))
const cancel = (policy: Policy, at: string, more = {}) =>
  previewEnding(policy, { as: 'cancellation', version: policy.version, ...more }, now(at))
const withdraw = (policy: Policy, at: string) => previewEnding(policy, { as: 'withdrawal', version: policy.version }, now(at))
const codes = ({ refusals }: { refusals: { code: string; path: string }[] }) =>
  refusals.map(({ code, path }) => (path ? `${code} ${path}` : code))
const newcomer = (birthDate: string) => ({ name: 'Child', birthDate })

describe('a change', () => {
  test('a change and its reverse refund exactly its cost, to the payment that brought it', () => {
    const longer = after(sold(italy), change(sold(italy), '2026-11-25T10:00:00Z', { endDate: '2026-12-12' }))
    const back = change(longer, '2026-11-26T10:00:00Z', { endDate: '2026-12-08' })
    expect(back).toMatchObject({
      possible: true,
      refund: 1708,
      basis: 'before_departure',
      routes: [{ paymentUuid: '2', gateway: 'Deferred', amount: 1708 }],
    })
    expect(after(longer, back).charged).toEqual(sold(italy).charged)
  })

  test('a person who stays home raises the other’s cancellation cover later (rule 10)', () => {
    // 94.00 for the trip, and 6400.00 × 4.20 % × 1.20 × 1.10 = 354.82 for its cancellation.
    const alone = change(sold(japan), '2027-01-10T10:00:00Z', { users: [{ personUuid: 'A' }] })
    expect(alone).toMatchObject({ possible: true, difference: { total: -7607 }, kept: { amount: 7607 }, charge: 0, refund: 0, routes: [] })
    expect(alone.waitUntil).toBe(Date.parse('2027-01-13T10:00:00Z'))
    expect(alone.after?.charged).toEqual(sold(japan).charged)
    expect(alone.after?.tariffPremium).toBe(44882)
  })

  test('cancellation cover is added at once if reserved this week, else later (rule 10)', () => {
    const more = (at: string, reservationDate: string) => change(sold(japan), at, { insurancedAmount: 8000, reservationDate })
    expect(more('2027-03-19T10:00:00Z', '2027-03-12')).toMatchObject({ possible: true, waitUntil: null })
    expect(codes(more('2027-03-19T10:00:00Z', '2027-03-11'))).toEqual(['quote.cancellation_window reservationDate'])
    expect(more('2027-03-10T10:00:00Z', '2027-03-02').waitUntil).toBe(Date.parse('2027-03-13T10:00:00Z'))
    expect(codes(more('2027-03-11T10:00:00Z', '2027-03-02'))).toEqual(['quote.cancellation_window reservationDate'])
    expect(codes(more('2027-03-11T10:00:00Z', '2027-03-12'))).toEqual(['validation.failed reservationDate'])
  })

  test('cancellation cover is added for new people, though each share falls (rule 10)', () => {
    const users = [{ personUuid: 'A' }, { personUuid: 'B' }, newcomer('1985-01-15')]
    expect(codes(change(sold(japan), '2027-03-15T10:00:00Z', { users }))).toEqual(['quote.cancellation_window reservationDate'])
    expect(change(sold(japan), '2027-03-15T10:00:00Z', { users, reservationDate: '2027-03-15' }).waitUntil).toBe(null)
  })

  test('one corrected fact keeps the person, and two name another person (rule 9)', () => {
    const as = (user: object) => change(sold(italy), '2026-11-25T10:00:00Z', { users: [{ personUuid: 'A' }, { personUuid: 'B', ...user }] })
    const whatOf = (user: object) => as(user).people.map(({ personUuid, what }) => `${personUuid} ${what}`)
    expect(whatOf({ name: 'TRÁVELLER-b' })).toEqual(['A same', 'B mended'])
    expect(whatOf({ name: 'Other' })).toEqual(['A same', 'B mended'])
    expect(whatOf({ name: 'Other', email: 'b@agency.example' })).toEqual(['A same', 'B mended'])
    expect(whatOf({ name: 'Other', docNumber: 'X7' })).toEqual(['A same', 'null joins', 'B leaves'])
    expect(whatOf({ email: 'b@agency.example' })).toEqual(['A same', 'B same'])
    expect(codes(as({ name: 'TRAVELLER B' }))).toEqual([])
    expect(codes(as({}))).toEqual(['change.nothing'])
    expect(codes(as({ birthDate: null }))).toEqual(['validation.failed users[1].birthDate'])
    expect(codes(as({ personUuid: 'A' }))).toEqual(['validation.failed users[1].personUuid'])
    const onTrip = change(sold(italy), '2026-12-03T10:00:00Z', {
      users: [{ personUuid: 'A' }, { personUuid: 'B', name: 'Other', docNumber: 'X7' }],
    })
    expect(codes(onTrip)).toEqual(['change.started users'])
  })

  test('a change to a policyholder who stays at home costs nothing', () => {
    const [parent, ...children] = [person('H', '1960-01-15'), ...italy.people]
    const policy: Policy = { ...sold(italy), holder: 'stays', people: [parent ?? person('H', ''), ...children] }
    const users = policy.people.map(({ personUuid }) => ({ personUuid }))
    const mended = change({ ...policy, claimed: true }, '2026-12-03T10:00:00Z', {
      users: [{ personUuid: 'H', birthDate: '1920-01-15' }, ...users.slice(1)],
    })
    expect(mended).toMatchObject({
      possible: true,
      difference: { total: 0 },
      people: [{ what: 'mended', premium: 0 }, { premium: 1560 }, {}],
    })
    expect(change(policy, '2026-11-25T10:00:00Z', { users: users.slice(0, 2) })).toMatchObject({ refund: 1688 })
    const other = { users: [{ name: 'Other' }, ...users.slice(1)] }
    expect(change(policy, '2026-11-25T10:00:00Z', other)).toMatchObject({ possible: true, difference: { total: 0 } })
    expect(codes(change(policy, '2026-12-03T10:00:00Z', other))).toEqual(['change.started users'])
    const swapped = { users: [users[1], users[0], users[2]].map(each => ({ ...each })) }
    expect(codes(change(policy, '2026-11-25T10:00:00Z', swapped))).toEqual([
      'validation.failed users[0].personUuid',
      'validation.failed users[1].personUuid',
    ])
  })

  test('a change on the trip makes a stay longer, not shorter', () => {
    expect(change(sold(study), '2027-01-29T10:00:00Z', { endDate: '2027-05-29' }).possible).toBe(true)
    expect(codes(change(sold(study), '2027-01-29T10:00:00Z', { endDate: '2027-03-29' }))).toEqual(['change.started endDate'])
    expect(codes(change(sold(italy), '2026-12-03T10:00:00Z', { endDate: '2026-12-12' }))).toEqual(['change.started endDate'])
  })

  test('a change of the reservation is one of the cover, also after a claim', () => {
    const reserved = { reservationDate: '2026-11-21' }
    expect(codes(change(sold(japan), '2027-03-21T10:00:00Z', reserved))).toEqual(['change.started reservationDate'])
    expect(codes(change({ ...sold(japan), claimed: true }, '2026-12-01T10:00:00Z', reserved))).toEqual(['change.claimed reservationDate'])
  })

  test('language, reference and contact can change after the end, also with a claim', () => {
    const claimed = { ...sold(italy), claimed: true }
    const users = [{ personUuid: 'A', email: 'a@agency.example' }, { personUuid: 'B' }]
    for (const asked of [{ locale: 'fr-FR' }, { buReference: 'R-2' }, { users }])
      expect(codes(change(claimed, '2027-01-15T10:00:00Z', asked))).toEqual([])
  })

  test('a change to a lower share per head needs no recent reservation', () => {
    expect(change(sold(japan), '2027-03-15T10:00:00Z', { insurancedAmount: 6000 })).toMatchObject({ possible: true, waitUntil: null })
  })

  test('a lower price is refunded by a statutory right (rules 4, 6)', () => {
    const french = sold({ ...japan, trip: { ...japan.trip, origin: 250 } })
    expect(change(french, '2026-12-10T10:00:00Z', { insurancedAmount: 4000 })).toMatchObject({ refund: 14830, basis: 'FR30' })
    expect(change(french, '2026-12-21T10:00:00Z', { insurancedAmount: 4000 })).toMatchObject({ refund: 0, kept: { amount: 14830 } })
  })

  test('a lower price keeps the difference if ending refunds only a part (rule 4)', () => {
    const sale = { ...japan, soldAt: '2026-11-21T10:00:00Z', trip: { ...japan.trip, reservationDate: '2026-11-21' } }
    const policy: Policy = { ...sold(sale), channel: 'distance', askedToBegin: true }
    const asked = { insurancedAmount: 4000 }
    expect(cancel(policy, '2026-12-07T10:00:00Z')).toMatchObject({ basis: 'EU14', refund: 49024 })
    expect(change(policy, '2026-12-07T10:00:00Z', asked)).toMatchObject({ refund: 0, kept: { amount: 14830, reason: 'free_look_over' } })
    expect(change(policy, '2026-12-05T10:00:00Z', asked)).toMatchObject({ refund: 14830, basis: 'free_look' })
  })

  test('a change with a refund is valid as long as the right to it, else a day', () => {
    const until = (at: string, insurancedAmount: number) =>
      change(sold(japan), at, { insurancedAmount, reservationDate: '2026-12-01' }).validUntil
    expect(until('2026-12-04T20:00:00Z', 4000)).toBe(Date.parse('2026-12-04T23:00:00Z'))
    expect(until('2026-12-04T20:00:00Z', 7000)).toBe(Date.parse('2026-12-05T20:00:00Z'))
    expect(until('2026-12-02T20:00:00Z', 4000)).toBe(Date.parse('2026-12-03T20:00:00Z'))
  })

  test('a change is valid until the start, the list’s end or the last day at most', () => {
    const until = (policy: Policy, at: string, asked: Record<string, unknown>) =>
      new Date(change(policy, at, asked).validUntil).toISOString()
    expect(until(sold(italy), '2026-11-25T10:00:00Z', { startDate: '2026-11-26' })).toBe('2026-11-25T23:00:00.000Z')
    const pupils = Array.from({ length: 12 }, (_, nth) => person(`P${nth}`, '2010-01-15'))
    const users = pupils.slice(1).map(({ personUuid }) => ({ personUuid }))
    const group = sold({ ...italy, product: 'GRP', people: pupils })
    expect(until(group, '2026-11-29T10:00:00Z', { users })).toBe('2026-11-29T23:00:00.000Z')
    expect(until(sold(study), '2027-04-29T10:00:00Z', { endDate: '2027-05-29' })).toBe('2027-04-29T22:00:00.000Z')
    const today = sold({ ...italy, trip: { ...italy.trip, startDate: '2026-11-20', endDate: '2026-11-27' } })
    expect(until(today, '2026-11-20T10:30:00Z', { endDate: '2026-12-01' })).toBe('2026-11-20T11:00:00.000Z')
  })

  test('a change in the first hour is as if the trip had not begun (rule 6)', () => {
    const today = sold({ ...italy, trip: { ...italy.trip, startDate: '2026-11-20', endDate: '2026-11-27' } })
    expect(change(today, '2026-11-20T10:59:59.999Z', { endDate: '2026-11-24' })).toMatchObject({ refund: 822, basis: 'undo' })
    expect(codes(change(today, '2026-11-20T11:00:00.000Z', { endDate: '2026-11-24' }))).toEqual(['change.started endDate'])
  })

  test('a sum below a card’s minimum goes on account, or is waived without one (rule 12)', () => {
    const byCard = sold({ ...italy, gateway: 'StripeV2' })
    // One traveller more at home costs more than that, so the minimum is raised.
    const dear = {
      ...byCard,
      edition: { ...byCard.edition, afterSale: { ...terms, constants: { ...terms.constants, leastCardCents: 2000 } } },
    }
    const exact = {
      ...byCard,
      edition: { ...byCard.edition, afterSale: { ...terms, constants: { ...terms.constants, leastCardCents: 1708 } } },
    }
    const longer = { endDate: '2026-12-12' }
    expect(change(exact, '2026-11-25T10:00:00Z', longer).routes).toEqual([{ paymentUuid: null, gateway: 'StripeV2', amount: 1708 }])
    expect(change(byCard, '2026-11-25T10:00:00Z', longer).routes).toEqual([{ paymentUuid: null, gateway: 'StripeV2', amount: 1708 }])
    expect(change(dear, '2026-11-25T10:00:00Z', longer).routes).toEqual([{ paymentUuid: null, gateway: 'Deferred', amount: 1708 }])
    expect(change(dear, '2026-11-25T10:00:00Z', longer, { gateways: ['StripeV2'] })).toMatchObject({
      charge: 1708,
      waived: 1708,
      routes: [],
    })
    // The same applies to a card chosen for a policy sold on account.
    const onAccount = { ...dear, payments: sold(italy).payments }
    const { routes } = routesOfCharge(onAccount, 1708, now('2026-11-25T10:00:00Z'), 'StripeV2')
    expect(routes.map(({ gateway }) => gateway)).toEqual(['Deferred'])
    expect(routesOfCharge(onAccount, 2000, now('2026-11-25T10:00:00Z'), 'StripeV2').routes).toMatchObject([{ gateway: 'StripeV2' }])
  })

  test('a change reports the problems at each field, in the order of the rules', () => {
    const asked = { startDate: '2026-11-24', destinations: 3, countriesDestinationId: '643' }
    expect(codes(change(sold(italy), '2026-11-25T10:00:00Z', asked))).toEqual(['validation.failed destinations'])
    const { destinations: _, ...known } = asked
    const excluded = { excludedCountries: [643] }
    expect(codes(change(sold(italy), '2026-11-25T10:00:00Z', known, excluded))).toEqual([
      'coverage.destination countriesDestinationId',
      'validation.failed startDate',
    ])
  })

  test('a change of people is refused once the later start’s list of names is closed', () => {
    const pupils = Array.from({ length: 12 }, (_, nth) => person(`P${nth}`, '2010-01-15'))
    const group = sold({ ...italy, product: 'GRP', people: pupils })
    const users = pupils.slice(1).map(({ personUuid }) => ({ personUuid }))
    expect(codes(change(group, '2026-11-30T10:00:00Z', { users }))).toEqual(['change.names_closed users'])
    expect(change(group, '2026-11-30T10:00:00Z', { users, startDate: '2026-12-08', endDate: '2026-12-15' }).possible).toBe(true)
    const later = sold({
      ...italy,
      product: 'GRP',
      people: pupils,
      trip: { ...italy.trip, startDate: '2026-12-08', endDate: '2026-12-15' },
    })
    expect(change(later, '2026-11-30T10:00:00Z', { users, startDate: '2026-12-01', endDate: '2026-12-08' }).possible).toBe(true)
  })

  test('a change that would move the country of its taxes changes nothing', () => {
    const german = sold({ ...study, trip: { ...study.trip, origin: 380, endDate: '2027-03-29' } })
    expect(codes(change(german, '2026-11-25T10:00:00Z', { endDate: '2027-04-29' }))).toEqual(['change.tax_place endDate'])
  })
})

describe('a running term', () => {
  const born = sold(annual)
  const joined = after(
    born,
    change(born, '2027-06-01T10:00:00Z', { users: [{ personUuid: 'A' }, { personUuid: 'B' }, newcomer('2027-05-20')] }),
  )

  test('a running term takes a second child at the family price for its days', () => {
    const all = joined.people.map(({ personUuid }) => ({ personUuid }))
    const second = change(joined, '2027-09-01T10:00:00Z', { users: [...all, newcomer('2027-08-20')] })
    // 730 + 183 + 91 days at 9 cents a year are 25 cents; they were 23.
    expect(second).toMatchObject({ charge: 2, difference: { premium: 0, total: 2 }, commission: { amount: 0 } })
    expect(second.after?.segments.map(({ premium }) => premium)).toEqual([26100, 3560, 0])
  })

  test('a running term keeps its price when a name is corrected', () => {
    const [first, ...others] = joined.people.map(({ personUuid }) => ({ personUuid }))
    const mended = change(joined, '2027-09-01T10:00:00Z', { users: [{ ...first, name: 'Traveler A' }, ...others] })
    expect(mended).toMatchObject({ possible: true, difference: { total: 0 }, charge: 0, kept: { amount: 0 } })
    expect(mended.people.map(({ what }) => what)).toEqual(['mended', 'same', 'same'])
  })

  test('a running term refunds half the unused days of each part (rule 7)', () => {
    // 90 of 365 and 183 days are left: 32.18 + 8.75; IPS 23.73 − 20.45, CCS-LEA 0.44 − 0.38, CCS-RE stays.
    const ended = cancel(joined, '2027-09-01T10:00:00Z')
    expect(ended).toMatchObject({ refund: 4427, basis: 'unused_days', coverEnds: '2027-09-01', commission: { amount: -982 } })
    expect(withSums(existing(ended.after ?? undefined).charged)).toMatchObject({ premium: 25567, total: 27673, commission: 6136 })
    expect(ended.after?.segments.reduce((sum, { premium }) => sum + premium, 0)).toBe(25567)
  })

  test('a running term lets no person leave, and accepts no nearer destination', () => {
    expect(codes(change(joined, '2027-09-01T10:00:00Z', { users: [{ personUuid: 'A' }, { personUuid: 'B' }] }))).toEqual([
      'change.started users',
    ])
    expect(codes(change(joined, '2027-09-01T10:00:00Z', { countriesDestinationId: '380' }))).toEqual([
      'change.started countriesDestinationId',
    ])
  })
})

describe('cancelling', () => {
  test('cancelling tells when the refund gets worse', () => {
    expect(cancel(sold(italy), '2026-11-25T10:00:00Z').nextLower).toEqual({ at: Date.parse('2026-11-30T23:00:00Z'), refund: 0 })
    // 89 of 150 days: 73.90; IPS 9.96 − 4.05, CCS-LEA 0.19 − 0.08.
    expect(cancel(sold(study), '2027-01-29T10:00:00Z').nextLower).toEqual({ at: Date.parse('2027-01-29T23:00:00Z'), refund: 7992 })
  })

  test('cancelling ends cover today once the first day has come, also in the first hour', () => {
    const today = sold({ ...italy, trip: { ...italy.trip, startDate: '2026-11-20', endDate: '2026-11-27' } })
    expect(cancel(today, '2026-11-20T10:30:00Z')).toMatchObject({ basis: 'undo', refund: 3376, coverEnds: '2026-11-20' })
    expect(cancel(today, '2026-11-20T10:30:00Z').nextLower).toEqual({ at: Date.parse('2026-11-20T11:00:00Z'), refund: 0 })
    const night = { ...today, soldAt: Date.parse('2026-11-27T22:30:00Z') }
    expect(cancel(night, '2026-11-27T23:10:00Z')).toMatchObject({ basis: 'undo', coverEnds: '2026-11-27' })
  })

  test('cancelling without a refund must be accepted, and keeps the charge', () => {
    expect(codes(cancel(sold(japan), '2026-12-20T10:00:00Z'))).toEqual(['cancel.no_refund'])
    const accepted = cancel(sold(japan), '2026-12-20T10:00:00Z', { acceptNoRefund: true })
    expect(accepted).toMatchObject({ possible: true, refund: 0, basis: null, commission: { amount: 0 }, after: { status: 'cancelled' } })
    expect(accepted.after?.charged).toEqual(sold(japan).charged)
  })

  test('cancelling lists all ways, best first, and when each ends', () => {
    const twins = { ...sold(italy), twin: true }
    const start = Date.parse('2026-11-30T23:00:00Z')
    expect(cancel(twins, '2026-11-25T10:00:00Z').options).toEqual([
      { basis: 'before_departure', refund: 3376, until: start },
      { basis: 'duplicate', refund: 3376, until: start },
    ])
  })

  test('cancelling is not possible with a claim, and so never gets worse', () => {
    const claimed = cancel({ ...sold(italy), claimed: true }, '2026-11-25T10:00:00Z')
    expect(claimed).toMatchObject({ possible: false, basis: null, options: [], nextLower: null })
  })

  test('cancelling needs no consent if the policy cost nothing', () => {
    const free = { ...sold(italy), charged: { ...sold(italy).charged, travelPremium: 0, taxes: [], commission: 0 } }
    expect(cancel(free, '2026-11-25T10:00:00Z')).toMatchObject({ possible: true, refund: 0, basis: 'before_departure' })
  })
})

describe('withdrawing', () => {
  const byLink = (more: Partial<Sale['trip']> = {}, policy: Partial<Policy> = {}): Policy => ({
    ...sold({ ...study, trip: { ...study.trip, ...more } }),
    channel: 'distance',
    ...policy,
  })

  test('withdrawing needs a month, which ends with a short month’s last day', () => {
    const january = { startDate: '2027-01-31', endDate: '2027-02-27' }
    const sample = (endDate: string) => ({
      ...sold({ ...italy, trip: { ...italy.trip, ...january, endDate } }),
      channel: 'distance' as const,
    })
    expect(withdraw(sample('2027-02-27'), '2026-11-25T10:00:00Z').possible).toBe(true)
    expect(withdraw(sample('2027-02-26'), '2026-11-25T10:00:00Z').refusals).toMatchObject([
      { code: 'withdraw.none', params: { why: 'short' } },
    ])
  })

  test('withdrawing refunds everything before any cover, even if it was asked to begin', () => {
    const { basis, refund, options } = withdraw(byLink({}, { askedToBegin: true }), '2026-11-25T10:00:00Z')
    expect([basis, refund]).toEqual(['EU14', 13472])
    expect(options.map(each => each.refund)).toEqual([13472, 13472])
  })

  test('the period counts from the terms, up to twelve months and the days of the right', () => {
    const late = byLink({}, { termsGivenAt: Date.parse('2026-12-10T10:00:00Z') })
    expect(withdraw(late, '2026-12-24T22:59:59.999Z')).toMatchObject({ possible: true, right: { id: 'EU14', until: '2026-12-24' } })
    expect(withdraw(late, '2026-12-24T23:00:00.000Z').refusals).toMatchObject([{ params: { why: 'late' } }])
  })

  test('withdrawing ends a year and two weeks after the sale, however late the terms', () => {
    const late = byLink({ startDate: '2027-01-15', endDate: '2027-12-31' }, { termsGivenAt: Date.parse('2027-11-25T10:00:00Z') })
    expect(withdraw(late, '2027-11-30T10:00:00Z')).toMatchObject({ possible: true, right: { until: '2027-12-04' } })
  })

  test('withdrawing follows the residence, else the unit’s country', () => {
    const german: Right = { id: 'DE14', for: [276], channel: 'any', months: 0, days: 14, weekend: 'stays', begun: 'full' }
    const at = (origin: number, residenceCountryId?: number) => {
      const policy = sold({ ...italy, trip: { ...italy.trip, origin }, people: [{ ...person('A', '1990-01-15'), residenceCountryId }] })
      return withdraw(
        { ...policy, edition: { ...policy.edition, afterSale: { ...terms, rights: [german, ...terms.rights] } } },
        '2026-11-25T10:00:00Z',
      )
    }
    expect(at(724, 250)).toMatchObject({ possible: true, basis: 'FR30' })
    expect(at(250, 724).possible).toBe(false)
    expect(at(276).possible).toBe(false)
  })

  test('withdrawing is refused to a company, with the reason nearest to a right', () => {
    expect(withdraw(byLink({}, { holder: 'company' }), '2026-11-25T10:00:00Z').refusals).toMatchObject([{ params: { why: 'company' } }])
    expect(withdraw({ ...byLink(), holder: 'company', channel: 'counter' }, '2026-11-25T10:00:00Z').refusals).toMatchObject([
      { params: { why: 'counter' } },
    ])
  })

  test('withdrawing is open to a person who stays at home, too', () => {
    const stays = byLink({}, { holder: 'stays', people: [person('H', '1970-01-15'), ...study.people] })
    expect(withdraw(stays, '2026-11-25T10:00:00Z')).toMatchObject({ possible: true, basis: 'EU14' })
  })

  test('withdrawing ends with the trip, though days of the right remain', () => {
    const french = sold({ ...italy, trip: { ...italy.trip, origin: 250 } })
    expect(withdraw(french, '2026-12-08T22:59:59.999Z')).toMatchObject({ possible: true, basis: 'FR30' })
    expect(withdraw(french, '2026-12-08T23:00:00.000Z').refusals).toMatchObject([{ params: { why: 'performed' } }])
  })

  test('withdrawing counts from the sale if the terms came before it', () => {
    const early = byLink({}, { termsGivenAt: Date.parse('2026-11-10T10:00:00Z') })
    expect(withdraw(early, '2026-12-04T22:59:59.999Z').right).toEqual({ id: 'EU14', until: '2026-12-04' })
  })

  test('withdrawing that is refused for two reasons names the nearest one', () => {
    const portuguese = sold({ ...study, trip: { ...study.trip, origin: 620 } })
    expect(withdraw(portuguese, '2026-11-25T10:00:00Z').refusals).toMatchObject([{ code: 'withdraw.none', params: { why: 'counter' } }])
  })

  test('withdrawing ends on the next working day if its last day is a holiday', () => {
    const policy = byLink()
    const holidays = { ...policy, edition: { ...policy.edition, afterSale: { ...terms, holidays: { 724: ['2026-12-04'] } } } }
    expect(withdraw(holidays, '2026-12-07T10:00:00Z')).toMatchObject({ possible: true, right: { until: '2026-12-07' } })
  })
})

describe('reinstating', () => {
  const cancelledAt = (policy: Policy, at: string, unsent: number, waived = 0): Policy => {
    const preview = cancel(policy, at)
    const { people, ...next } = after(policy, preview)
    const { trip, charged, tariffPremium, segments } = policy
    return {
      ...next,
      people,
      status: 'cancelled',
      ended: {
        kind: 'cancellation',
        at: Date.parse(at),
        former: { trip, people, charged, tariffPremium, segments },
        refund: preview.refund,
        unsent,
        waived,
      },
    }
  }
  const reinstate = (policy: Policy, at: string) => previewReinstatement(policy, { version: policy.version }, now(at))

  test('reinstating stops the refund that has not left and charges the rest', () => {
    const policy = cancelledAt(sold(italy), '2026-11-22T10:00:00Z', 1000)
    expect(reinstate(policy, '2026-11-22T10:30:00Z')).toMatchObject({
      possible: true,
      stopped: 1000,
      charge: 2376,
      commission: { amount: 874 },
    })
  })

  test('reinstating charges no part that was waived before, and so was not refunded', () => {
    const gone = cancelledAt(sold(italy), '2026-11-22T10:00:00Z', 0, -30)
    expect(reinstate(gone, '2026-11-22T11:30:00Z')).toMatchObject({ charge: 3346, unpaid: 30, routes: [{ amount: 3346 }] })
    const unsent = cancelledAt(sold(italy), '2026-11-22T10:00:00Z', 3346, -30)
    expect(reinstate(unsent, '2026-11-22T10:30:00Z')).toMatchObject({ stopped: 3346, charge: 0, unpaid: 30, routes: [] })
  })

  test('reinstating is possible for 14 days, or for one day with cancellation cover', () => {
    const early = sold({ ...italy, trip: { ...italy.trip, startDate: '2027-02-01', endDate: '2027-02-08' } })
    const policy = cancelledAt(early, '2026-11-22T10:00:00Z', 0)
    expect(reinstate(policy, '2026-12-06T22:59:59.999Z').possible).toBe(true)
    expect(reinstatementUntil(policy)).toBe(Date.parse('2026-12-06T23:00:00.000Z'))
    expect(reinstatementUntil(cancelledAt(sold(italy), '2026-11-22T10:00:00Z', 0))).toBe(Date.parse('2026-11-30T23:00:00.000Z'))
    expect(codes(reinstate(policy, '2026-12-06T23:00:00.000Z'))).toEqual(['reinstate.late'])
    expect(codes(reinstate({ ...policy, pending: true }, '2026-11-22T10:30:00Z'))).toEqual(['change.pending'])
    const insured = cancelledAt(sold(japan), '2026-11-22T10:00:00Z', 0)
    expect(reinstate(insured, '2026-11-23T10:00:00.000Z').possible).toBe(true)
    expect(reinstatementUntil(insured)).toBe(Date.parse('2026-11-23T10:00:00.000Z'))
    expect(codes(reinstate(insured, '2026-11-23T10:00:00.001Z'))).toEqual(['reinstate.late'])
  })
})

describe('undoing a change', () => {
  const undo = (policy: Policy, former: Policy, at: string, more: { unsent?: number; waived?: number; locale?: string } = {}) =>
    previewUndo(
      policy,
      { version: policy.version, made: { at: Date.parse('2026-12-10T10:00:00Z'), former, unsent: 0, waived: 0, ...more } },
      now(at),
    )
  const dearer = after(sold(japan), change(sold(japan), '2026-12-10T10:00:00Z', { insurancedAmount: 7000, reservationDate: '2026-12-10' }))

  test('undoing refunds its charge for an hour, even where ending would refund nothing', () => {
    const back = undo(dearer, sold(japan), '2026-12-10T10:59:59.999Z')
    expect(back).toMatchObject({
      possible: true,
      refund: 3358,
      charge: 0,
      routes: [{ paymentUuid: '2', amount: 3358 }],
      commission: { amount: -931 },
    })
    expect(back.after?.charged).toEqual(sold(japan).charged)
    expect(undo(dearer, sold(japan), '2026-12-10T10:10:00Z', { waived: 58 })).toMatchObject({
      refund: 3300,
      waived: -58,
      routes: [{ amount: 3300 }],
    })
    expect(codes(undo(dearer, sold(japan), '2026-12-10T11:00:00.000Z'))).toEqual(['change.expired'])
    expect(codes(undo({ ...dearer, claimed: true }, sold(japan), '2026-12-10T10:10:00Z'))).toEqual(['change.claimed'])
  })

  test('undoing is refused once another change was made, or is open', () => {
    const made = { at: Date.parse('2026-12-10T10:00:00Z'), former: sold(japan), unsent: 0, waived: 0 }
    const taken = (policy: Policy, version: number) => codes(previewUndo(policy, { version, made }, now('2026-12-10T10:10:00Z')))
    expect(taken(dearer, dearer.version - 1)).toEqual(['change.stale'])
    expect(taken({ ...dearer, pending: true }, dearer.version)).toEqual(['change.pending'])
    expect(taken({ ...dearer, pending: true }, dearer.version - 1)).toEqual(['change.stale'])
    expect(taken({ ...dearer, status: 'cancelled' }, dearer.version - 1)).toEqual(['change.cancelled'])
  })

  test('undoing makes a certificate again if the change translated it', () => {
    const translated = { ...sold(japan), locale: 'fr-FR' }
    expect(undo(translated, sold(japan), '2026-12-10T10:10:00Z', { locale: 'es-ES' }).papers).toEqual(['certificate'])
    expect(undo(translated, sold(japan), '2026-12-10T10:10:00Z', { locale: 'fr-FR' }).papers).toEqual([])
  })

  test('undoing charges no part of a cheaper change that was waived', () => {
    expect(undo(sold(japan), dearer, '2026-12-10T10:10:00Z', { unsent: 3300, waived: -58 })).toMatchObject({
      stopped: 3300,
      charge: 0,
      unpaid: 58,
    })
  })

  test('undoing stops the refund that has not left, and charges the rest', () => {
    expect(undo(sold(japan), dearer, '2026-12-10T10:10:00Z', { unsent: 3000 })).toMatchObject({
      refund: 0,
      stopped: 3000,
      charge: 358,
      waived: 0,
    })
  })
})
