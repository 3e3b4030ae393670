import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type CardNetwork, startCardNetwork } from '#fakes/card-network/start.ts'
import { type App, openApp } from '#server/app.ts'
import { type Config, readConfig } from '#server/config.ts'
import { prepare } from '#server/database/prepare.ts'
import { databaseOf } from '#server/kit/database.ts'
import { openEmbedded } from '#server/kit/store/embedded.ts'
import { reconcile } from '#server/policies/payment/reconcile.ts'
import { brokenInvariants } from '#server/policies/checks/invariants.ts'
import { openRandom } from '#common/kit/random.ts'
import type { FaultTest, Result } from './fault-test.ts'
import { type Agent, asker, purchase, register, signIn } from '#testing/agent.ts'
import { unmatchedPayments, pay } from './harness/sellers.ts'
import { settingsFor, webhookSecret } from './harness/deployment.ts'

/** One process with the server, its database, the card network and a clock that the seed controls. */
type World = { app: App; network: CardNetwork; agent: Agent; sql(text: string): Promise<Record<string, unknown>[]>; stop(): Promise<void> }
type Sale = { purchaseUUID: string; policyUuid: string; clientSecret: string | null }
/** A purchase that is repeated with its idempotency key, and the responses that it got. */
type Repeated = { key: string; replies: Set<string> }

const actions = [
  'purchase',
  'purchase',
  'repeat',
  'repeat',
  'pay',
  'pay',
  'delete',
  'delete',
  'decline',
  'replace',
  'jobs',
  'reconcile',
  'tomorrow',
] as const
const networkFaults = ['drop-before', 'drop-after', 'rate-limit', 'error', 'error-after'] as const
const deliveries = ['normal', 'duplicate', 'held', 'lost', 'late'] as const
const seedsOfOneWorld = 100
const hour = 3_600_000

async function simulate(many: number, first: number): Promise<Result> {
  const dump = await emptyWorld()
  const counts: Record<string, number> = { seeds: 0, actions: 0 }
  const failures: string[] = []
  for (let seed = first; seed < first + many && failures.length < 3; ) {
    const world = await openWorld(dump)
    for (const end = Math.min(seed + seedsOfOneWorld, first + many); seed < end; seed++) {
      const problems = await runSeed(world, seed, counts).catch((error: unknown) => [String(error)])
      if (problems.length > 0)
        failures.push(
          `seed ${seed}: ${problems.slice(0, 2).join('; ')} (to repeat: npm run fault-tests -- --only simulation --seed ${seed})`,
        )
      if (problems.length > 0) seed = end
    }
    for (const { status, count } of await world.sql('select status, count(*)::int as count from policies group by 1'))
      counts[String(status)] = (counts[String(status)] ?? 0) + Number(count)
    await world.stop()
  }
  return { counts, problems: failures }
}

/** Runs concurrent actions and faults against one sale, then gives the reconciler more than a day. */
async function runSeed(world: World, seed: number, counts: Record<string, number>): Promise<string[]> {
  const random = openRandom(seed)
  const { agent, network, app } = world
  network.webhooks({ mode: random.oneOf(deliveries), ms: 5 })
  const paymentGatewayUUID = agent.gateway(random.oneOf(['Deferred', 'StripeV2', 'StripeV2']))
  const asked = { paymentGatewayUUID, saveBudget: random.fraction() < 0.2 }
  // A phone that loses its connection repeats the request at once, and then once more.
  const tries = Array.from({ length: Math.ceil(random.fraction() * 3) }, () =>
    register(agent, asked, { 'idempotency-key': `sale ${seed}` }),
  )
  const replies = await Promise.all(tries)
  // A repeated request gets a 409 while the first one is running, and is sent again.
  const registrations = replies.filter(({ status }) => status === 200)
  const [registered] = registrations
  if (!registered) return [`not registered: ${replies[0]?.text.slice(0, 200)}`]
  if (registrations.some(({ text }) => text !== registered.text)) return ['a repeated registration got another reply']
  const repeated = { key: `purchase ${seed}`, replies: new Set<string>() }
  for (let remaining = random.below(4); remaining > 0; remaining--)
    network.fault({ fault: random.oneOf(networkFaults), skip: random.below(5) })
  for (let round = Math.ceil(random.fraction() * 4); round > 0; round--) {
    const together = Array.from({ length: Math.ceil(random.fraction() * 5) }, () => random.oneOf(actions))
    counts['actions'] = (counts['actions'] ?? 0) + together.length
    await Promise.all(
      together.map(action => runAction(world, action, registered.body.data, paymentGatewayUUID, repeated).catch(() => 'failed')),
    )
  }
  network.clearFaults()
  network.webhooks({ mode: 'normal' })
  network.release()
  await network.idle()
  for (const hours of [0, 30, 31, 32]) await advance(world, hours)
  counts['seeds'] = (counts['seeds'] ?? 0) + 1
  return [
    ...(repeated.replies.size > 1 ? ['a repeated purchase got different replies'] : []),
    ...(await brokenInvariants(app.world.database)),
    ...(await unmatchedPayments(world)),
  ]
}

