import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { type Agent, asker, sell, signIn } from '#testing/agent.ts'
import { type Mailbox, openMailbox } from '#fakes/mailbox.ts'
import { createIn, dropIn, fillFolder, urlOf } from './kit/store/testing-copies.ts'
import { testConfig } from './kit/testing.ts'

const template = inject('template')
const servers = 'server' in template ? [template] : []
const dumps = 'dump' in template ? [template.dump] : []

describe.each(servers)('the process for jobs beside a service on PostgreSQL', ({ server, name }) => {
  let folder: string
  let database: string
  let mailbox: Mailbox
  let client: pg.Client
  let service: ChildProcess
  let isServing = false
  let origin: string
  let jobs: number
  let agent: Agent
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'jobs-'))
    database = await createIn(server, name)
    mailbox = await openMailbox()
    client = new pg.Client({ connectionString: urlOf(server, database) })
    await client.connect()
  })
  beforeEach(async () => {
    mailbox.received.length = 0
    if (!isServing) {
      service = start({ ...parts(), DATABASE_URL: urlOf(server, database) })
      isServing = true
      service.once('exit', () => (isServing = false))
      origin = await ready(service)
      agent = await signIn(
        asker(() => origin),
        'agent@azahar.example',
      )
    }
    await expect.poll(() => metric('portolan_jobs_process_up')).toBe(1)
    jobs = jobsProcessOf(service)
  })
  afterAll(async () => {
    service.kill('SIGKILL')
    await client.end()
    await mailbox.close()
    await dropIn(server, database)
    rmSync(folder, { recursive: true, force: true })
  })

  const parts = () => ({ DATA_DIR: folder, SMTP_URL: mailbox.url })
  const metric = (text: string) => metricOf(origin, text)

  const countJobs = async (condition: string) =>
    Number((await client.query(`select count(*)::int as many from jobs where ${condition}`)).rows[0].many)

  const readyDocuments = async ({ policyUuid }: { policyUuid: string }) =>
    (await client.query(`select from files where policy_id = $1 and state = 'ready'`, [policyUuid])).rows.length

  /** Makes the next write of an email wait until the returned function is called. */
  async function holdMails(): Promise<() => Promise<unknown>> {
    await client.query('begin; lock table mails in share mode')
    return () => client.query('commit')
  }

  const isWaiting = async () =>
    (await client.query(`select from pg_locks where not granted and relation = 'mails'::regclass`)).rows.length > 0

  test('it makes a sale’s documents for the reply, and sends its email', async () => {
    expect(await readyDocuments(await sell(agent))).toBe(4)
    await expect.poll(() => mailbox.received.length).toBe(1)
    expect(mailbox.received[0]?.raw.match(/^Content-Disposition: attachment/gm)).toHaveLength(4)
    // One report has the figures of both processes.
    for (const subscriber of ['policies.purchased', 'mail.send'])
      await expect.poll(() => metric(`portolan_jobs_total{subscriber="${subscriber}",outcome="done"}`)).toBe(1)
    expect(await metric('portolan_mails_total{outcome="sent"}')).toBe(1)
    expect((await fetch(new URL('/health/ready', origin))).status).toBe(200)
    // Its environment does not contain the settings.
    const environment = readFileSync(`/proc/${jobs}/environ`, 'utf8')
    expect([environment.includes('PATH='), environment.includes('SECRETS_KEY')]).toEqual([true, false])
  })

  test('a job whose process is killed in the middle is done by the next one, once', async () => {
    const release = await holdMails()
    await sell(agent)
    await expect.poll(isWaiting).toBe(true)
    process.kill(jobs, 'SIGKILL')
    await release()
    await expect.poll(() => mailbox.received.length).toBe(1)
    await expect.poll(() => countJobs(`state <> 'done'`)).toBe(0)
    expect(mailbox.received).toHaveLength(1)
    expect(await countJobs(`lost = 1`)).toBe(1)
    expect(await metric('portolan_jobs_process_ended_total')).toBe(1)
    expect(jobsProcessOf(service)).not.toBe(jobs)
  })

  test('a sale does not need it for the documents of its reply', async () => {
    process.kill(jobs, 'SIGKILL')
    await expect.poll(() => metric('portolan_jobs_process_up')).toBe(0)
    expect(await readyDocuments(await sell(agent))).toBe(4)
  })

  test('a stop waits for its running job, also if both processes are signalled', async () => {
    const release = await holdMails()
    await sell(agent)
    await expect.poll(isWaiting).toBe(true)
    const exit = once(service, 'exit')
    process.kill(jobs, 'SIGTERM')
    service.kill('SIGTERM')
    await expect
      .poll(() =>
        fetch(origin).then(
          () => 'served',
          () => 'refused',
        ),
      )
      .toBe('refused')
    await release()
    expect(await exit).toEqual([0, null])
    expect(isRunning(jobs)).toBe(false)
    expect(await countJobs(`subscriber = 'policies.purchased' and state <> 'done'`)).toBe(0)
    expect(await countJobs(`state = 'running'`)).toBe(0)
  })

  test('it ends when the service is killed', async () => {
    service.kill('SIGKILL')
    await expect.poll(() => isRunning(jobs)).toBe(false)
  })
})

