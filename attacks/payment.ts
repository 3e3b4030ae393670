import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { type Agent, type Json, purchase, register, sell } from '#testing/agent.ts'
import type { Case, Scenario } from './scenario.ts'
import { webhookSecret } from './target.ts'

const byCard = async (a: Agent, changes: Record<string, unknown> = {}): Promise<Json> =>
  (await register(a, { paymentGatewayUUID: a.gateway('StripeV2'), ...changes })).body.data

const buyByCard = (a: Agent, clientSecret: string, purchaseUUID?: string) =>
  purchase(a, {
    paymentGatewayUUID: a.gateway('StripeV2'),
    paymentIntentClientSecret: clientSecret,
    paymentToken: clientSecret.split('_secret_')[0],
    ...(purchaseUUID ? { purchaseUUID } : {}),
  })

/** Confirms the payment as the card form in a browser does. */
async function pay({ target: { network } }: Scenario, clientSecret: string, card = 'pm_card_visa'): Promise<string> {
  const reply = await fetch(`${network.url}/v1/payment_intents/${clientSecret.split('_secret_')[0]}/confirm`, {
    method: 'POST',
    headers: { authorization: `Bearer ${network.publishableKey}` },
    body: new URLSearchParams({ client_secret: clientSecret, payment_method: card }),
  })
  // Safe: the fake responds in this format.
  const body = (await reply.json()) as { status?: string; error?: { code: string } }
  return body.status ?? body.error?.code ?? ''
}

/** Calls the card network as the server does. */
const callNetwork = ({ target: { network } }: Scenario, path: string, form: Record<string, string>) =>
  fetch(`${network.url}/v1/${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${network.secretKey}`, 'idempotency-key': crypto.randomUUID() },
    body: new URLSearchParams(form),
  }).then((reply): Promise<Json> => reply.json())

/** Acts as an operator in the card network's dashboard. */
const inDashboard = ({ target: { network } }: Scenario, what: 'refund' | 'dispute', body: object) =>
  fetch(`${network.url}/control/dashboard/${what}`, { method: 'POST', body: JSON.stringify(body) })

const signed = (body: string, secret = webhookSecret, time = Math.floor(Date.now() / 1000), version = 'v1') =>
  `t=${time},${version}=${createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')}`

const eventOf = (sale: Json, unit: string, type = 'payment_intent.succeeded') => ({
  id: `evt_${crypto.randomUUID().replaceAll('-', '')}`,
  object: 'event',
  type,
  created: Math.floor(Date.now() / 1000),
  data: {
    object: {
      id: sale.clientSecret.split('_secret_')[0],
      object: 'payment_intent',
      status: 'succeeded',
      metadata: { payment: sale.purchaseUUID, unit, business_unit: unit },
    },
  },
})

const sendWebhook = ({ ask }: Scenario, payload: string, signature?: string) =>
  ask('/api/payments/webhook', { payload, headers: signature === undefined ? {} : { 'stripe-signature': signature } })

const statusOf = async ({ target }: Scenario, sale: Json): Promise<unknown> =>
  (await target.sql('select status from policies where id = $1', [sale.policyUuid]))[0]?.['status']

