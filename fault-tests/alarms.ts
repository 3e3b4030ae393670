import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { readRules } from '#tools/alarms.ts'
import type { FaultTest, Result } from './fault-test.ts'
import { begin, register, sell } from './harness/agent.ts'
import { openMailServer } from './harness/mailbox.ts'
import { type Postgres, startPostgres } from './harness/postgres.ts'
import { type Prometheus, startPrometheus } from './harness/prometheus.ts'
import { pay } from './harness/sellers.ts'
import { openDeployment, type Deployment } from './harness/deployment.ts'

/** Something is broken until its alarms ring, and is mended again. */
type Trouble = { alarms: string[]; provoke(): Promise<unknown>; mend?(): Promise<unknown> }

const patienceMs = 120_000
const jobsCommand = join(import.meta.dirname, '../server/administration/work/jobs-command.ts')

async function everyAlarm(): Promise<Result> {
  const [postgres, post] = await Promise.all([startPostgres(), openMailServer()])
  const deployment = await openDeployment({ postgres, environment: { SMTP_URL: post.url, DATABASE_POOL: '4' } })
  const prometheus = await startPrometheus(new URL(deployment.origin).host)
  const faults: string[] = []
  const rang: string[] = []
  try {
    await sell(deployment.agent)
    // Longer than any alarm waits.
    await delay(10_000)
    for (const alarm of await prometheus.firing()) faults.push(`${alarm} rang while all was well`)
    for (const trouble of troubles(deployment, postgres, post)) {
      await until(async () => !(await rings(prometheus, trouble.alarms, 'some')))
      const all = await ringing(prometheus, trouble)
      if (all) rang.push(...trouble.alarms)
      else faults.push(`of ${trouble.alarms.join(', ')} only these rang: ${(await prometheus.firing()).join(', ') || 'none'}`)
      await trouble.mend?.()
    }
    const never = readRules().filter(({ alert }) => !rang.includes(alert))
    faults.push(...never.map(({ alert }) => `${alert} never rang`))
  } finally {
    await prometheus.stop()
    await deployment.stop()
    await post.stop()
    await postgres.remove()
  }
  return { counts: { alarms: readRules().length, rang: rang.length }, faults }
}

async function ringing(prometheus: Prometheus, trouble: Trouble): Promise<boolean> {
  let over = false
  const provoking = (async () => {
    while (!over) {
      await trouble.provoke()
      await delay(50)
    }
  })()
  const rang = await until(() => rings(prometheus, trouble.alarms, 'every'))
  over = true
  await provoking
  return rang
}

async function rings(prometheus: Prometheus, alarms: string[], many: 'some' | 'every'): Promise<boolean> {
  const firing = await prometheus.firing()
  return alarms[many](alarm => firing.includes(alarm))
}

async function until(isSo: () => Promise<boolean>): Promise<boolean> {
  for (const end = performance.now() + patienceMs; performance.now() < end; await delay(250)) if (await isSo()) return true
  return false
}

type Post = Awaited<ReturnType<typeof openMailServer>>

function troubles(deployment: Deployment, postgres: Postgres, post: Post): Trouble[] {
  const { ask, agent, network } = deployment
  const node = () => deployment.node()
  const jobs = (verb: string) =>
    execFileSync(process.execPath, ['--disable-warning=ExperimentalWarning', jobsCommand, verb], {
      env: { ...process.env, DATABASE_URL: postgres.url() },
      stdio: 'pipe',
    })
  const mail = once(async () => {
    const { policyUuid } = await sell(agent)
    for (let round = 0; round < 12; round++) {
      const emails = Array.from({ length: 10 }, (_, place) => `client-${round}-${place}@client.example`)
      await agent.ask('/api/policy/sendCertificates', { body: { policyUuid, emails } })
    }
  })
  let locker: pg.Client | undefined
  return [
    { alarms: ['PortolanJobsHeld'], provoke: once(async () => jobs('hold')), mend: async () => jobs('release') },
    { alarms: ['PortolanPasswordGuessing'], provoke: () => begin(ask, 'viewer@azahar.example', 'a guess') },
    {
      alarms: ['PortolanDefects'],
      provoke: once(async () => {
        await deployment.sql(`create function on_purpose() returns trigger language plpgsql as $$ begin raise 'on purpose'; end $$`)
        await deployment.sql('create trigger on_purpose before insert on policies for each row execute function on_purpose()')
        await register(agent)
      }),
      mend: () => deployment.sql('drop trigger on_purpose on policies'),
    },
    {
      alarms: ['PortolanJobsWait'],
      async provoke() {
        post.be('later')
        await mail()
      },
    },
    // The same mails, twenty minutes later.
    { alarms: ['PortolanJobsOld'], provoke: () => node().ask('clock', 20 * 60_000) },
    {
      alarms: ['PortolanJobsFailed'],
      async provoke() {
        post.be('never')
        await node().ask('clock', 80 * 60_000)
      },
      async mend() {
        post.be('takes')
        jobs('retry')
        await node().ask('drain')
        await node().ask('clock', 0)
      },
    },
    {
      alarms: ['PortolanPaymentsToReview'],
      provoke: once(() => refusedRefund(deployment)),
      mend: () => Promise.resolve(network.refunds('normal')),
    },
    {
      alarms: ['PortolanSlow', 'PortolanConnectionsScarce'],
      async provoke() {
        locker ??= await lockPolicies(postgres)
        await Promise.all(Array.from({ length: 12 }, () => agent.ask('/api/policy/list', { body: { page: 1, perPage: 10 } })))
      },
      mend: async () => locker?.end(),
    },
    {
      alarms: ['PortolanLoopHeld'],
      // As a machine does that gives it no processor.
      async provoke() {
        process.kill(node().pid, 'SIGSTOP')
        await delay(400)
        process.kill(node().pid, 'SIGCONT')
        await delay(400)
      },
    },
    { alarms: ['PortolanMemory'], provoke: once(() => node().ask('fill', 1_100_000_000)), mend: () => node().ask('fill', 0) },
    { alarms: ['PortolanDatabaseAway'], provoke: once(() => postgres.stop()), mend: () => postgres.start() },
    { alarms: ['PortolanDown'], provoke: once(() => node().kill()), mend: () => deployment.start() },
  ]
}

/** However often it is called. */
function once<T>(work: () => Promise<T>): () => Promise<T> {
  let begun: Promise<T> | undefined
  return () => (begun ??= work())
}

/** Paid, and heard of only when the trip has begun: it is given back, and the network will not have it. */
async function refusedRefund(deployment: Deployment): Promise<void> {
  deployment.network.webhooks({ mode: 'lost' })
  deployment.network.refunds('refused')
  const { body } = await register(deployment.agent, { paymentGatewayUUID: deployment.agent.gateway('StripeV2') })
  await pay(deployment.network, body.data.clientSecret)
  await deployment.node().ask('clock', 12 * 86_400_000)
  await deployment.node().ask('reconcile')
  await deployment.node().ask('clock', 0)
}

async function lockPolicies(postgres: Postgres): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: postgres.url() })
  await client.connect()
  await client.query('begin')
  await client.query('lock table policies in access exclusive mode')
  return client
}

export const alarms: FaultTest[] = [
  {
    id: 'alarms',
    title: 'whatever an alarm is for, once',
    invariant: 'each alarm of deploy/prometheus/rules.yml rings when it should, by a real Prometheus, and none while all is well',
    needs: 'Prometheus',
    run: everyAlarm,
  },
]
