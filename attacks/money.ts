import assert from 'node:assert/strict'
import { addDays, today } from '#common/kit/dates.ts'
import { ana, leo, productOf, purchase, quoteBody, register, sell } from '#testing/agent.ts'
import type { Case, Scenario } from './scenario.ts'

const quote = ({ a }: Scenario, changes: Record<string, unknown>) => a.ask('/api/quotes', { body: quoteBody(a, changes) })
const cents = (amount: number): number => Math.round(amount * 100)

const invented = {
  price: 1,
  total: 0.01,
  premium: 0,
  commission: 99,
  productBuCommission: 99,
  status: 'purchased',
  createdAt: '2020-01-01',
  policyNumber: '1-A',
  paid: true,
}
const counts = [0, -1, 1.5, 1e9, '1', '1 ', [1], {}, null, 2 ** 53, true, '']
const costs = [-1, 0.001, '1e3', 20_000, 1e15, null, [100]]

/** Group C of the attack cases: prices and the order of steps. */
export const money: Case[] = [
  {
    id: 'C35',
    title: 'fields that only the server sets',
    quick: true,
    async run({ a, b }) {
      for (const [name, value] of Object.entries({ ...invented, businessUnitUuid: b.unitId })) {
        const reply = await register(a, { [name]: value })
        assert.equal(reply.status, 422, name)
      }
      assert.equal((await register(a, { users: [{ ...ana, premium: 0 }, leo] })).status, 422)
    },
  },
  {
    id: 'C37',
    title: 'wrong numbers of travellers',
    quick: true,
    async run(scenario) {
      for (const paxNumber of counts) {
        assert.equal((await quote(scenario, { paxNumber, birthDates: undefined })).status, 422, JSON.stringify(paxNumber))
        assert.equal((await register(scenario.a, { paxNumber })).status, 422, JSON.stringify(paxNumber))
      }
      const raw = JSON.stringify(quoteBody(scenario.a, {})).replace('"paxNumber":2', '"paxNumber":NaN')
      assert.equal((await scenario.a.ask('/api/quotes', { payload: raw })).status, 400)
    },
  },
  {
    id: 'C38',
    title: 'an impossible trip price',
    quick: true,
    async run(scenario) {
      const productUUID = productOf(scenario.a, 'CAN').uuid
      const reservationDate = today(new Date(), 'Europe/Madrid')
      for (const insurancedAmount of costs)
        assert.equal(
          (await quote(scenario, { productUUID, insurancedAmount, reservationDate })).status,
          422,
          JSON.stringify(insurancedAmount),
        )
      const raw = JSON.stringify(quoteBody(scenario.a, { productUUID, insurancedAmount: 7, reservationDate })).replace(
        '"insurancedAmount":7',
        '"insurancedAmount":1e400',
      )
      assert.ok([400, 422].includes((await scenario.a.ask('/api/quotes', { payload: raw })).status))
    },
  },
  {
    id: 'C40',
    title: 'dates that are invalid or out of bounds',
    quick: true,
    async run(scenario) {
      const day = today(new Date(), 'Europe/Madrid')
      const starts = [
        '2027-02-29',
        '2027-04-31',
        '00/00/0000',
        '0000-00-00',
        '9999-12-31',
        '31/12/2026',
        '12/31/2026',
        `${day}T00:00Z`,
        addDays(day, -1),
        '',
        null,
        20261120,
      ]
      for (const startDate of starts)
        assert.equal((await quote(scenario, { startDate, endDate: addDays(day, 20) })).status, 422, JSON.stringify(startDate))
      for (const endDate of [addDays(day, 10), addDays(day, 400), '2027-02-30']) {
        assert.equal((await quote(scenario, { startDate: addDays(day, 11), endDate })).status, 422, endDate)
        assert.equal((await register(scenario.a, { startDate: addDays(day, 11), endDate })).status, 422, endDate)
      }
    },
  },
  {
    id: 'C41',
    title: 'the price of a short trip for a long one',
    quick: true,
    async run(scenario) {
      const day = addDays(today(new Date(), 'Europe/Madrid'), 11)
      const short = (await quote(scenario, { startDate: day, endDate: day })).body.data
      const long = (await quote(scenario, { startDate: day, endDate: addDays(day, 59) })).body.data
      assert.ok(long.total > short.total)
      const longTrip = { startDate: day, endDate: addDays(day, 59) }
      const cheap = await register(scenario.a, { ...longTrip, expectedTotal: short.total })
      assert.equal(cheap.body.error, 'quote.price_changed')
      assert.equal((await register(scenario.a, longTrip)).body.data.total, long.total)
    },
  },
  {
    id: 'C43',
    title: 'countries that a product does not cover',
    quick: true,
    async run(scenario) {
      const home = productOf(scenario.a, 'HOM').uuid
      assert.equal((await quote(scenario, { productUUID: home })).body.error, 'coverage.destination')
      assert.equal(
        (await quote(scenario, { productUUID: home, countryOriginId: 380, countriesDestinationId: '724' })).body.error,
        'coverage.origin',
      )
      assert.equal((await register(scenario.a, { productUUID: home })).body.error, 'coverage.destination')
      const many = Array.from({ length: 300 }, (_, index) => index + 1).join(',')
      for (const countriesDestinationId of [many, '380,,', '0', '-1', '999', '380;724', '', '３８０'])
        assert.equal((await quote(scenario, { countriesDestinationId })).status, 422, countriesDestinationId.slice(0, 9))
    },
  },
  {
    id: 'C44',
    title: 'skipped steps',
    quick: true,
    async run({ a }) {
      const none = '019aa000-0000-7000-8000-000000000000'
      assert.equal((await purchase(a, { purchaseUUID: none })).status, 404)
      const budget = (await register(a, { saveBudget: true })).body.data
      assert.equal((await a.ask('/api/policy', { method: 'DELETE', body: { policyUuid: budget.policyUuid } })).status, 200)
      assert.equal((await purchase(a, { purchaseUUID: budget.purchaseUUID })).body.error, 'policy.not_purchasable')
      const lacking = (await register(a, { saveBudget: true, users: [] })).body.data
      assert.equal((await purchase(a, { purchaseUUID: lacking.purchaseUUID })).body.error, 'policy.incomplete')
      const sold = await sell(a)
      assert.equal(
        (await a.ask('/api/policy', { method: 'DELETE', body: { policyUuid: sold.policyUuid } })).body.error,
        'policy.not_deletable',
      )
      assert.equal((await register(a, { policyUuid: sold.policyUuid })).status, 409)
    },
  },
  {
    id: 'C46',
    title: 'an idempotency key used concurrently and with another body',
    quick: true,
    async run({ a }) {
      const key = { 'idempotency-key': crypto.randomUUID() }
      const replies = await Promise.all(Array.from({ length: 10 }, () => register(a, {}, key)))
      const done = replies.filter(({ status }) => status === 200)
      assert.ok(done.length >= 1 && replies.every(({ status }) => status === 200 || status === 409))
      assert.equal(new Set(done.map(({ text }) => text)).size, 1)
      assert.equal((await register(a, {}, key)).text, done[0]?.text)
      assert.equal((await register(a, { buReference: 'another' }, key)).body.error, 'idempotency.mismatch')
    },
  },
  {
    id: 'C47',
    title: 'deleting a quote while it is bought',
    async run({ a, rounds, target }) {
      for (let round = 0; round < rounds; round += 10) await Promise.all(Array.from({ length: 10 }, (_, n) => raceOfTwo(a, n % 2 === 0)))
      const [row] = await target.sql(
        `select count(*)::int as count from policies p join payments m on m.policy_id = p.id where p.status = 'deleted' and m.state = 'settled'`,
      )
      assert.equal(row?.['count'], 0)
    },
  },
  {
    id: 'C49',
    title: 'rounding that loses or gains a cent',
    async run(scenario) {
      let [parts, whole] = [0, 0]
      for (let round = 0; round < Math.min(scenario.rounds, 100); round++) {
        const paxNumber = 1 + (round % 9)
        const { data } = (await quote(scenario, { paxNumber, birthDates: undefined, ...lasting(1 + (round % 60)) })).body
        const taxes = data.taxes.reduce((sum: number, tax: { amount: number }) => sum + cents(tax.amount), 0)
        assert.equal(cents(data.premium) + taxes, cents(data.total))
        const each = data.perTraveller.reduce((sum: number, one: { premium: number }) => sum + cents(one.premium), 0)
        assert.equal(each, cents(data.travelPremium) + cents(data.cancellationPremium))
        parts += cents(data.premium) + taxes
        whole += cents(data.total)
      }
      assert.equal(parts, whole)
    },
  },
  {
    id: 'C128',
    title: 'a payment of an agency that is dated before there was any',
    quick: true,
    async run({ admin, a }) {
      const payment = {
        requestUuid: crypto.randomUUID(),
        businessUnitUuid: a.unitId,
        way: 'received',
        amount: 1,
        reference: 'x',
        beyond: true,
      }
      for (const on of ['1970-01-01', '0001-01-01', '2019-12-31']) {
        const reply = await admin.ask('/api/administration/accounting/payment', { body: { ...payment, on } })
        assert.deepEqual([reply.status, reply.body.fields?.[0]?.path], [422, 'on'], on)
      }
    },
  },
  {
    id: 'C127',
    title: 'a traveller twice, under a name with a letter that is not seen',
    quick: true,
    async run({ a }) {
      for (const unseen of ['\u200b', '\u2060', '\u00ad', '\ufeff']) {
        const twin = { ...leo, name: `${leo.name}${unseen}`, documentKind: undefined, docNumber: undefined }
        const reply = await register(a, {
          paxNumber: 3,
          users: [ana, { ...leo, documentKind: undefined, docNumber: undefined }, twin],
        })
        assert.ok(
          reply.body.fields?.some(({ rule }: { rule: string }) => rule === 'samePerson'),
          reply.text.slice(0, 300),
        )
      }
    },
  },
  {
    id: 'C50',
    title: 'a payment gateway that the product does not offer',
    quick: true,
    async run({ a, target }) {
      assert.equal((await register(a, { paymentGatewayUUID: crypto.randomUUID() })).status, 422)
      assert.equal((await register(a, { paymentGatewayUUID: 'Deferred' })).status, 422)
      const { data } = (await register(a, { paymentGatewayUUID: a.gateway('StripeV2') })).body
      const free = await purchase(a, { purchaseUUID: data.purchaseUUID, paymentGatewayUUID: a.gateway('Deferred') })
      assert.equal(free.status, 422)
      const [row] = await target.sql('select status from policies where id = $1', [data.policyUuid])
      assert.equal(row?.['status'], 'pending')
    },
  },
  {
    id: 'C51',
    title: 'instants, days and amounts that only the caller vouches for',
    quick: true,
    async run({ a, admin, sold }) {
      const day = today(new Date(), 'Europe/Madrid')
      for (const termsGivenAt of ['1970-01-01T00:00:00Z', `${addDays(day, 2)}T00:00:00Z`, '9999-12-31T23:59:59Z'])
        assert.equal((await register(a, { channel: 'distance', termsGivenAt })).status, 422, termsGivenAt)
      const cover = { productUUID: productOf(a, 'CAN').uuid, insurancedAmount: 500 }
      for (const reservationDate of [addDays(day, 2), '9999-12-31', '2024-02-30'])
        assert.equal((await register(a, { ...cover, reservationDate })).status, 422, reservationDate)
      const { policyUuid } = sold.a
      for (const expectedRefund of [-1, 1e9]) {
        const reply = await a.ask('/api/policy/cancel', { body: { policyUuid, version: 1, expectedRefund, reason: 'other' } })
        assert.equal(reply.status, 409, String(expectedRefund))
      }
      for (const until of ['2027-02-30', '9999-12-31']) {
        const hold = { kind: 'policy', uuid: policyUuid, until, reason: 'For a trial' }
        assert.equal((await admin.ask('/api/privacy/hold', { body: hold })).status, 422, until)
        const terms = { businessUnitUuid: a.unitId, limit: 1, netted: true, liftedUntil: until, reason: 'For a trial' }
        const lifted = await admin.ask('/api/administration/accounting/limit', { body: terms })
        assert.equal(lifted.status, 422, until)
      }
    },
  },
]

function lasting(days: number): { startDate: string; endDate: string } {
  const startDate = addDays(today(new Date(), 'Europe/Madrid'), 11)
  return { startDate, endDate: addDays(startDate, days - 1) }
}

async function raceOfTwo(a: Scenario['a'], deletesFirst: boolean): Promise<void> {
  const { data } = (await register(a, { saveBudget: true })).body
  const both = [
    () => a.ask('/api/policy', { method: 'DELETE', body: { policyUuid: data.policyUuid } }),
    () => purchase(a, { purchaseUUID: data.purchaseUUID }),
  ]
  if (!deletesFirst) both.reverse()
  const replies = await Promise.all(both.map(one => one()))
  assert.equal(replies.filter(({ status }) => status === 200).length, 1)
}