/** Runs an action. Its result does not matter, because only the final state is checked. */
async function runAction(
  world: World,
  action: (typeof actions)[number],
  sale: Sale,
  paymentGatewayUUID: string,
  { key, replies }: Repeated,
): Promise<unknown> {
  const { agent, network } = world
  const { purchaseUUID, policyUuid, clientSecret } = sale
  switch (action) {
    case 'purchase':
      return purchase(agent, { paymentGatewayUUID, purchaseUUID })
    case 'repeat': {
      const reply = await purchase(agent, { paymentGatewayUUID, purchaseUUID }, { 'idempotency-key': key })
      if (reply.status === 200) replies.add(reply.text)
      return reply
    }
    case 'pay':
    case 'decline':
      return clientSecret && pay(network, clientSecret, action === 'pay' ? 'pm_card_visa' : 'pm_card_visa_chargeDeclined')
    case 'delete':
      return agent.ask('/api/policy', { method: 'DELETE', body: { policyUuid } })
    case 'replace':
      return register(agent, { paymentGatewayUUID, policyUuid, buReference: 'replaced' })
    case 'jobs':
      return doJobs(world)
    case 'reconcile':
      return advance(world, 0.1)
    case 'tomorrow':
      return advance(world, 25)
  }
}

/** Runs the jobs and the reconciler as if this many hours had passed. */
async function advance(world: World, hours: number): Promise<void> {
  const { app } = world
  const then = { ...app.world, clock: { now: () => new Date(Date.now() + hours * hour) } }
  await doJobs(world)
  await reconcile({ ...app.sales, world: then })
}

/** Runs all jobs except the slow rendering of documents, which does not matter here. */
async function doJobs(world: World): Promise<void> {
  await world.sql(`update jobs set state = 'done', finished_at = now() where subscriber = 'policies.purchased' and state = 'waiting'`)
  await world.app.world.outbox.drain()
}

async function emptyWorld(): Promise<Blob> {
  const embedded = await openEmbedded({ memory: true })
  await prepare(
    databaseOf(embedded.pool, true, () => Promise.resolve()),
    configOf({}),
  )
  const dump = await embedded.dump()
  await embedded.close()
  return dump
}

function configOf(environment: Record<string, string>): Config {
  const config = readConfig({
    NODE_ENV: 'test',
    SECRETS_KEY: Buffer.alloc(32, 'fault-test').toString('base64'),
    ...environment,
    LOG_LEVEL: 'silent',
  })
  if (Array.isArray(config)) throw new Error(JSON.stringify(config))
  return config
}

async function openWorld(dump: Blob): Promise<World> {
  const network = await startCardNetwork()
  const embedded = await openEmbedded({ memory: true, dump }, 60_000)
  const database = databaseOf(embedded.pool, true, () => embedded.close())
  const folder = mkdtempSync(join(tmpdir(), 'portolan-simulation-'))
  const app = await openApp(configOf({ ...settingsFor(network), FILE_STORE: `file:${folder}` }), database)
  const origin = await app.context.http.listen({ port: 0, host: '127.0.0.1' })
  network.webhooksTo({ url: `${origin}/api/payments/webhook`, secret: webhookSecret, backoff: [5, 20] })
  const ask = asker(() => origin)
  return {
    app,
    network,
    agent: await signIn(ask, 'agent@azahar.example'),
    sql: async text => (await database.pool.query<Record<string, unknown>>(text)).rows,
    async stop() {
      await app.stop()
      await network.stop()
      rmSync(folder, { recursive: true })
    },
  }
}

export const simulation: FaultTest[] = [
  {
    id: 'simulation',
    title: 'sales, payments, deletions, faults and clock changes in an order chosen by a seed',
    invariant: 'a sale is never lost, doubled or half-done, and every payment is accounted for; a failing seed is printed and reproducible',
    run: (rounds, seed) => simulate(rounds(10_000), seed),
  },
]
