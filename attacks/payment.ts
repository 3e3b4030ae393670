import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { type Agent, type Json, purchase, register } from '#fault-tests/harness/agent.ts'
import type { Case, Field } from './field.ts'
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

/** What the card form does in a browser. */
async function pay({ target: { network } }: Field, clientSecret: string, card = 'pm_card_visa'): Promise<string> {
  const reply = await fetch(`${network.url}/v1/payment_intents/${clientSecret.split('_secret_')[0]}/confirm`, {
    method: 'POST',
    headers: { authorization: `Bearer ${network.publishableKey}` },
    body: new URLSearchParams({ client_secret: clientSecret, payment_method: card }),
  })
  const body = (await reply.json()) as { status?: string; error?: { code: string } }
  return body.status ?? body.error?.code ?? ''
}

/** Asks the card network as the service does. */
const atNetwork = ({ target: { network } }: Field, path: string, form: Record<string, string>) =>
  fetch(`${network.url}/v1/${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${network.secretKey}`, 'idempotency-key': crypto.randomUUID() },
    body: new URLSearchParams(form),
  }).then((reply): Promise<Json> => reply.json())

/** Somebody at the card network's own pages. */
const atDashboard = ({ target: { network } }: Field, what: 'refund' | 'dispute', body: object) =>
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

const tell = ({ ask }: Field, payload: string, signature?: string) =>
  ask('/api/payments/webhook', { payload, headers: signature === undefined ? {} : { 'stripe-signature': signature } })

const statusOf = async ({ target }: Field, sale: Json): Promise<unknown> =>
  (await target.sql('select status from policies where id = $1', [sale.policyUuid]))[0]?.['status']

