import { setTimeout as delay } from 'node:timers/promises'
import type { Clock, Ids } from './clock.ts'
import type { Database, ServiceTx, UnitTx } from './database.ts'
import type { Log } from './log.ts'
import type { Metrics } from './metrics.ts'
import { type JobOutcome, keepJobs, settleJob, type TakenJob, takeJobs } from './jobs.ts'

/** A job as its subscriber sees it. */
export type Job = { id: string; businessUnitId: string; topic: string; payload: Record<string, unknown>; attempts: number; createdAt: Date }

/**
 * Does the job, or throws: a `PermanentFailure` is not tried again and shows, anything else is tried again later. A job is done at least
 * once; what must not happen twice needs a key of its own that the job's id gives it.
 */
export type Subscriber = (job: Job) => Promise<void>

/** Told in the transaction that gives a job up, so that the room's own rows say so too. */
export type GivingUp = (tx: ServiceTx, job: Job, reason: string) => Promise<unknown>

export class PermanentFailure extends Error {}

export type Outbox = {
  /** Who hears of a topic. A room subscribes at start; calls go down the ladder, news goes up it. */
  subscribe(topic: string, subscriber: string, work: Subscriber, givingUp?: GivingUp): void
  /** All that a room has subscribed. */
  subscribers(): string[]
  /** Written in the transaction that causes it: the job exists exactly when what caused it does. */
  publish(tx: UnitTx, topic: string, payload: Record<string, unknown>): Promise<void>
  /** Does what is due until nothing is; for tests and simulations that move the clock themselves. */
  drain(): Promise<number>
  start(): void
  /** Lets running jobs finish. */
  stop(): Promise<void>
  /** Whether the worker has looked for jobs lately. */
  isAlive(): boolean
}

/** Jobs at work at the same time in one process: all together, and of one subscriber, so that a slow mail server does not hold up the rest. */
const places = 20
const placesEach = 8
const pollMs = 500
/** What comes together is looked for together. */
const gatherMs = 20
const pollAfterFaultMs = 5_000
const aliveMs = 30_000
/** A worker that died leaves its jobs running; after this long they are taken up again. A living one renews in time. */
const leaseMs = 120_000
const lostAtMost = 5
const triedForMs = 72 * 3_600_000

/** Seconds until the next try: quick at first, then every four hours for three days. */
const backOff = [5, 30, 120, 600, 1800, 3600, 7200, 14_400]

/** What the outbox needs of the world; it is itself a part of it. */
type Ground = { clock: Clock; ids: Ids; log: Log; database: Database; metrics: Metrics }
type Subscription = { topic: string; work: Subscriber; givingUp: GivingUp | undefined }
type Running = { job: TakenJob; leaseUntil: number }

