import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { purchase, register, type Reply } from '#testing/agent.ts'
import type { Deployment } from './deployment.ts'
import { until } from '#tools/until.ts'

/** The results of sellers. They complete every started sale, as the portal does, by retrying with the same idempotency key. */
export type Sold = {
  sales: { policyUuid: string; number: string }[]
  /** Requests without a response. */
  cut: number
  /** Responses that asked for a retry. */
  deferred: number
  /** The longest time of one sale, from its first request to its policy. */
  slowestMs: number
  problems: string[]
}

export const nothingSold = (): Sold => ({ sales: [], cut: 0, deferred: 0, slowestMs: 0, problems: [] })

export type SellOptions = { card?: boolean; timeoutMs?: number; onDeferred?: () => void }

/** Runs this many sellers until they are stopped. `more` waits for this many further sales. */
export function keepSelling(deployment: Pick<Deployment, 'agent' | 'network'>, sellers: number, options: SellOptions = {}) {
  const sold = nothingSold()
  let over = false
  const ending = sellUntil(deployment, sellers, () => over, options, sold)
  return {
    sold,
    async more(count: number): Promise<void> {
      const wanted = sold.sales.length + count
      await until(`${count} more sales`, () => sold.sales.length >= wanted || sold.problems.length >= 5)
    },
    stop(): Promise<Sold> {
      over = true
      return ending
    },
  }
}

/** Runs this many sellers until `enough`. A seller whose sale conflicts starts another one meanwhile. */
export async function sellUntil(
  deployment: Pick<Deployment, 'agent' | 'network'>,
  sellers: number,
  enough: (sold: Sold) => boolean,
  options: SellOptions = {},
  sold = nothingSold(),
): Promise<Sold> {
  const started: Promise<void>[] = []
  const work = async () => {
    while (!enough(sold) && sold.problems.length < 5)
      await new Promise<void>(next => {
        const sale = sellOne(deployment, sold, { ...options, onDeferred: next }).catch(
          (error: unknown) => void sold.problems.push(String(error)),
        )
        started.push(sale.finally(next))
      })
  }
  await Promise.all(Array.from({ length: sellers }, work))
  await Promise.all(started)
  return sold
}

export async function sellOne(
  { agent, network }: Pick<Deployment, 'agent' | 'network'>,
  sold: Sold,
  { card = false, timeoutMs = 120_000, onDeferred = () => {} }: SellOptions = {},
): Promise<void> {
  const began = performance.now()
  const keys = [{ 'idempotency-key': randomUUID() }, { 'idempotency-key': randomUUID() }]
  const paymentGatewayUUID = agent.gateway(card ? 'StripeV2' : 'Deferred')
  const retry = (request: () => Promise<Reply>) => retryUntilSuccess(request, sold, began + timeoutMs, onDeferred)
  const registered = await retry(() => register(agent, { paymentGatewayUUID }, keys[0]))
  const { purchaseUUID, policyUuid, clientSecret } = registered.body.data
  if (card) await pay(network, clientSecret)
  const bought = await retry(() => purchase(agent, { purchaseUUID, paymentGatewayUUID }, keys[1]))
  sold.sales.push({ policyUuid, number: bought.body.data.policyData.policyNumber })
  sold.slowestMs = Math.max(sold.slowestMs, performance.now() - began)
}

/** Retries a request without a response, or one whose response asks for a retry. Throws for any other status but 200. */
async function retryUntilSuccess(request: () => Promise<Reply>, sold: Sold, until: number, onDeferred: () => void): Promise<Reply> {
  for (;;) {
    const reply = await request().catch(() => undefined)
    if (reply?.status === 200) return reply
    if (reply && !isRetryable(reply)) throw new Error(`${reply.status} ${reply.text.slice(0, 200)}`)
    if (performance.now() > until) throw new Error(`not sold in time; the last response was ${reply?.text.slice(0, 200) ?? 'none'}`)
    if (reply?.status === 409) onDeferred()
    if (reply) sold.deferred += 1
    else sold.cut += 1
    await delay(100)
  }
}