/** F. Paying. */
export const payments: Case[] = [
  {
    id: 'F73',
    title: 'buying with a payment that has not succeeded',
    quick: true,
    async run(field) {
      const sale = await byCard(field.a)
      assert.equal((await buyByCard(field.a, sale.clientSecret)).status, 409)
      assert.equal(await pay(field, sale.clientSecret, 'pm_card_authenticationRequiredOnSetup'), 'requires_action')
      assert.equal((await buyByCard(field.a, sale.clientSecret)).body.error, 'payment.authentication_required')
      const declined = await byCard(field.a)
      await pay(field, declined.clientSecret, 'pm_card_visa_chargeDeclined')
      assert.equal((await buyByCard(field.a, declined.clientSecret)).status, 409)
      const cancelled = await byCard(field.a)
      await atNetwork(field, `payment_intents/${cancelled.clientSecret.split('_secret_')[0]}/cancel`, {})
      assert.equal((await buyByCard(field.a, cancelled.clientSecret)).status, 409)
      for (const each of [sale, declined, cancelled]) assert.notEqual(await statusOf(field, each), 'purchased')
    },
  },
  {
    id: 'F74',
    title: 'the payment of another purchase, of another agency, or twice',
    quick: true,
    bothAct: true,
    async run(field) {
      const { a, b } = field
      const [paid, unpaid, theirs] = [await byCard(a), await byCard(a), await byCard(b)]
      assert.equal(await pay(field, paid.clientSecret), 'succeeded')
      assert.equal(await pay(field, theirs.clientSecret), 'succeeded')
      for (const secret of [paid.clientSecret, theirs.clientSecret])
        assert.notEqual((await buyByCard(a, secret, unpaid.purchaseUUID)).status, 200)
      const forged = `${unpaid.clientSecret.split('_secret_')[0]}_secret_${paid.clientSecret.split('_secret_')[1]}`
      assert.equal((await buyByCard(a, forged)).status, 404)
      assert.equal((await buyByCard(a, theirs.clientSecret)).status, 404)
      const [first, second] = [await buyByCard(a, paid.clientSecret), await buyByCard(a, paid.clientSecret)]
      assert.deepEqual([first.status, second.status], [200, 200])
      assert.equal(first.body.data.policyData.policyNumber, second.body.data.policyData.policyNumber)
      assert.notEqual(await statusOf(field, unpaid), 'purchased')
    },
  },
  {
    id: 'F76',
    title: 'the amount is changed at the card network',
    quick: true,
    async run(field) {
      const sale = await byCard(field.a)
      const intent = sale.clientSecret.split('_secret_')[0]
      const changed = await atNetwork(field, `payment_intents/${intent}`, { amount: '500' })
      if (changed.error) return
      await pay(field, sale.clientSecret)
      assert.notEqual((await buyByCard(field.a, sale.clientSecret)).status, 200)
      assert.notEqual(await statusOf(field, sale), 'purchased')
    },
  },
  {
    id: 'F77',
    title: 'news that the card network did not send',
    quick: true,
    async run(field) {
      const sale = await byCard(field.a)
      const body = JSON.stringify(eventOf(sale, field.a.unitId))
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
      for (const signature of wrong) assert.equal((await tell(field, body, signature)).status, 400, String(signature).slice(0, 20))
      assert.equal((await tell(field, JSON.stringify(JSON.parse(body), null, 1), signed(body))).status, 400)
      assert.equal((await tell(field, body.replace('"id":', '"id":"evt_x","id":'), signed(body))).status, 400)
      assert.equal((await tell(field, `"${'x'.repeat(10_000_000)}"`, 't=1,v1=00').catch(() => ({ status: 413 }))).status, 413)
      // Signed well, but a lie: the network is asked, and says otherwise.
      const lie = await tell(field, body, signed(body))
      assert.ok([200, 404].includes(lie.status))
      await field.target.drain()
      assert.notEqual(await statusOf(field, sale), 'purchased')
    },
  },
  {
    id: 'F79',
    title: 'news in the wrong order, and for what is not there yet',
    quick: true,
    async run(field) {
      const { network } = field.target
      network.webhooks({ mode: 'held' })
      const sale = await byCard(field.a)
      assert.equal(
        await pay(field, sale.clientSecret, 'pm_card_visa_chargeDeclined').then(() => pay(field, sale.clientSecret)),
        'succeeded',
      )
      assert.equal((await buyByCard(field.a, sale.clientSecret)).status, 200)
      network.webhooks({ mode: 'shuffled', ms: 20 })
      network.release()
      await network.idle()
      await field.target.drain()
      network.webhooks({ mode: 'normal' })
      assert.equal(await statusOf(field, sale), 'purchased')
      const unknown = JSON.stringify(eventOf({ ...sale, purchaseUUID: crypto.randomUUID() }, field.a.unitId))
      assert.ok([200, 404].includes((await tell(field, unknown, signed(unknown))).status))
    },
  },
  {
    id: 'F80',
    title: 'the browser and the network’s news at the same moment',
    async run(field) {
      field.target.network.webhooks({ mode: 'duplicate' })
      for (let round = 0; round < field.rounds; round += 5)
        await Promise.all(
          Array.from({ length: 5 }, async () => {
            const sale = await byCard(field.a)
            await Promise.all([pay(field, sale.clientSecret), buyByCard(field.a, sale.clientSecret)])
            const bought = await buyByCard(field.a, sale.clientSecret)
            assert.equal(bought.status, 200, bought.text)
          }),
        )
      await field.target.network.idle()
      await field.target.drain()
      field.target.network.webhooks({ mode: 'normal' })
      const [row] = await field.target.sql(
        `select count(*)::int as count from (select policy_id from policy_history where what = 'purchased' group by policy_id having count(*) > 1) twice`,
      )
      assert.equal(row?.['count'], 0)
    },
  },
  {
    id: 'F82',
    title: 'paying twice for one purchase',
    quick: true,
    async run(field) {
      const key = { 'idempotency-key': crypto.randomUUID() }
      const changes = { paymentGatewayUUID: field.a.gateway('StripeV2') }
      const [first, second] = [await register(field.a, changes, key), await register(field.a, changes, key)]
      assert.equal(first.text, second.text)
      const { clientSecret } = first.body.data
      assert.equal(await pay(field, clientSecret), 'succeeded')
      assert.notEqual(await pay(field, clientSecret), 'requires_payment_method')
      const own = field.target.network.counters().intents.find(({ id }) => id === clientSecret.split('_secret_')[0])
      assert.equal(own?.charges, 1)
      assert.equal((await buyByCard(field.a, clientSecret)).status, 200)
    },
  },
  {
    id: 'F83',
    title: 'a card’s number in a field of ours',
    quick: true,
    async run({ a, target }) {
      const number = '4242 4242 4242 4242'
      const reply = await register(a, { saveBudget: true, buReference: number })
      const [row] = await target.sql(
        `select count(*)::int as count from policies where replace(reference, ' ', '') like '%4242424242424242%'`,
      )
      assert.ok(reply.status === 422 && row?.['count'] === 0, `a card number was taken as a reference (${reply.status})`)
    },
  },
  {
    id: 'F86',
    title: 'giving money back by a call',
    quick: true,
    async run({ served }) {
      assert.deepEqual(
        [...served].filter(each => /refund|cancel/i.test(each)),
        [],
      )
    },
  },
  {
    id: 'F117',
    title: 'money of a sale is given back and claimed back at the network, behind our back',
    quick: true,
    async run(field) {
      const { a, target } = field
      const sale = await byCard(a)
      assert.equal(await pay(field, sale.clientSecret), 'succeeded')
      assert.equal((await buyByCard(a, sale.clientSecret)).status, 200)
      const intent = sale.clientSecret.split('_secret_')[0]
      await atDashboard(field, 'refund', { intent, amount: 700 })
      await atDashboard(field, 'dispute', { intent })
      await target.network.idle()
      await target.drain()
      const reviews = await target.sql('select reason from payment_reviews where payment_id = $1 order by reason', [sale.purchaseUUID])
      assert.deepEqual(
        reviews.map(({ reason }) => reason),
        ['disputed', 'refunded_elsewhere'],
      )
      assert.equal(await statusOf(field, sale), 'purchased')
      // Before anybody has sold it, and with no news of it: what the client has back buys nothing.
      target.network.webhooks({ mode: 'held' })
      const early = await byCard(a)
      assert.equal(await pay(field, early.clientSecret), 'succeeded')
      await atDashboard(field, 'refund', { intent: early.clientSecret.split('_secret_')[0] })
      assert.equal((await buyByCard(a, early.clientSecret)).body.error, 'payment.in_review')
      target.network.webhooks({ mode: 'normal' })
      target.network.release()
      await target.network.idle()
      await target.drain()
      assert.notEqual(await statusOf(field, early), 'purchased')
      const told = await target.sql('select reason from payment_reviews where payment_id = $1', [early.purchaseUUID])
      assert.deepEqual(told, [{ reason: 'refunded_elsewhere' }])
    },
  },
  {
    id: 'F118',
    title: 'news of another installation on the same account, and of a payment that nobody knows',
    quick: true,
    async run(field) {
      const told = async (installation: string | undefined) => {
        const event = eventOf({ clientSecret: 'pi_elsewhere_secret_x', purchaseUUID: crypto.randomUUID() }, field.a.unitId)
        const metadata = { ...event.data.object.metadata, app: 'portolan', ...(installation ? { installation } : {}) }
        const payload = JSON.stringify({ ...event, data: { object: { ...event.data.object, metadata } } })
        return (await tell(field, payload, signed(payload))).status
      }
      const own = (await field.target.sql('select id from installation'))[0]?.['id']
      assert.deepEqual([await told(crypto.randomUUID()), await told(String(own)), await told(undefined)], [200, 404, 404])
    },
  },
]
