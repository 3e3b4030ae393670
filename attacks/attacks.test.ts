import { afterAll, beforeAll, expect, test } from 'vitest'
import { type CardNetwork, startCardNetwork } from '#fakes/card-network/start.ts'
import { type TestApp, testApp } from '#server/kit/testing.ts'
import { brokenInvariants } from '#server/policies/invariants.ts'
import { cases } from './cases.ts'
import { type Field, openField } from './field.ts'
import { fuzz } from './fuzz.ts'
import { type Oracle, openOracle } from './oracle.ts'
import { play } from './play.ts'
import { environmentFor, type Target, webhookSecret } from './target.ts'

// The quick attacks and a handful of the fuzzer's requests, at every run of the tests; `npm run attacks` plays all of them.

let network: CardNetwork
let app: TestApp
let field: Field
let oracle: Oracle
let ahead = 0
const log: string[] = []

beforeAll(async () => {
  network = await startCardNetwork()
  const clock = { now: () => new Date(Date.now() + ahead) }
  const environment = { ...environmentFor(network), LOG_LEVEL: 'info' }
  app = await testApp(environment, { clock, logTo: { write: line => void log.push(line) } })
  const origin = await app.front.http.listen({ port: 0, host: '127.0.0.1' })
  app.start()
  network.webhooksTo({ url: `${origin}/api/payments/webhook`, secret: webhookSecret, backoff: [50] })
  const { database, outbox } = app.world
  const target: Target = {
    origin,
    network,
    sql: async (text, values = []) => (await database.pool.query(text, values)).rows,
    invariants: () => brokenInvariants(database),
    clock: async ms => (ahead = ms),
    // The worker takes jobs, too: what it has just taken, nobody else knows to be running.
    drain: async () => {
      const due = `select from jobs where state = 'running' or (state = 'waiting' and run_at <= now()) limit 1`
      do await outbox.drain()
      while ((await database.pool.query(due)).rows.length > 0)
    },
    log: () => log.join(''),
    memory: () => undefined,
    watch: () => undefined,
    held: () => undefined,
    alive: () => true,
    stop: () => app.stop(),
  }
  field = await openField(target, 20, false)
  oracle = await openOracle(field)
})
afterAll(async () => {
  await app.stop()
  await network.stop()
})

test.each(cases.filter(({ quick }) => quick))('$id: $title', async ({ id }) => {
  const [outcome] = await play(
    field,
    oracle,
    each => each.id === id,
    () => {},
  )
  expect(outcome).toMatchObject({ id, verdict: 'held', faults: [] })
})

test('a case whose call is not served has not held', async () => {
  const [outcome] = await play(
    { ...field, served: new Set() },
    oracle,
    ({ id }) => id === 'A01',
    () => {},
  )
  expect(outcome).toMatchObject({ verdict: 'fell', faults: ['POST /api/policy/detail is not served'] })
})

test('a few of the fuzzer’s requests: no defect, no slow answer, no foreign row', async () => {
  await oracle.before()
  const fuzzed = await fuzz(field, 1, 300)
  expect([...fuzzed.faults, ...(await oracle.faults({ id: 'fuzz', title: '', run: () => Promise.resolve() }))]).toEqual([])
})