const isRetryable = ({ status, headers }: Reply): boolean => [409, 429, 503].includes(status) && headers.has('retry-after')

/** Pays an intent by card and returns its status. Repeats the confirmation if the connection breaks. */
export const pay = (network: Deployment['network'], clientSecret: string, card = 'pm_card_visa'): Promise<string> =>
  act(network, clientSecret, 'confirm', { payment_method: card })

/** Answers the bank's authentication as the cardholder. */
export const authenticate = (network: Deployment['network'], clientSecret: string, outcome: 'approve' | 'fail'): Promise<string> =>
  act(network, clientSecret, 'authenticate', { outcome })

async function act(
  network: Deployment['network'],
  clientSecret: string,
  what: 'confirm' | 'authenticate',
  form: Record<string, string>,
): Promise<string> {
  const [id = ''] = clientSecret.split('_secret_')
  return until('a response of the card network', async () => {
    const reply = await fetch(`${network.url}/v1/payment_intents/${id}/${what}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${network.publishableKey}` },
      body: new URLSearchParams({ client_secret: clientSecret, ...form }),
    }).catch(() => undefined)
    // Safe: the fake responds in this format.
    const body = (await reply?.json().catch(() => undefined)) as
      | { status?: string; error?: { payment_intent?: { status?: string }; code?: string } }
      | undefined
    return body?.status ?? body?.error?.payment_intent?.status
  })
}

/** Checks that no acknowledged sale is lost or doubled, and that the invariants of sales hold. */
export async function findProblems(deployment: Pick<Deployment, 'node' | 'sql' | 'agent'>, sold: Sold, before = 0): Promise<string[]> {
  await deployment.node().ask('drain')
  const rows = await deployment.sql(`select id, number, status from policies where status = 'purchased' and business_unit_id = $1`, [
    deployment.agent.unitId,
  ])
  const found = new Map(rows.map(({ id, number }) => [String(id), String(number)]))
  const lost = sold.sales.filter(({ policyUuid, number }) => found.get(policyUuid) !== number)
  const surplus = rows.length - before - sold.sales.length
  return [
    ...sold.problems,
    ...(lost.length > 0 ? [`${lost.length} acknowledged sales are missing: ${lost[0]?.policyUuid}`] : []),
    ...(surplus !== 0 ? [`${surplus} more policies than were sold`] : []),
    ...(await deployment.node().ask('invariants')),
  ]
}

export async function countSold({ sql, agent }: Pick<Deployment, 'sql' | 'agent'>): Promise<number> {
  const [row] = await sql(`select count(*)::int as count from policies where status = 'purchased' and business_unit_id = $1`, [
    agent.unitId,
  ])
  return Number(row?.['count'])
}

export const countsOf = (sold: Sold): Record<string, number> => ({
  sales: sold.sales.length,
  'responses lost': sold.cut,
  deferred: sold.deferred,
  'slowest ms': Math.round(sold.slowestMs),
})

/** Returns the card payments that are neither a sale, refunded nor in review. There must be none. */
export async function unmatchedPayments({ network, sql }: Pick<Deployment, 'network' | 'sql'>): Promise<string[]> {
  const held = network.counters().intents.filter(({ received, refunded }) => received !== refunded)
  const rows = await sql(
    `select p.id, p.intent_id, p.state, p.amount_cents, exists (select from payment_reviews r where r.payment_id = p.id) as reviewed from payments p where p.gateway = 'StripeV2'`,
  )
  const known = new Map(rows.map(row => [String(row['intent_id']), row]))
  return held.flatMap(({ id, received, refunded, charges }) => {
    const payment = known.get(id)
    if (charges > 1) return [`${id} was charged ${charges} times`]
    if (payment?.['reviewed']) return []
    if (!payment || payment['state'] !== 'settled') return [`${id} is paid but ${payment ? String(payment['state']) : 'unknown here'}`]
    return received - refunded === Number(payment['amount_cents']) ? [] : [`${id} is settled with another amount`]
  })
}
