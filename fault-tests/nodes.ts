import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { startCardNetwork } from '#fakes/card-network/start.ts'
import type { FaultTest, Result } from './fault-test.ts'
import { asker, signIn } from './harness/agent.ts'
import { checkedEveryMs, openBalancer } from './harness/balancer.ts'
import { type Postgres, startPostgres } from './harness/postgres.ts'
import { countsOf, faultsOf, sellUntil } from './harness/sellers.ts'
import { type Service, startService } from './harness/service.ts'
import { openDeployment, settingsFor, type Deployment } from './harness/deployment.ts'
import { openWire } from './harness/wire.ts'

/** Two nodes of one database, one request here, the next there; each is replaced in turn while eight sell. Started and stopped as README.md says. */
async function rollingRestart(restarts: number): Promise<Result> {
  const [postgres, network, balancer] = await Promise.all([startPostgres(), startCardNetwork(), openBalancer()])
  const environment = {
    ...settingsFor(network),
    DATABASE_URL: postgres.url(),
    FILE_STORE: `file:${join(postgres.folder, 'files')}`,
    PUBLIC_URL: balancer.origin,
    STOP_DELAY_MS: String(10 * checkedEveryMs),
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
    const old = nodes.shift() as Service
    // The proxy learns of it by asking whether it is ready.
    ends.push(await old.stop())
    balancer.nodes.delete(old.origin)
  }
  over = true
  const sold = await selling
  const failed = sold.cut + sold.putOff
  for (const node of nodes) ends.push(await node.stop())
  balancer.stop()
  // It can be asked what there is in the database.
  const witness = await startService({ program: 'fault-tests/harness/node.ts', environment })
  const sql = (text: string, values: unknown[] = []): ReturnType<Deployment['sql']> => witness.ask('sql', text, values)
  const faults = await faultsOf({ agent, sql, node: () => witness }, sold)
  await witness.stop()
  await network.stop()
  await postgres.remove()
  return {
    counts: { restarts, ...countsOf(sold), 'asked elsewhere': balancer.moved },
    faults: [
      ...faults,
      ...(failed > 0 ? [`${failed} requests failed`] : []),
      ...ends.filter(status => status !== 0).map(status => `a node ended with ${status}`),
    ],
  }
}

const promoteWithinMs = 30_000

/** The primary dies; its synchronous standby takes over, and the line is led there, as a proxy before both does. */
async function standbyPromoted(rounds: number): Promise<Result> {
  const faults: string[] = []
  const counts = { rounds, sales: 0, 'longest without a sale ms': 0 }
  for (let round = 0; round < rounds; round++) {
    const primary = await startPostgres({ settings: { wal_level: 'replica', max_wal_senders: '5', hot_standby: 'on' } })
    const wire = await openWire(primary.port)
    const deployment = await openDeployment({ postgres: primary, databaseUrl: primary.url().replace(`:${primary.port}`, `:${wire.port}`) })
    const standby = await startPostgres({ copyOf: primary, settings: { hot_standby: 'on' } })
    await primary.query(`alter system set synchronous_standby_names = '*'`)
    await primary.query('select pg_reload_conf()')
    const sender = await synchronousSender(primary)
    let over = false
    const selling = sellUntil(deployment, 4, () => over)
    await delay(3_000)
    // From here on the standby hears of nothing: what were acknowledged all the same would be lost with the primary.
    process.kill(sender, 'SIGSTOP')
    await delay(500)
    const lost = performance.now()
    await primary.kill()
    await standby.query(`select pg_promote()`)
    wire.leadTo(standby.port)
    const first = await sellUntil(deployment, 1, ({ sales }) => sales.length > 0)
    const away = performance.now() - lost
    await delay(1_000)
    over = true
    const sold = await selling
    sold.sales.push(...first.sales)
    sold.faults.push(...first.faults)
    faults.push(...(await faultsOf(deployment, sold)))
    if (away > promoteWithinMs) faults.push(`the first sale came after ${Math.round(away)} ms`)
    counts.sales += sold.sales.length
    counts['longest without a sale ms'] = Math.max(counts['longest without a sale ms'], Math.round(away))
    await deployment.stop()
    wire.stop()
    await standby.remove()
    await primary.remove()
  }
  return { counts, faults }
}

/** The process that tells the standby of every commit, once the primary waits for it. */
async function synchronousSender(primary: Postgres): Promise<number> {
  for (let tries = 0; tries < 100; tries++) {
    const [found] = await primary.query(`select pid from pg_stat_replication where sync_state = 'sync'`)
    if (found) return Number(found['pid'])
    await delay(100)
  }
  throw new Error('the standby is not synchronous')
}

export const nodes: FaultTest[] = [
  {
    id: 'rolling-restart',
    title: 'two nodes by npm run serve, behind a proxy without sticky sessions, each replaced in turn while eight sell',
    invariant: 'no request fails, no node ends badly, each sale is there once',
    needs: 'PostgreSQL',
    run: rounds => rollingRestart(rounds(10)),
  },
  {
    id: 'standby-promoted',
    title: 'the primary is lost, its synchronous standby promoted',
    invariant: 'nothing acknowledged is lost, and sales are back within 30 s',
    needs: 'PostgreSQL',
    run: rounds => standbyPromoted(rounds(5)),
  },
]