test.each(servers)('the process for jobs loads the code for emails before there is any', async ({ server, name }) => {
  const folder = mkdtempSync(join(tmpdir(), 'jobs-'))
  const database = await createIn(server, name)
  const loads = join(folder, 'loads')
  const watch = join(folder, 'watch.mjs')
  writeFileSync(watch, watchOf('nodemailer', loads), { mode: 0o600 })
  const settings = { DATA_DIR: folder, DATABASE_URL: urlOf(server, database), SMTP_URL: 'smtp://127.0.0.1:1' }
  const service = start({ ...settings, NODE_OPTIONS: `--import=${watch}` })
  await ready(service)
  await expect.poll(() => jobsProcessOf(service)).toBeGreaterThan(0)
  const jobs = String(jobsProcessOf(service))
  await expect.poll(() => existsSync(loads) && readFileSync(loads, 'utf8').split('\n').includes(jobs)).toBe(true)
  const exit = once(service, 'exit')
  service.kill('SIGTERM')
  await exit
  await dropIn(server, database)
  rmSync(folder, { recursive: true, force: true })
})

describe.each(dumps)('a service on the embedded database', dump => {
  test('does the jobs itself, as the database belongs to one process', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'jobs-'))
    const mailbox = await openMailbox()
    await fillFolder(join(folder, 'postgres'), dump)
    const service = start({ DATA_DIR: folder, SMTP_URL: mailbox.url })
    const origin = await ready(service)
    const agent = await signIn(
      asker(() => origin),
      'agent@azahar.example',
    )
    await sell(agent)
    await expect.poll(() => mailbox.received.length).toBe(1)
    expect(await metricOf(origin, 'portolan_jobs_process_up')).toBe(0)
    expect(jobsProcessOf(service)).toBeNaN()
    const exit = once(service, 'exit')
    service.kill('SIGTERM')
    expect(await exit).toEqual([0, null])
    await mailbox.close()
    rmSync(folder, { recursive: true, force: true })
  })
})

/** Returns a program that writes down the processes that load a package. */
const watchOf = (name: string, file: string): string => `
  import { appendFileSync } from 'node:fs'
  import { registerHooks } from 'node:module'
  registerHooks({ resolve(specifier, context, next) {
    if (specifier === ${JSON.stringify(name)}) appendFileSync(${JSON.stringify(file)}, process.pid + '\\n')
    return next(specifier, context)
  } })`

/** Starts a service as its users do, on a database that has all migrations. */
function start(environment: Record<string, string>): ChildProcess {
  const { FILE_STORE = '', SECRETS_KEY = [] } = testConfig()
  return spawn(process.execPath, ['--disable-warning=ExperimentalWarning', join(import.meta.dirname, 'main.ts')], {
    env: {
      PATH: process.env['PATH'] ?? '',
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? '',
      LOG_LEVEL: 'silent',
      PORT: '0',
      FILE_STORE,
      SECRETS_KEY: SECRETS_KEY.join(','),
      DOCUMENTS_WAIT_MS: '10000',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
}

async function metricOf(origin: string, text: string): Promise<number | undefined> {
  const metrics = await (await fetch(new URL('/metrics', origin))).text()
  const line = metrics.split('\n').find(line => line.startsWith(`${text} `))
  return line === undefined ? undefined : Number(line.slice(text.length))
}

async function ready({ stdout }: ChildProcess): Promise<string> {
  if (!stdout) throw new Error('no output')
  for await (const line of createInterface({ input: stdout })) if (line.startsWith('ready ')) return line.slice('ready '.length)
  throw new Error('it ended before it was ready')
}

/** Returns the id of a service's process for jobs. */
function jobsProcessOf({ pid }: ChildProcess): number {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' }).split('\n')
  const found = lines.find(line => line.includes('server/jobs.ts') && Number(line.trim().split(/\s+/)[1]) === pid)
  return Number.parseInt(found ?? '', 10)
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
