import { sql } from 'kysely'
import type { Scope } from './scope.ts'
import type { Tx } from './database.ts'
import type { World } from './front.ts'

/** A job as its subscriber sees it. */
export type Job = { id: string; businessUnitId: string; topic: string; payload: Record<string, unknown>; attempts: number; createdAt: Date }

/** Does the job, or throws: a `PermanentFailure` is not tried again and shows, anything else is tried again later. */
export type Subscriber = (job: Job) => Promise<void>

export class PermanentFailure extends Error {}

export type Outbox = {
  /** Who hears of a topic. A room subscribes at start; calls go down the ladder, news goes up it. */
  subscribe(topic: string, subscriber: string, work: Subscriber): void
  /** Written in the transaction that causes it: the job exists exactly when what caused it does. */
  publish(tx: Tx, scope: Scope, topic: string, payload: Record<string, unknown>): Promise<void>
  /** Does what is due until nothing is; for tests and simulations that move the clock themselves. */
  drain(): Promise<number>
  start(): void
  /** Lets running jobs finish. */
  stop(): Promise<void>
  /** Whether the worker has looked for jobs lately. */
  isAlive(): boolean
}

/** Jobs at work at the same time in one process. */
const places = 20
const pollMs = 500
/** A worker that died leaves its jobs running; after this long they are taken up again. */
const leaseSeconds = 120
const triedForHours = 72

/** Seconds until the next try: quick at first, then every four hours for three days. */
const backOff = [5, 30, 120, 600, 1800, 3600, 7200, 14_400]

/** What the outbox needs of the world; it is itself a part of it. */
type Ground = Pick<World, 'clock' | 'ids' | 'log' | 'database' | 'metrics'>

export function openOutbox(world: Ground): Outbox {
  const subscribers = new Map<string, { name: string; work: Subscriber }[]>()
  const workOf = (topic: string, name: string) => subscribers.get(topic)?.find(subscriber => subscriber.name === name)?.work
  const running = new Set<Promise<void>>()
  let stopped = true
  let lastLook = performance.now()
  let loop = Promise.resolve()
  let wake = () => {}

  /** Takes up what is due, as far as there is room; a job that takes long keeps one place, not the others waiting. */
  async function take(): Promise<number> {
    lastLook = performance.now()
    const jobs = await claim(world, places - running.size)
    for (const job of jobs) {
      const work = carryOut(world, job, workOf(job.topic, job.subscriber)).catch(error =>
        world.log.warn({ job: job.id, err: error }, 'a job’s outcome could not be kept'),
      )
      running.add(work)
      void work.finally(() => {
        running.delete(work)
        wake()
      })
    }
    return jobs.length
  }

  async function run(): Promise<void> {
    while (!stopped) {
      const taken = running.size < places ? await take().catch(couldNotRead) : 0
      if (taken === 0 && !stopped) await new Promise<void>(resolve => restFor(pollMs, resolve))
    }
  }

  function couldNotRead(error: unknown): number {
    world.log.warn({ err: error }, 'the outbox could not be read')
    return 0
  }

  function restFor(ms: number, resolve: () => void): void {
    const timer = setTimeout(resolve, ms)
    wake = () => {
      clearTimeout(timer)
      resolve()
    }
  }

  return {
    subscribe(topic, name, work) {
      subscribers.set(topic, [...(subscribers.get(topic) ?? []), { name, work }])
    },
    async publish(tx, scope, topic, payload) {
      const now = world.clock.now()
      const heard = subscribers.get(topic)
      if (!heard) throw new Error(`nobody subscribes to ${topic}`)
      const rows = heard.map(({ name }) => ({
        business_unit_id: scope.businessUnitId,
        id: world.ids.next(),
        topic,
        subscriber: name,
        payload: JSON.stringify(payload),
        state: 'waiting' as const,
        run_at: now,
        created_at: now,
      }))
      await tx.insertInto('jobs').values(rows).execute()
      setImmediate(() => wake())
    },
    async drain() {
      let done = 0
      for (let taken = await take(); taken > 0; taken = await take()) {
        await Promise.all(running)
        done += taken
      }
      return done
    },
    start() {
      if (!stopped) return
      stopped = false
      loop = run()
    },
    async stop() {
      stopped = true
      wake()
      await loop
      await Promise.all(running)
    },
    isAlive: () => !stopped && performance.now() - lastLook < 30_000,
  }
}

type Claimed = Job & { subscriber: string }

async function claim(world: Ground, most: number): Promise<Claimed[]> {
  const now = world.clock.now()
  const rows = await world.database.asService(tx =>
    tx
      .with('due', due =>
        due
          .selectFrom('jobs')
          .select(['business_unit_id', 'id'])
          .where('state', 'in', ['waiting', 'running'])
          .where('run_at', '<=', now)
          .orderBy('run_at')
          .limit(most)
          .forUpdate()
          .skipLocked(),
      )
      .updateTable('jobs')
      .from('due')
      .whereRef('jobs.business_unit_id', '=', 'due.business_unit_id')
      .whereRef('jobs.id', '=', 'due.id')
      .set({ state: 'running', run_at: new Date(now.getTime() + leaseSeconds * 1000), attempts: sql`jobs.attempts + 1` })
      .returning(['jobs.business_unit_id', 'jobs.id', 'topic', 'subscriber', 'payload', 'attempts', 'created_at'])
      .execute(),
  )
  return rows.map(row => ({
    id: row.id,
    businessUnitId: row.business_unit_id,
    topic: row.topic,
    subscriber: row.subscriber,
    payload: row.payload,
    attempts: row.attempts,
    createdAt: row.created_at,
  }))
}

async function carryOut(world: Ground, job: Claimed, work: Subscriber | undefined): Promise<void> {
  const outcome = await tryOnce(world, job, work)
  world.metrics.jobs.inc({ subscriber: job.subscriber, outcome: outcome.state })
  if (outcome.error)
    world.log.warn(
      { job: job.id, subscriber: job.subscriber, attempts: job.attempts, outcome: outcome.state, err: outcome.error },
      'job not done',
    )
  await world.database.asService(tx =>
    tx
      .updateTable('jobs')
      .set({
        state: outcome.state,
        run_at: outcome.runAt,
        finished_at: outcome.state === 'waiting' ? null : world.clock.now(),
        last_error: outcome.error ? outcome.error.message.slice(0, 500) : null,
      })
      .where('business_unit_id', '=', job.businessUnitId)
      .where('id', '=', job.id)
      // Whoever lost his lease to another must not speak for him.
      .where('state', '=', 'running')
      .where('attempts', '=', job.attempts)
      .execute(),
  )
}

type Outcome = { state: 'done' | 'waiting' | 'failed'; runAt: Date; error?: Error }

async function tryOnce(world: Ground, job: Claimed, work: Subscriber | undefined): Promise<Outcome> {
  try {
    if (!work) throw new PermanentFailure(`nobody here does ${job.subscriber} for ${job.topic}`)
    await work(job)
    return { state: 'done', runAt: world.clock.now() }
  } catch (thrown) {
    const error = thrown instanceof Error ? thrown : new Error(String(thrown))
    const now = world.clock.now()
    const tooOld = now.getTime() - job.createdAt.getTime() > triedForHours * 3_600_000
    if (error instanceof PermanentFailure || tooOld) return { state: 'failed', runAt: now, error }
    const seconds = backOff[Math.min(job.attempts, backOff.length) - 1] ?? 5
    return { state: 'waiting', runAt: new Date(now.getTime() + seconds * 1000), error }
  }
}
