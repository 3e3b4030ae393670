import { execFileSync, spawnSync } from 'node:child_process'
import { renameSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { markerName } from '#server/documents/store.ts'
import { readRules } from '#tools/alarms.ts'
import { until } from '#tools/until.ts'
import type { FaultTest, Result } from './fault-test.ts'
import { begin, register, sell } from '#testing/agent.ts'
import { openMailServer } from '#testing/mailbox.ts'
import { type Postgres, startPostgres } from '#testing/postgres.ts'
import { type Prometheus, startPrometheus } from './harness/prometheus.ts'
import { pay } from './harness/sellers.ts'
import { openDeployment, type Deployment } from './harness/deployment.ts'

/** A failure that fires alarms, with its repair. */
type AlarmCase = { alarms: string[]; trigger(): Promise<unknown>; repair?(): Promise<unknown> }

const jobsCommand = join(import.meta.dirname, '../server/administration/work/jobs-command.ts')

async function everyAlarm(): Promise<Result> {
  const [postgres, mailServer] = await Promise.all([startPostgres(), openMailServer()])
  const deployment = await openDeployment({ postgres, environment: { SMTP_URL: mailServer.url, DATABASE_POOL: '4' } })
  const prometheus = await startPrometheus(new URL(deployment.origin).host)
  const problems: string[] = []
  const fired: string[] = []
  try {
    await sell(deployment.agent)
    // Longer than the delay of any alarm.
    await delay(10_000)
    for (const alarm of await prometheus.firing()) problems.push(`${alarm} fired without a failure`)
    for (const alarmCase of alarmCases(deployment, postgres, mailServer)) {
      await until(`the end of ${alarmCase.alarms.join(', ')}`, async () => !(await areFiring(prometheus, alarmCase.alarms, 'some')))
      const all = await triggerUntilFiring(prometheus, alarmCase)
      if (all) fired.push(...alarmCase.alarms)
      else problems.push(`of ${alarmCase.alarms.join(', ')} only these fired: ${(await prometheus.firing()).join(', ') || 'none'}`)
      await alarmCase.repair?.()
    }
    const never = readRules().filter(({ alert }) => !fired.includes(alert))
    problems.push(...never.map(({ alert }) => `${alert} never fired`))
  } finally {
    await prometheus.stop()
    await deployment.stop()
    await mailServer.stop()
    await postgres.remove()
  }
  return { counts: { alarms: readRules().length, fired: fired.length }, problems }
}

async function triggerUntilFiring(prometheus: Prometheus, alarmCase: AlarmCase): Promise<boolean> {
  let isOver = false
  const triggering = (async () => {
    while (!isOver) {
      await alarmCase.trigger()
      await delay(50)
    }
  })()
  const fired = await until('the alarms', () => areFiring(prometheus, alarmCase.alarms, 'every')).catch(() => false)
  isOver = true
  await triggering
  return fired
}

async function areFiring(prometheus: Prometheus, alarms: string[], quantifier: 'some' | 'every'): Promise<boolean> {
  const firing = await prometheus.firing()
  return alarms[quantifier](alarm => firing.includes(alarm))
}

type MailServer = Awaited<ReturnType<typeof openMailServer>>

function alarmCases(deployment: Deployment, postgres: Postgres, mailServer: MailServer): AlarmCase[] {
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
      const emails = Array.from({ length: 10 }, (_, index) => `client-${round}-${index}@client.example`)
      await agent.ask('/api/policy/sendCertificates', { body: { policyUuid, emails } })
    }
  })
  const marker = join(deployment.folder, 'files', markerName)
  const stopDatabase = once(() => postgres.stop())
  let locker: pg.Client | undefined
  const jobsBeside = once(async () => {
    await node().stop()
    await deployment.start({ JOBS: 'beside' })
  })
  return [
    { alarms: ['PortolanJobsHeld'], trigger: once(async () => jobs('hold')), repair: async () => jobs('release') },
    { alarms: ['PortolanPasswordGuessing'], trigger: () => begin(ask, 'viewer@azahar.example', 'a guess') },
    {
      alarms: ['PortolanDefects'],
      trigger: once(async () => {
        await deployment.sql(`create function on_purpose() returns trigger language plpgsql as $$ begin raise 'on purpose'; end $$`)
        await deployment.sql('create trigger on_purpose before insert on policies for each row execute function on_purpose()')
        await register(agent)
      }),
      repair: () => deployment.sql('drop trigger on_purpose on policies'),
    },
    {
      alarms: ['PortolanJobsWait'],
      async trigger() {
        mailServer.be('later')
        await mail()
      },
    },
    // The same emails, twenty minutes later.
    { alarms: ['PortolanJobsOld'], trigger: () => node().ask('clock', 20 * 60_000) },
    {
      alarms: ['PortolanJobsFailed'],
      async trigger() {
        mailServer.be('never')
        await node().ask('clock', 80 * 60_000)
      },
      async repair() {
        mailServer.be('takes')
        jobs('retry')
        await node().ask('drain')
        await node().ask('clock', 0)
      },
    },
    {
      alarms: ['PortolanPaymentsToReview'],
      trigger: once(() => refusedRefund(deployment)),
      repair: () => Promise.resolve(network.refunds('normal')),
    },
    {
      alarms: ['PortolanSlow', 'PortolanConnectionsScarce'],
      async trigger() {
        locker ??= await lockPolicies(postgres)
        await Promise.all(Array.from({ length: 12 }, () => agent.ask('/api/policy/list', { body: { page: 1, perPage: 10 } })))
      },
      repair: async () => locker?.end(),
    },
    {
      alarms: ['PortolanLoopHeld'],
      // Simulates a machine that gives the process no CPU time.
      async trigger() {
        process.kill(node().pid, 'SIGSTOP')
        await delay(400)
        process.kill(node().pid, 'SIGCONT')
        await delay(400)
      },
    },
    {
      alarms: ['PortolanJobsProcessEnds'],
      async trigger() {
        await jobsBeside()
        killChildOf(node().pid)
      },
      async repair() {
        await node().stop()
        await deployment.start()
      },
    },
    { alarms: ['PortolanMemory'], trigger: once(() => node().ask('fill', 1_100_000_000)), repair: () => node().ask('fill', 0) },
    {
      alarms: ['PortolanFileStoreLost'],
      trigger: once(async () => renameSync(marker, `${marker} lost`)),
      repair: async () => renameSync(`${marker} lost`, marker),
    },
    {
      alarms: ['PortolanDatabaseAway', 'PortolanUnavailable'],
      async trigger() {
        await stopDatabase()
        await agent.ask('/api/policy/list', { body: { page: 1, perPage: 10 } })
      },
      repair: () => postgres.start(),
    },
    { alarms: ['PortolanDown'], trigger: once(() => node().kill()), repair: () => deployment.start() },
  ]
}

/** Kills the process that runs jobs, unless it is being started again. */
function killChildOf(pid: number): void {
  const { stdout } = spawnSync('pgrep', ['-P', String(pid)], { encoding: 'utf8' })
  for (const child of stdout.split('\n').filter(Boolean)) process.kill(Number(child), 'SIGKILL')
}

/** Runs the work at the first call only. */
function once<T>(work: () => Promise<T>): () => Promise<T> {
  let begun: Promise<T> | undefined
  return () => (begun ??= work())
}

/** Pays by card, and reconciles after the trip has begun so that the payment is refunded. The network refuses the refund. */
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
    title: 'the failure of each alarm, once',
    invariant: 'a real Prometheus fires each alarm of deploy/prometheus/rules.yml on its failure, and none without a failure',
    needs: 'Prometheus',
    run: everyAlarm,
  },
]
