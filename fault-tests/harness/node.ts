import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setImmediate, setTimeout as delay } from 'node:timers/promises'
import { openApp } from '#server/app.ts'
import { readConfig } from '#server/config.ts'
import { openDatabase } from '#server/kit/database.ts'
import { reconcile } from '#server/policies/reconcile.ts'
import { brokenInvariants } from '#server/policies/invariants.ts'
import { openSales } from '#server/policies/sale/sales.ts'
import { openCards } from '#server/payments/serve.ts'
import { recordStatements, type Statement } from './recorder.ts'

// The service as it is, with a clock that can be moved and a database that can be looked into: over the channel to whoever started it.

const config = readConfig(process.env)
if (Array.isArray(config)) throw new Error(JSON.stringify(config))
const database = await openDatabase(config)
let ahead = 0
const clock = { now: () => new Date(Date.now() + ahead) }
const app = await openApp(config, database, { clock })
await app.front.http.listen({ port: config.PORT, host: '127.0.0.1' })
// What is being recorded must not be mixed with the jobs'.
if (process.env['JOBS'] !== 'off') app.start()
process.stdout.write(`ready ${app.front.http.listeningOrigin}\n`)

const recorded: Statement[] = []
let ballast: Buffer | undefined
const held = monitorEventLoopDelay({ resolution: 5 })

/** The longest time that this thread was at work between two looks; how long a busy machine made it wait counts for nothing. */
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

/** How much more memory the process took than at the beginning of the watch, in bytes. */
const growth = { calm: 0, most: 0, timer: undefined as NodeJS.Timeout | undefined }

function watchMemory(): void {
  clearInterval(growth.timer)
  growth.calm = process.memoryUsage.rss()
  growth.most = growth.calm
  growth.timer = setInterval(() => (growth.most = Math.max(growth.most, process.memoryUsage.rss())), 100)
}

/** In bytes: by this thread alone, and by the process as the machine sees it. */
export type Memory = { held: number; process: number }

const acts = {
  sql: async (text: string, values: unknown[] = []): Promise<Record<string, unknown>[]> => (await database.pool.query(text, values)).rows,
  invariants: () => brokenInvariants(database),
  clock: (ms: number) => {
    ahead = ms
    return clock.now().toISOString()
  },
  record: () => recordStatements(database.pool, recorded),
  recorded: (): Statement[] => recorded.splice(0),
  watchLoop: () => {
    held.reset()
    held.enable()
  },
  loopHeldMs: () => held.max / 1e6,
  watchWork,
  /** Heard between two looks, so that the last of them is over. */
  longestWorkMs: async () => {
    await delay(5)
    clearInterval(work.timer)
    return work.longestMs
  },
  watchMemory,
  mostMemoryMore: () => {
    clearInterval(growth.timer)
    return growth.most - growth.calm
  },
  /** What is really held, when everything that can go is gone: what others hold for us goes only after its owner. */
  memory: async (): Promise<Memory> => {
    globalThis.gc?.()
    await setImmediate()
    globalThis.gc?.()
    const { heapUsed, external, rss } = process.memoryUsage()
    return { held: heapUsed + external, process: rss }
  },
  /** Holds so many bytes until it is told otherwise. */
  fill: (bytes: number) => {
    ballast = Buffer.alloc(bytes, 1)
    return ballast.length
  },
  drain: () => app.world.outbox.drain(),
  reconcile: () => reconcile(openSales(app.world, openCards(config), app.papers)),
}

/** What can be asked over the channel, and what comes back. */
export type Acts = typeof acts

type Question = { n: number; act: keyof Acts; given: never[] }

process.on('message', ({ n, act, given }: Question) => {
  const answer = (value: unknown, error?: string) => process.send?.({ n, value, ...(error === undefined ? {} : { error }) })
  const carryOut: (...given: never[]) => unknown = acts[act]
  void Promise.resolve()
    .then(() => carryOut(...given))
    .then(value => answer(value))
    .catch((error: unknown) => answer(undefined, String(error)))
})
const leave = () => void app.stop().then(() => process.exit(0))
process.once('SIGTERM', leave)
process.once('disconnect', leave)
