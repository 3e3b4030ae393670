import assert from 'node:assert/strict'
import { addDays, today } from '#common/kit/dates.ts'
import { ana, leo, productOf, purchase, quoteBody, register, sell } from '#fault-tests/harness/agent.ts'
import type { Case, Field } from './field.ts'

const quote = ({ a }: Field, changes: Record<string, unknown>) => a.ask('/api/quotes', { body: quoteBody(a, changes) })
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

/** C. Money and the order of things. */
export const money: Case[] = [
  {
    id: 'C35',
    title: 'fields that only the service decides',
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
    title: 'travellers counted wrongly',
    quick: true,
    async run(field) {
      for (const paxNumber of counts) {
        assert.equal((await quote(field, { paxNumber, birthDates: undefined })).status, 422, JSON.stringify(paxNumber))
        assert.equal((await register(field.a, { paxNumber })).status, 422, JSON.stringify(paxNumber))
      }
      const raw = JSON.stringify(quoteBody(field.a, {})).replace('"paxNumber":2', '"paxNumber":NaN')
      assert.equal((await field.a.ask('/api/quotes', { payload: raw })).status, 400)
    },
  },
  {
    id: 'C38',
    title: 'a trip’s price that cannot be',
    quick: true,
    async run(field) {
      const productUUID = productOf(field.a, 'CAN').uuid
      const reservationDate = today(new Date(), 'Europe/Madrid')
      for (const insurancedAmount of costs)
        assert.equal((await quote(field, { productUUID, insurancedAmount, reservationDate })).status, 422, JSON.stringify(insurancedAmount))
      const raw = JSON.stringify(quoteBody(field.a, { productUUID, insurancedAmount: 7, reservationDate })).replace(
        '"insurancedAmount":7',
        '"insurancedAmount":1e400',
      )
      assert.ok([400, 422].includes((await field.a.ask('/api/quotes', { payload: raw })).status))
    },
  },
  {
    id: 'C40',
    title: 'dates that are none, or are out of bounds',
    quick: true,
    async run(field) {
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
        assert.equal((await quote(field, { startDate, endDate: addDays(day, 20) })).status, 422, JSON.stringify(startDate))
      for (const endDate of [addDays(day, 10), addDays(day, 400), '2027-02-30']) {
        assert.equal((await quote(field, { startDate: addDays(day, 11), endDate })).status, 422, endDate)
        assert.equal((await register(field.a, { startDate: addDays(day, 11), endDate })).status, 422, endDate)
      }
    },
  },
  {
    id: 'C41',
    title: 'the price of a short trip for a long one',
    quick: true,
    async run(field) {
      const day = addDays(today(new Date(), 'Europe/Madrid'), 11)
      const short = (await quote(field, { startDate: day, endDate: day })).body.data
      const long = (await quote(field, { startDate: day, endDate: addDays(day, 59) })).body.data
      assert.ok(long.total > short.total)
      const wish = { startDate: day, endDate: addDays(day, 59) }
      const cheap = await register(field.a, { ...wish, expectedTotal: short.total })
      assert.equal(cheap.body.error, 'quote.price_changed')
      assert.equal((await register(field.a, wish)).body.data.total, long.total)
    },
  },
  {
    id: 'C43',
    title: 'countries that a product does not go to, or from',
    quick: true,
    async run(field) {
      const home = productOf(field.a, 'HOM').uuid
      assert.equal((await quote(field, { productUUID: home })).body.error, 'coverage.destination')
      assert.equal(
        (await quote(field, { productUUID: home, countryOriginId: 380, countriesDestinationId: '724' })).body.error,
        'coverage.origin',
      )
      assert.equal((await register(field.a, { productUUID: home })).body.error, 'coverage.destination')
      const many = Array.from({ length: 300 }, (_, index) => index + 1).join(',')
      for (const countriesDestinationId of [many, '380,,', '0', '-1', '999', '380;724', '', '３８０'])
        assert.equal((await quote(field, { countriesDestinationId })).status, 422, countriesDestinationId.slice(0, 9))
    },
  },
  {
    id: 'C44',
    title: 'steps left out',
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
    title: 'the same key at the same time, and with another body',
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
    title: 'deleting against buying',
    async run({ a, rounds, target }) {
      for (let round = 0; round < rounds; round += 10) await Promise.all(Array.from({ length: 10 }, () => raceOfTwo(a)))
      const [row] = await target.sql(
        `select count(*)::int as count from policies p join payments m on m.policy_id = p.id where p.status = 'deleted' and m.state = 'settled'`,
      )
      assert.equal(row?.['count'], 0)
    },
  },
  {
    id: 'C49',
    title: 'parts that must sum up to the cent',
    async run(field) {
      let [parts, whole] = [0, 0]
      for (let round = 0; round < Math.min(field.rounds, 100); round++) {
        const paxNumber = 1 + (round % 9)
        const { data } = (await quote(field, { paxNumber, birthDates: undefined, ...lasting(1 + (round % 60)) })).body
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
    id: 'C50',
    title: 'a way of paying that is not the product’s own',
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
]

function lasting(days: number): { startDate: string; endDate: string } {
  const startDate = addDays(today(new Date(), 'Europe/Madrid'), 11)
  return { startDate, endDate: addDays(startDate, days - 1) }
}

async function raceOfTwo(a: Field['a']): Promise<void> {
  const { data } = (await register(a, { saveBudget: true })).body
  const both = [
    () => a.ask('/api/policy', { method: 'DELETE', body: { policyUuid: data.policyUuid } }),
    () => purchase(a, { purchaseUUID: data.purchaseUUID }),
  ]
  if (Math.random() < 0.5) both.reverse()
  const replies = await Promise.all(both.map(one => one()))
  assert.equal(replies.filter(({ status }) => status === 200).length, 1)
}
