import { join } from 'node:path'
import { startCardNetwork } from '#fakes/card-network/start.ts'
import type { FaultTest, Result } from './fault-test.ts'
import { asker, signIn } from '#testing/agent.ts'
import { checkIntervalMs, openBalancer } from './harness/balancer.ts'
import { type Postgres, startPostgres } from '#testing/postgres.ts'
import { countsOf, findProblems, keepSelling, sellUntil } from './harness/sellers.ts'
import { type Service, startService } from '#testing/service.ts'
import { openDeployment, settingsFor, type Deployment } from './harness/deployment.ts'
import { openProxy } from './harness/proxy.ts'
import { until } from '#tools/until.ts'

/** Replaces each of two nodes in turn during sales. Requests alternate between the nodes, which start and stop as in docs/operations.md. */
async function rollingRestart(restarts: number): Promise<Result> {
  const [postgres, network, balancer] = await Promise.all([startPostgres(), startCardNetwork(), openBalancer()])
  const environment = {
    ...settingsFor(network),
    DATABASE_URL: postgres.url(),
    FILE_STORE: `file:${join(postgres.folder, 'files')}`,
    PUBLIC_URL: balancer.origin,
    STOP_DELAY_MS: String(10 * checkIntervalMs),
  }
  const start = () => startService({ program: 'serve', environment })
  const nodes: Service[] = [await start(), await start()]
  for (const { origin } of nodes) balancer.nodes.add(origin)
  const ask = asker(() => balancer.origin)
  const agent = await signIn(ask, 'agent@azahar.example')
  let over = false
  const selling = sellUntil({ agent, network }, 8, () => over)
  const ends: (number | null)[] = []
  for (let round = 0; round < restarts; round++) {
    const next = await start()
    balancer.nodes.add(next.origin)
    nodes.push(next)
    // Safe: a node was added just now.
    const old = nodes.shift() as Service
    // The proxy detects this by its readiness checks.
    ends.push(await old.stop())
    balancer.nodes.delete(old.origin)
  }
  over = true
  const sold = await selling
  const failed = sold.cut + sold.deferred
  for (const node of nodes) ends.push(await node.stop())
  balancer.stop()
  // This node gives access to the database.
  const witness = await startService({ program: 'testing/node.ts', environment })
  const sql = (text: string, values: unknown[] = []): ReturnType<Deployment['sql']> => witness.ask('sql', text, values)
  const problems = await findProblems({ agent, sql, node: () => witness }, sold)
  await witness.stop()
  await network.stop()
  await postgres.remove()
  return {
    counts: { restarts, ...countsOf(sold), 'sent to the next node': balancer.retries },
    problems: [
      ...problems,
      ...(failed > 0 ? [`${failed} requests failed`] : []),
      ...ends.filter(status => status !== 0).map(status => `a node ended with ${status}`),
    ],
  }
}

const promoteWithinMs = 30_000

/** Kills the primary, promotes its synchronous standby and redirects the connection, as a proxy would. */
async function standbyPromoted(rounds: number): Promise<Result> {
  const problems: string[] = []
  const counts = { rounds, sales: 0, 'longest without a sale ms': 0 }
  for (let round = 0; round < rounds; round++) {
    const primary = await startPostgres({ settings: { wal_level: 'replica', max_wal_senders: '5', hot_standby: 'on' } })
    const proxy = await openProxy(primary.port)
    const deployment = await openDeployment({ postgres: primary, databaseUrl: primary.url().replace(`:${primary.port}`, `:${proxy.port}`) })
    const standby = await startPostgres({ copyOf: primary, settings: { hot_standby: 'on' } })
    await primary.query(`alter system set synchronous_standby_names = '*'`)
    await primary.query('select pg_reload_conf()')
    const sender = await synchronousSender(primary)
    const selling = keepSelling(deployment, 4)
    await selling.more(20)
    // The standby receives no more commits: a sale acknowledged from now on would be lost with the primary.
    process.kill(sender, 'SIGSTOP')
    await until(
      'a sale that waits for the standby',
      async () => (await primary.query(`select from pg_stat_activity where wait_event = 'SyncRep'`)).length,
    )
    const lost = performance.now()
    await primary.kill()
    await standby.query(`select pg_promote()`)
    proxy.redirectTo(standby.port)
    const first = await sellUntil(deployment, 1, ({ sales }) => sales.length > 0)
    const outageMs = performance.now() - lost
    await selling.more(20)
    const sold = await selling.stop()
    sold.sales.push(...first.sales)
    sold.problems.push(...first.problems)
    problems.push(...(await findProblems(deployment, sold)))
    if (outageMs > promoteWithinMs) problems.push(`the first sale came after ${Math.round(outageMs)} ms`)
    counts.sales += sold.sales.length
    counts['longest without a sale ms'] = Math.max(counts['longest without a sale ms'], Math.round(outageMs))
    await deployment.stop()
    proxy.stop()
    await standby.remove()
    await primary.remove()
  }
  return { counts, problems }
}

/** Returns the id of the WAL sender, once replication is synchronous. */
async function synchronousSender(primary: Postgres): Promise<number> {
  return until('a synchronous standby', async () => {
    const [found] = await primary.query(`select pid from pg_stat_replication where sync_state = 'sync'`)
    return found && Number(found['pid'])
  })
}

export const nodes: FaultTest[] = [
  {
    id: 'rolling-restart',
    title: 'two nodes of npm run serve behind a proxy without sticky sessions, each replaced in turn during sales',
    invariant: 'no request fails, every node exits with 0, each sale exists once',
    needs: 'PostgreSQL',
    run: rounds => rollingRestart(rounds(10)),
  },
  {
    id: 'standby-promoted',
    title: 'the primary is lost and its synchronous standby promoted',
    invariant: 'no acknowledged sale is lost, and sales resume within 30 s',
    needs: 'PostgreSQL',
    run: rounds => standbyPromoted(rounds(5)),
  },
]
