import { setTimeout as delay } from 'node:timers/promises'
import { type FaultTest, random, type Result } from '../fault-test.ts'
import { type Json, purchase, register, type Reply } from '#testing/agent.ts'
import { type Deployment, openDeployment } from './deployment.ts'
import { pay, unmatchedPayments } from './sellers.ts'

export const once = 'each movement is there once with its money, and every check of sales and movements holds'

type Drill = (deployment: Deployment, say: (problem: string) => void, many: number) => Promise<Record<string, number>>

/** Runs a fault test against the real service, and then checks the money of every sale and movement. */
export const drill =
  (work: Drill, full: number): FaultTest['run'] =>
  async (rounds): Promise<Result> => {
    const deployment = await openDeployment()
    const problems: string[] = []
    const counts = await work(deployment, problem => problems.push(problem), rounds(full))
    await deployment.network.idle()
    await deployment.node().ask('drain')
    problems.push(...(await deployment.node().ask('invariants')), ...(await unmatchedPayments(deployment)))
    await deployment.stop()
    return { counts, problems }
  }

export const hourLater = 61 * 60_000
export const post = ({ agent }: Deployment, path: string, body: Json, key?: string): Promise<Reply> =>
  agent.ask(`/api/policy/${path}`, { body, ...(key ? { headers: { 'idempotency-key': key } } : {}) })
export const askAsClient = ({ ask }: Deployment, path: string, body: Json): Promise<Reply> => ask(`/api/client/${path}`, { body })
export const cancelling = (policyUuid: string, version = 1) => ({ policyUuid, version, expectedRefund: 33.76, reason: 'other' })

export async function setClock({ ask }: Deployment, at?: number): Promise<void> {
  const { status, text } = await ask('/dev/clock', { body: at === undefined ? {} : { at: new Date(at).toISOString() } })
  if (status !== 200) throw new Error(`the clock was not set: ${text}`)
}

export async function reconcileAt(deployment: Deployment, at: number): Promise<void> {
  await setClock(deployment, at)
  await deployment.node().ask('reconcile')
}

export async function sellByCard(deployment: Deployment): Promise<Json> {
  const { agent, network } = deployment
  const paymentGatewayUUID = agent.gateway('StripeV2')
  const { data } = (await register(agent, { paymentGatewayUUID })).body
  await pay(network, data.clientSecret)
  await purchase(agent, { purchaseUUID: data.purchaseUUID, paymentGatewayUUID })
  return data
}

export const refundedOf = ({ network }: Deployment, { clientSecret }: Json): number =>
  network.counters().intents.find(({ id }) => clientSecret.startsWith(id))?.refunded ?? 0

export const versionsOf = async (deployment: Deployment, policyUuid: string): Promise<Json[]> =>
  (await post(deployment, 'versions', { policyUuid })).body.data

/** Repeats the request until the service is available, as the portal does. */
export async function insist(work: () => Promise<Reply>): Promise<Reply> {
  for (const end = performance.now() + 60_000; ; await delay(50)) {
    const reply = await work().catch(() => undefined)
    if (reply && reply.status < 500 && reply.body?.error !== 'idempotency.running') return reply
    if (performance.now() > end) throw new Error(`no reply in a minute: ${reply?.text ?? 'none'}`)
  }
}

/** Kills the service at a random moment of a request, and starts it again. Returns 1 if the request got no response. */
export async function killDuring(deployment: Deployment, request: Promise<unknown>, mostMs: number): Promise<number> {
  const outcome = request.then(
    () => 0,
    () => 1,
  )
  await delay(random(0, mostMs))
  await deployment.node().kill()
  const cut = await outcome
  deployment.network.clearFaults()
  await deployment.start()
  return cut
}