/** Group F of the attack cases: payments. */
export const payments: Case[] = [
  {
    id: 'F73',
    title: 'a purchase with a payment that has not succeeded',
    quick: true,
    async run(scenario) {
      const sale = await byCard(scenario.a)
      assert.equal((await buyByCard(scenario.a, sale.clientSecret)).status, 409)
      assert.equal(await pay(scenario, sale.clientSecret, 'pm_card_authenticationRequiredOnSetup'), 'requires_action')
      assert.equal((await buyByCard(scenario.a, sale.clientSecret)).body.error, 'payment.authentication_required')
      const declined = await byCard(scenario.a)
      await pay(scenario, declined.clientSecret, 'pm_card_visa_chargeDeclined')
      assert.equal((await buyByCard(scenario.a, declined.clientSecret)).status, 409)
      const cancelled = await byCard(scenario.a)
      await callNetwork(scenario, `payment_intents/${cancelled.clientSecret.split('_secret_')[0]}/cancel`, {})
      assert.equal((await buyByCard(scenario.a, cancelled.clientSecret)).status, 409)
      for (const each of [sale, declined, cancelled]) assert.notEqual(await statusOf(scenario, each), 'purchased')
    },
  },
  {
    id: 'F74',
    title: 'a payment of another purchase or agency, or used twice',
    quick: true,
    bothAct: true,
    async run(scenario) {
      const { a, b } = scenario
      const [paid, unpaid, theirs] = [await byCard(a), await byCard(a), await byCard(b)]
      assert.equal(await pay(scenario, paid.clientSecret), 'succeeded')
      assert.equal(await pay(scenario, theirs.clientSecret), 'succeeded')
      for (const secret of [paid.clientSecret, theirs.clientSecret])
        assert.notEqual((await buyByCard(a, secret, unpaid.purchaseUUID)).status, 200)
      const forged = `${unpaid.clientSecret.split('_secret_')[0]}_secret_${paid.clientSecret.split('_secret_')[1]}`
      assert.equal((await buyByCard(a, forged)).status, 404)
      assert.equal((await buyByCard(a, theirs.clientSecret)).status, 404)
      const [first, second] = [await buyByCard(a, paid.clientSecret), await buyByCard(a, paid.clientSecret)]
      assert.deepEqual([first.status, second.status], [200, 200])
      assert.equal(first.body.data.policyData.policyNumber, second.body.data.policyData.policyNumber)
      assert.notEqual(await statusOf(scenario, unpaid), 'purchased')
    },
  },
  {
    id: 'F76',
    title: 'an amount changed at the card network',
    quick: true,
    async run(scenario) {
      const sale = await byCard(scenario.a)
      const intent = sale.clientSecret.split('_secret_')[0]
      const changed = await callNetwork(scenario, `payment_intents/${intent}`, { amount: '500' })
      if (changed.error) return
      await pay(scenario, sale.clientSecret)
      assert.notEqual((await buyByCard(scenario.a, sale.clientSecret)).status, 200)
      assert.notEqual(await statusOf(scenario, sale), 'purchased')
    },
  },
  {
    id: 'F77',
    title: 'forged webhooks',
    quick: true,
    async run(scenario) {
      const sale = await byCard(scenario.a)
      const body = JSON.stringify(eventOf(sale, scenario.a.unitId))
      const old = Math.floor(Date.now() / 1000) - 301
      const wrong = [
        undefined,
        '',
        't=1,v1=00',
        signed(body, 'whsec_another_secret'),
        signed(body, ''),
        signed(body, webhookSecret, old),
        signed(body, webhookSecret, undefined, 'v0'),
      ]
      for (const signature of wrong)
        assert.equal((await sendWebhook(scenario, body, signature)).status, 400, String(signature).slice(0, 20))
      assert.equal((await sendWebhook(scenario, JSON.stringify(JSON.parse(body), null, 1), signed(body))).status, 400)
      assert.equal((await sendWebhook(scenario, body.replace('"id":', '"id":"evt_x","id":'), signed(body))).status, 400)
      assert.equal((await sendWebhook(scenario, `"${'x'.repeat(10_000_000)}"`, 't=1,v1=00').catch(() => ({ status: 413 }))).status, 413)
      // A valid signature on an event without an id.
      const nameless = JSON.stringify({ ...eventOf(sale, scenario.a.unitId), id: undefined })
      assert.equal((await sendWebhook(scenario, nameless, signed(nameless))).status, 400)
      // A valid signature with a false claim, which the server checks with the network.
      const lie = await sendWebhook(scenario, body, signed(body))
      assert.ok([200, 404].includes(lie.status))
      await scenario.target.drain()
      assert.notEqual(await statusOf(scenario, sale), 'purchased')
    },
  },
  {
    id: 'F79',
    title: 'webhooks in the wrong order, or for an unknown purchase',
    quick: true,
    async run(scenario) {
      const { network } = scenario.target
      network.webhooks({ mode: 'held' })
      const sale = await byCard(scenario.a)
      assert.equal(
        await pay(scenario, sale.clientSecret, 'pm_card_visa_chargeDeclined').then(() => pay(scenario, sale.clientSecret)),
        'succeeded',
      )
      assert.equal((await buyByCard(scenario.a, sale.clientSecret)).status, 200)
      network.webhooks({ mode: 'shuffled', ms: 20 })
      network.release()
      await network.idle()
      await scenario.target.drain()
      network.webhooks({ mode: 'normal' })
      assert.equal(await statusOf(scenario, sale), 'purchased')
      const unknown = JSON.stringify(eventOf({ ...sale, purchaseUUID: crypto.randomUUID() }, scenario.a.unitId))
      assert.ok([200, 404].includes((await sendWebhook(scenario, unknown, signed(unknown))).status))
    },
  },
  {
    id: 'F80',
    title: 'the browser’s purchase and the webhook at the same moment',
    async run(scenario) {
      scenario.target.network.webhooks({ mode: 'duplicate' })
      for (let round = 0; round < scenario.rounds; round += 5)
        await Promise.all(
          Array.from({ length: 5 }, async () => {
            const sale = await byCard(scenario.a)
            await Promise.all([pay(scenario, sale.clientSecret), buyByCard(scenario.a, sale.clientSecret)])
            const bought = await buyByCard(scenario.a, sale.clientSecret)
            assert.equal(bought.status, 200, bought.text)
          }),
        )
      await scenario.target.network.idle()
      await scenario.target.drain()
      scenario.target.network.webhooks({ mode: 'normal' })
      const [row] = await scenario.target.sql(
        `select count(*)::int as count from (select policy_id from policy_history where what = 'purchased' group by policy_id having count(*) > 1) twice`,
      )
      assert.equal(row?.['count'], 0)
    },
  },
  {
    id: 'F82',
    title: 'two payments for one purchase',
    quick: true,
    async run(scenario) {
      const key = { 'idempotency-key': crypto.randomUUID() }
      const changes = { paymentGatewayUUID: scenario.a.gateway('StripeV2') }
      const [first, second] = [await register(scenario.a, changes, key), await register(scenario.a, changes, key)]
      assert.equal(first.text, second.text)
      const { clientSecret } = first.body.data
      assert.equal(await pay(scenario, clientSecret), 'succeeded')
      assert.notEqual(await pay(scenario, clientSecret), 'requires_payment_method')
      const own = scenario.target.network.counters().intents.find(({ id }) => id === clientSecret.split('_secret_')[0])
      assert.equal(own?.charges, 1)
      assert.equal((await buyByCard(scenario.a, clientSecret)).status, 200)
    },
  },
  {
    id: 'F83',
    title: 'a card number in a text field',
    quick: true,
    async run({ a, target }) {
      const number = '4242 4242 4242 4242'
      const reply = await register(a, { saveBudget: true, buReference: number })
      const [row] = await target.sql(
        `select count(*)::int as count from policies where replace(reference, ' ', '') like '%4242424242424242%'`,
      )
      assert.ok(reply.status === 422 && row?.['count'] === 0, `a card number was accepted as a reference (${reply.status})`)
    },
  },
  {
    id: 'F86',
    title: 'cancelling for more than is due, twice at once, as a viewer, and at another agency',
    needs: ['POST /api/policy/cancel'],
    quick: true,
    denied: 1,
    async run({ a, viewer, sold, target }) {
      const { policyUuid, total } = await sell(a)
      const cancel = (agent: Agent, changes: Record<string, unknown> = {}) =>
        agent.ask('/api/policy/cancel', { body: { policyUuid, version: 1, expectedRefund: total, reason: 'error', ...changes } })
      assert.equal((await cancel(viewer)).status, 403)
      assert.equal((await cancel(a, { policyUuid: sold.b.policyUuid })).status, 404)
      assert.equal((await cancel(a, { expectedRefund: total + 1000 })).status, 409)
      const statuses = (await Promise.all([cancel(a), cancel(a), cancel(a)])).map(({ status }) => status)
      assert.deepEqual(
        statuses.toSorted((one, other) => one - other),
        [200, 409, 409],
      )
      const [row] = await target.sql('select sum(agency_account)::int as left from money_book where policy_id = $1', [policyUuid])
      assert.equal(row?.['left'], 0)
    },
  },
  {
    id: 'F117',
    title: 'refunds and disputes made at the card network itself',
    quick: true,
    async run(scenario) {
      const { a, target } = scenario
      const sale = await byCard(a)
      assert.equal(await pay(scenario, sale.clientSecret), 'succeeded')
      assert.equal((await buyByCard(a, sale.clientSecret)).status, 200)
      const intent = sale.clientSecret.split('_secret_')[0]
      await inDashboard(scenario, 'refund', { intent, amount: 700 })
      await inDashboard(scenario, 'dispute', { intent })
      await target.network.idle()
      await target.drain()
      const reviews = await target.sql('select reason from payment_reviews where payment_id = $1 order by reason', [sale.purchaseUUID])
      assert.deepEqual(
        reviews.map(({ reason }) => reason),
        ['disputed', 'refunded_elsewhere'],
      )
      assert.equal(await statusOf(scenario, sale), 'purchased')
      // A payment refunded before the sale, without a webhook, must not buy anything.
      target.network.webhooks({ mode: 'held' })
      const early = await byCard(a)
      assert.equal(await pay(scenario, early.clientSecret), 'succeeded')
      await inDashboard(scenario, 'refund', { intent: early.clientSecret.split('_secret_')[0] })
      assert.equal((await buyByCard(a, early.clientSecret)).body.error, 'payment.in_review')
      target.network.webhooks({ mode: 'normal' })
      target.network.release()
      await target.network.idle()
      await target.drain()
      assert.notEqual(await statusOf(scenario, early), 'purchased')
      const reviewsOf = await target.sql('select reason from payment_reviews where payment_id = $1', [early.purchaseUUID])
      assert.deepEqual(reviewsOf, [{ reason: 'refunded_elsewhere' }])
    },
  },
  {
    id: 'F118',
    title: 'webhooks of another installation and of unknown payments',
    quick: true,
    async run(scenario) {
      const reviewsOf = async (installation: string | undefined) => {
        const event = eventOf({ clientSecret: 'pi_elsewhere_secret_x', purchaseUUID: crypto.randomUUID() }, scenario.a.unitId)
        const metadata = { ...event.data.object.metadata, app: 'portolan', ...(installation ? { installation } : {}) }
        const payload = JSON.stringify({ ...event, data: { object: { ...event.data.object, metadata } } })
        return (await sendWebhook(scenario, payload, signed(payload))).status
      }
      const own = (await scenario.target.sql('select id from installation'))[0]?.['id']
      assert.deepEqual([await reviewsOf(crypto.randomUUID()), await reviewsOf(String(own)), await reviewsOf(undefined)], [200, 404, 404])
    },
  },
]
