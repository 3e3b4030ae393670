import { CompiledQuery } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type CardNetwork, startCardNetwork } from '#fakes/card-network/start.ts'
import { type TestApp, testApp } from '#server/kit/testing.ts'
import { brokenInvariants } from '#server/policies/checks/invariants.ts'
import { cases } from './cases.ts'
import { type Scenario, openScenario } from './scenario.ts'
import { fuzz } from './fuzz.ts'
import { type Oracle, openOracle } from './oracle.ts'
import { runCases } from './run-cases.ts'
import { rowsNaming } from '#tools/suite/spec-rows.ts'
import { environmentFor, type Target, webhookSecret } from './target.ts'

// The quick attacks and a few of the fuzzer's requests. `npm run attacks` runs all of them.

let network: CardNetwork
let app: TestApp
let scenario: Scenario
let oracle: Oracle
let offsetMs = 0
const log: string[] = []

beforeAll(async () => {
  network = await startCardNetwork()
  const clock = { now: () => new Date(Date.now() + offsetMs) }
  const environment = { ...environmentFor(network), LOG_LEVEL: 'info' }
  app = await testApp(environment, { clock, logTo: { write: line => void log.push(line) } })
  const origin = await app.context.http.listen({ port: 0, host: '127.0.0.1' })
  app.start()
  network.webhooksTo({ url: `${origin}/api/payments/webhook`, secret: webhookSecret, backoff: [50] })
  const { database, outbox } = app.world
  const target: Target = {
    origin,
    network,
    sql: async (text, values = []) => (await database.kysely.executeQuery<Record<string, unknown>>(CompiledQuery.raw(text, values))).rows,
    invariants: () => brokenInvariants(database),
    clock: async ms => (offsetMs = ms),
    // The worker takes jobs, too, so a drained outbox may still have running jobs.
    drain: async () => {
      const due = `select from jobs where state = 'running' or (state = 'waiting' and run_at <= now()) limit 1`
      do await outbox.drain()
      while ((await database.pool.query(due)).rows.length > 0)
    },
    log: () => log.join(''),
    memory: () => undefined,
    startWatch: () => undefined,
    longestWorkMs: () => undefined,
    alive: () => true,
    stop: () => app.stop(),
  }
  scenario = await openScenario(target, 20, false)
  oracle = await openOracle(scenario)
})
afterAll(async () => {
  await app.stop()
  await network.stop()
})

for (const { id, title } of cases.filter(({ quick }) => quick))
  test(`${id}: ${title}`, { tags: rowsNaming(id) }, async () => {
    const [outcome] = await runCases(
      scenario,
      oracle,
      each => each.id === id,
      () => {},
    )
    expect(outcome).toMatchObject({ id, verdict: 'passed', problems: [] })
  })

test('a case whose call does not exist fails', async () => {
  const [outcome] = await runCases(
    { ...scenario, served: new Set() },
    oracle,
    ({ id }) => id === 'A01',
    () => {},
  )
  expect(outcome).toMatchObject({ verdict: 'failed', problems: ['POST /api/policy/detail is not served'] })
})

test('a few fuzzer requests cause no 500, slow response or foreign data', async () => {
  await oracle.before()
  const fuzzed = await fuzz(scenario, 1, 300)
  expect([...fuzzed.problems, ...(await oracle.findProblems({ id: 'fuzz', title: '', run: () => Promise.resolve() }))]).toEqual([])
})