export function openOutbox(world: Ground): Outbox {
  const subscriptions = new Map<string, Subscription>()
  const running = new Map<Promise<void>, Running>()
  let stopped = true
  let lastLook = performance.now()
  let loop = Promise.resolve()
  /** The last look found as much as there was room for: whoever ends makes room for more. */
  let mayBeMore = true
  let isCalled = false
  let endRest = () => {}

  function wake(): void {
    isCalled = true
    endRest()
  }

  /** Takes up what is due, as far as there is room; a job that takes long keeps one place, not the others waiting. */
  async function take(): Promise<number> {
    const [now, free] = [world.clock.now(), places - running.size]
    const leaseUntil = now.getTime() + leaseMs
    const asked = rooms().filter(({ room }) => room > 0)
    mayBeMore = true
    const jobs = free > 0 && asked.length > 0 ? await takeJobs(world.database, asked, free, now, new Date(leaseUntil)) : []
    lastLook = performance.now()
    const isEmpty = asked.every(({ subscriber, room }) => jobs.filter(job => job.subscriber === subscriber).length < room)
    mayBeMore = !isEmpty || asked.length < subscriptions.size || jobs.length >= free
    for (const job of jobs) {
      const work = carryOut(world, job, subscriptions.get(job.subscriber) as Subscription).catch((error: unknown) =>
        world.log.warn({ job: job.id, err: error }, 'a job’s outcome could not be kept'),
      )
      running.set(work, { job, leaseUntil })
      void work.finally(() => {
        running.delete(work)
        if (mayBeMore) wake()
      })
    }
    return jobs.length
  }

  function rooms() {
    const taken = [...running.values()].map(({ job }) => job.subscriber)
    return [...subscriptions.keys()].map(name => ({ subscriber: name, room: placesEach - taken.filter(other => other === name).length }))
  }

  async function renew(): Promise<void> {
    const now = world.clock.now().getTime()
    const ending = [...running.values()].filter(({ leaseUntil }) => leaseUntil - now < leaseMs / 2)
    if (ending.length === 0) return
    const leaseUntil = now + leaseMs
    await keepJobs(
      world.database,
      ending.map(({ job }) => job),
      new Date(leaseUntil),
    )
    for (const each of ending) each.leaseUntil = leaseUntil
  }

  async function run(): Promise<void> {
    while (!stopped) {
      isCalled = false
      const rest = await renew()
        .then(take)
        .then(() => pollMs)
        .catch(couldNotRead)
      if (!isCalled && !stopped) await new Promise<void>(resolve => restFor(rest, resolve))
      if (!stopped) await delay(gatherMs)
    }
  }

  function couldNotRead(error: unknown): number {
    world.log.warn({ err: error }, 'the outbox could not be read')
    return pollAfterFaultMs
  }

  function restFor(ms: number, resolve: () => void): void {
    const timer = setTimeout(resolve, ms)
    endRest = () => {
      clearTimeout(timer)
      resolve()
    }
  }

  return {
    subscribe(topic, name, work, givingUp) {
      if (subscriptions.has(name)) throw new Error(`there is a subscriber ${name} already`)
      subscriptions.set(name, { topic, work, givingUp })
      for (const outcome of ['done', 'waiting', 'failed']) world.metrics.jobs.inc({ subscriber: name, outcome }, 0)
    },
    subscribers: () => [...subscriptions.keys()],
    async publish(tx, topic, payload) {
      const now = world.clock.now()
      const heard = [...subscriptions].filter(([, subscription]) => subscription.topic === topic)
      if (heard.length === 0) throw new Error(`nobody subscribes to ${topic}`)
      const rows = heard.map(([name]) => ({
        id: world.ids.next(),
        topic,
        subscriber: name,
        payload: JSON.stringify(payload),
        state: 'waiting' as const,
        run_at: now,
        created_at: now,
      }))
      await tx.insertInto('jobs').values(rows).execute()
      tx.afterCommit(() => {
        if (rooms().some(({ subscriber, room }) => room > 0 && heard.some(([name]) => name === subscriber))) wake()
      })
    },
    async drain() {
      let done = 0
      for (let taken = await take(); taken > 0 || running.size > 0; taken = await take()) {
        await Promise.all(running.keys())
        done += taken
      }
      return done
    },
    start() {
      if (!stopped) return
      stopped = false
      lastLook = performance.now()
      loop = run()
    },
    async stop() {
      stopped = true
      wake()
      await loop
      await Promise.all(running.keys())
    },
    isAlive: () => !stopped && performance.now() - lastLook < aliveMs,
  }
}

async function carryOut(world: Ground, job: TakenJob, { work, givingUp }: Subscription): Promise<void> {
  const outcome = await tryOnce(world, job, work)
  await world.database.asService(async tx => {
    const settled = await settleJob(tx, job, outcome)
    if (settled && outcome.state === 'failed') await givingUp?.(tx, job, outcome.error ?? '')
  })
  world.metrics.jobs.inc({ subscriber: job.subscriber, outcome: outcome.state })
}

async function tryOnce(world: Ground, job: TakenJob, work: Subscriber): Promise<JobOutcome> {
  try {
    if (job.lost > lostAtMost) throw new PermanentFailure(`${job.lost} workers took it up and did not come back`)
    await work(job)
    const now = world.clock.now()
    return { state: 'done', runAt: now, finishedAt: now, error: null }
  } catch (thrown) {
    const error = thrown instanceof Error ? thrown : new Error(String(thrown))
    const outcome = { ...whatNow(world.clock.now(), job, error), error: error.message.slice(0, 500) }
    world.log.warn({ job: job.id, subscriber: job.subscriber, attempts: job.attempts, outcome: outcome.state, err: error }, 'job not done')
    return outcome
  }
}

/** Tried again until three days after it was written: the last time just then. */
function whatNow(now: Date, job: TakenJob, error: Error): Omit<JobOutcome, 'error'> {
  const end = job.createdAt.getTime() + triedForMs
  if (error instanceof PermanentFailure || now.getTime() >= end) return { state: 'failed', runAt: now, finishedAt: now }
  const seconds = backOff[Math.min(job.attempts, backOff.length) - 1] ?? 5
  return { state: 'waiting', runAt: new Date(Math.min(now.getTime() + seconds * 1000, end)), finishedAt: null }
}
