import { monitorEventLoopDelay } from 'node:perf_hooks'
import { join } from 'node:path'
import { setImmediate, setTimeout as delay } from 'node:timers/promises'
import { CompiledQuery } from 'kysely'
import { closeMonths } from '#server/accounting/statements/close.ts'
import { openApp } from '#server/app.ts'
import { expireOffers } from '#server/changes/payment/abandon.ts'
import { readConfig } from '#server/config.ts'
import { openDatabase } from '#server/kit/database.ts'
import { dividePool } from '#server/kit/work/divide-pool.ts'
import { reconcile } from '#server/policies/payment/reconcile.ts'
import { brokenInvariants } from '#server/policies/checks/invariants.ts'
import { runRetention } from '#server/privacy/retention/run.ts'
import { recordStatements, type Statement } from './recorder.ts'

// The real server, whose clock and database the parent process can reach through the IPC channel.

const config = readConfig(process.env)
if (Array.isArray(config)) throw new Error(JSON.stringify(config))
// With JOBS=beside, a separate process runs the jobs, as with main.ts. It follows neither this clock nor a recording.
const jobsProgram =
  process.env['JOBS'] === 'beside' ? { path: join(import.meta.dirname, '../server/jobs.ts'), environment: process.env } : undefined
const database = await openDatabase(jobsProgram ? { ...config, DATABASE_POOL: dividePool(config.DATABASE_POOL).serving } : config)
let offsetMs = 0
const clock = { now: () => new Date(Date.now() + offsetMs) }
const app = await openApp(config, database, { clock, jobsProgram })
await app.context.http.listen({ port: config.PORT, host: '127.0.0.1' })
// JOBS=off keeps the jobs' statements out of a recording.
if (process.env['JOBS'] !== 'off') app.start()
process.stdout.write(`ready ${app.context.http.listeningOrigin}\n`)

const recorded: Statement[] = []
let filler: Buffer | undefined
const loopDelay = monitorEventLoopDelay({ resolution: 5 })

/** Measures the longest CPU time of this thread between two timer ticks. Waiting for a busy machine does not count. */
const work = { longestMs: 0, timer: undefined as NodeJS.Timeout | undefined }

function watchWork(): void {
  clearInterval(work.timer)
  let [before, usedBefore] = [performance.now(), process.threadCpuUsage()]
  work.longestMs = 0
  work.timer = setInterval(() => {
    const [now, used] = [performance.now(), process.threadCpuUsage()]
    const busyMs = (used.user + used.system - usedBefore.user - usedBefore.system) / 1000
    work.longestMs = Math.max(work.longestMs, Math.min(now - before, busyMs))
    ;[before, usedBefore] = [now, used]
  }, 1)
}

/** Memory growth of the process since the watch began, in bytes. */
const growth = { before: 0, peak: 0, timer: undefined as NodeJS.Timeout | undefined }

function watchMemory(): void {
  clearInterval(growth.timer)
  growth.before = process.memoryUsage.rss()
  growth.peak = growth.before
  growth.timer = setInterval(() => (growth.peak = Math.max(growth.peak, process.memoryUsage.rss())), 100)
}

/** Memory in bytes: of this thread's JavaScript, and resident of the process. */
export type Memory = { used: number; process: number }

const commands = {
  /** Runs like the service's own statements, so that all nodes are notified of changes. */
  sql: async (text: string, values: unknown[] = []): Promise<Record<string, unknown>[]> =>
    (await database.kysely.executeQuery<Record<string, unknown>>(CompiledQuery.raw(text, values))).rows,
  invariants: () => brokenInvariants(database),
  clock: (ms: number) => {
    offsetMs = ms
    return clock.now().toISOString()
  },
  /** Makes every connection report its counters to PostgreSQL at once, and returns their number. */
  tellCounters: async (): Promise<number> => {
    const clients = await Promise.all(Array.from({ length: database.pool.totalCount }, () => database.pool.connect()))
    for (const client of clients) await client.query('select pg_stat_force_next_flush()')
    for (const client of clients) client.release()
    return clients.length
  },
  record: () => recordStatements(database.pool, recorded),
  recorded: (): Statement[] => recorded.splice(0),
  watchLoop: () => {
    loopDelay.reset()
    loopDelay.enable()
  },
  loopDelayMs: () => loopDelay.max / 1e6,
  watchWork,
  /** Waits for the last timer tick first. */
  longestWorkMs: async () => {
    await delay(5)
    clearInterval(work.timer)
    return work.longestMs
  },
  watchMemory,
  peakMemoryGrowth: () => {
    clearInterval(growth.timer)
    return growth.peak - growth.before
  },
  /** Measures after two collections, because external memory is freed only after its owner. */
  memory: async (): Promise<Memory> => {
    globalThis.gc?.()
    await setImmediate()
    globalThis.gc?.()
    const { heapUsed, external, rss } = process.memoryUsage()
    return { used: heapUsed + external, process: rss }
  },
  /** Allocates this many bytes until the next call. */
  fill: (bytes: number) => {
    filler = Buffer.alloc(bytes, 1)
    return filler.length
  },
  drain: () => app.world.outbox.drain(),
  close: () => closeMonths(app.world),
  /** Runs the nightly retention, and returns how many objects it blocked and erased. */
  retain: async (): Promise<number> => {
    await runRetention(app.world, clock.now().toISOString().slice(0, 10))
    const { rows } = await database.pool.query('select coalesce(sum(objects), 0)::int as objects from retention_counts')
    return rows[0].objects
  },
  reconcile: async () => {
    return (await reconcile(app.sales)) + (await expireOffers(app.sales))
  },
}

/** The commands of the IPC channel with their results. */
export type Commands = typeof commands

type CommandRequest = { n: number; name: keyof Commands; args: never[] }

process.on('message', ({ n, name, args }: CommandRequest) => {
  const respond = (value: unknown, error?: string) => process.send?.({ n, value, ...(error === undefined ? {} : { error }) })
  const run: (...args: never[]) => unknown = commands[name]
  void Promise.resolve()
    .then(() => run(...args))
    .then(value => respond(value))
    .catch((error: unknown) => respond(undefined, String(error)))
})
const leave = () => void app.stop().then(() => process.exit(0))
process.once('SIGTERM', leave)
process.once('disconnect', leave)
