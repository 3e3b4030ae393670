import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { purchase, register, type Reply } from './agent.ts'
import type { Deployment } from './deployment.ts'

/** What sellers did and were told. Every sale that was begun is brought to its end: as the portal does, by asking again with the same key. */
export type Sold = {
  sales: { policyUuid: string; number: string }[]
  /** Questions without an answer, and answers that asked to come again. */
  cut: number
  putOff: number
  /** The longest that one sale took, from its first question to its policy. */
  slowestMs: number
  faults: string[]
}

export type Selling = { card?: boolean; patienceMs?: number; whenPutOff?: () => void }

/** So many sellers, until it is enough. Whoever is asked to come again sells something else meanwhile. */
export async function sellUntil(
  deployment: Pick<Deployment, 'agent' | 'network'>,
  sellers: number,
  enough: (sold: Sold) => boolean,
  how: Selling = {},
): Promise<Sold> {
  const sold: Sold = { sales: [], cut: 0, putOff: 0, slowestMs: 0, faults: [] }
  const begun: Promise<void>[] = []
  const work = async () => {
    while (!enough(sold) && sold.faults.length < 5)
      await new Promise<void>(next => {
        const sale = sellOne(deployment, sold, { ...how, whenPutOff: next }).catch((error: unknown) => void sold.faults.push(String(error)))
        begun.push(sale.finally(next))
      })
  }
  await Promise.all(Array.from({ length: sellers }, work))
  await Promise.all(begun)
  return sold
}

export async function sellOne(
  { agent, network }: Pick<Deployment, 'agent' | 'network'>,
  sold: Sold,
  { card = false, patienceMs = 120_000, whenPutOff = () => {} }: Selling = {},
): Promise<void> {
  const began = performance.now()
  const keys = [{ 'idempotency-key': randomUUID() }, { 'idempotency-key': randomUUID() }]
  const paymentGatewayUUID = agent.gateway(card ? 'StripeV2' : 'Deferred')
  const insist = (question: () => Promise<Reply>) => untilAnswered(question, sold, began + patienceMs, whenPutOff)
  const registered = await insist(() => register(agent, { paymentGatewayUUID }, keys[0]))
  const { purchaseUUID, policyUuid, clientSecret } = registered.body.data
  if (card) await pay(network, clientSecret)
  const bought = await insist(() => purchase(agent, { purchaseUUID, paymentGatewayUUID }, keys[1]))
  sold.sales.push({ policyUuid, number: bought.body.data.policyData.policyNumber })
  sold.slowestMs = Math.max(sold.slowestMs, performance.now() - began)
}

/** Asks again what got no answer, or was asked to wait. Anything else but 200 is a fault. */
async function untilAnswered(question: () => Promise<Reply>, sold: Sold, until: number, whenPutOff: () => void): Promise<Reply> {
  for (;;) {
    const reply = await question().catch(() => undefined)
    if (reply?.status === 200) return reply
    if (reply && !mayComeAgain(reply)) throw new Error(`${reply.status} ${reply.text.slice(0, 200)}`)
    if (performance.now() > until) throw new Error(`not sold in time; the last answer was ${reply?.text.slice(0, 200) ?? 'none'}`)
    if (reply?.status === 409) whenPutOff()
    if (reply) sold.putOff += 1
    else sold.cut += 1
    await delay(100)
  }
}

const mayComeAgain = ({ status, headers }: Reply): boolean => [409, 429, 503].includes(status) && headers.has('retry-after')

/** With a card that pays. The line to the network may break, too: the same confirmation is asked for again. */
export async function pay(network: Deployment['network'], clientSecret: string, card = 'pm_card_visa'): Promise<string> {
  const [id = ''] = clientSecret.split('_secret_')
  for (let tries = 0; tries < 50; tries++) {
    const reply = await fetch(`${network.url}/v1/payment_intents/${id}/confirm`, {
      method: 'POST',
      headers: { authorization: `Bearer ${network.publishableKey}` },
      body: new URLSearchParams({ client_secret: clientSecret, payment_method: card }),
    }).catch(() => undefined)
    const body = (await reply?.json().catch(() => undefined)) as
      | { status?: string; error?: { payment_intent?: { status?: string }; code?: string } }
      | undefined
    const status = body?.status ?? body?.error?.payment_intent?.status
    if (status) return status
    await delay(50)
  }
  throw new Error('the card network never answered')
}

/** Nothing acknowledged is lost, nothing is there twice, and what is always true of sales is true. */
export async function faultsOf(deployment: Pick<Deployment, 'node' | 'sql' | 'agent'>, sold: Sold, before = 0): Promise<string[]> {
  await deployment.node().ask('drain')
  const rows = await deployment.sql(`select id, number, status from policies where status = 'purchased' and business_unit_id = $1`, [
    deployment.agent.unitId,
  ])
  const found = new Map(rows.map(({ id, number }) => [String(id), String(number)]))
  const lost = sold.sales.filter(({ policyUuid, number }) => found.get(policyUuid) !== number)
  const surplus = rows.length - before - sold.sales.length
  return [
    ...sold.faults,
    ...(lost.length > 0 ? [`${lost.length} acknowledged sales are not there: ${lost[0]?.policyUuid}`] : []),
    ...(surplus !== 0 ? [`${surplus} more policies than were sold`] : []),
    ...(await deployment.node().ask('invariants')),
  ]
}

export async function soldSoFar({ sql, agent }: Pick<Deployment, 'sql' | 'agent'>): Promise<number> {
  const [row] = await sql(`select count(*)::int as count from policies where status = 'purchased' and business_unit_id = $1`, [
    agent.unitId,
  ])
  return Number(row?.['count'])
}

export const countsOf = (sold: Sold): Record<string, number> => ({
  sales: sold.sales.length,
  'answers lost': sold.cut,
  'put off': sold.putOff,
  'slowest ms': Math.round(sold.slowestMs),
})

/** design 5, I5: what the card network has taken is a sale, or given back, or in front of somebody. */
export async function moneyAstray({ network, sql }: Pick<Deployment, 'network' | 'sql'>): Promise<string[]> {
  const held = network.counters().intents.filter(({ received, refunded }) => received !== refunded)
  const rows = await sql(
    `select p.id, p.intent_id, p.state, p.amount_cents, exists (select from payment_reviews r where r.payment_id = p.id) as reviewed from payments p where p.gateway = 'StripeV2'`,
  )
  const known = new Map(rows.map(row => [String(row['intent_id']), row]))
  return held.flatMap(({ id, received, refunded, charges }) => {
    const payment = known.get(id)
    if (charges > 1) return [`${id} was charged ${charges} times`]
    if (payment?.['reviewed']) return []
    if (!payment || payment['state'] !== 'settled') return [`${id} is paid, and ${payment ? String(payment['state']) : 'unknown here'}`]
    return received - refunded === Number(payment['amount_cents']) ? [] : [`${id} is settled with another amount`]
  })
}
