import { setTimeout as delay } from 'node:timers/promises'
import type { Clock, Elapsed, Ids } from '../clock.ts'
import type { Database, ServiceTx, UnitTx, UnitWithinTx } from '../database.ts'
import type { Log } from '../log.ts'
import type { Metrics } from '../metrics.ts'
import type { JobsProcess } from './jobs-process.ts'
import type { Reports } from './messages.ts'
import { openRush, type Rush } from './rush.ts'
import { beginJob, type Capacity, type JobOutcome, type JobRow, renewLeases, storeOutcome, type TakenJob, takeJobs } from './jobs.ts'

/** A job as its subscriber gets it. */
export type Job = { id: string; businessUnitId: string; topic: string; payload: Record<string, unknown>; attempts: number; createdAt: Date }

/** Writes the effects of a job in the transaction that records it as done. It may run even if another worker has taken the job since. */
export type Completion = (tx: ServiceTx) => Promise<unknown>

/**
 * Does a job, or throws: a `PermanentFailure` fails the job at once, any other error is retried later. A job is done at least once; an effect that
 * must not happen twice needs an idempotency key derived from the job's id.
 */
export type Subscriber = (job: Job) => Promise<Completion | void>

/** Runs in the transaction that gives a job up, so that the feature can mark its own rows as well. */
export type GivingUp = (tx: ServiceTx, job: Job, reason: string) => Promise<unknown>

/** `waitsInRush`: its jobs wait while they are published faster than they can be done (rush.ts), each try for 20 s at most. */
type SubscribeOptions = { givingUp?: GivingUp; waitsInRush?: boolean }

/** How many jobs were published for each subscriber. */
type Published = Readonly<Record<string, number>>

export class PermanentFailure extends Error {}

export type Outbox = {
  /** Subscribes to a topic, at start. A lower layer publishes; the layers above subscribe, because it cannot call them. */
  subscribe(topic: string, subscriber: string, work: Subscriber, options?: SubscribeOptions): void
  /** Returns the names of all subscribers. */
  subscribers(): string[]
  /** Writes a job for each subscriber, in the transaction that causes it. The jobs exist if and only if it commits. */
  publish(tx: UnitTx, topic: string, payload: Record<string, unknown>): Promise<void>
  /**
   * Writes a job that this process begins once it is committed, by `first`, which may use what it knows already. Without room for it, or while jobs are
   * held, it is only published. Returns true if it begins. The topic's one subscriber does every later try.
   */
  begin(tx: UnitWithinTx, topic: string, payload: Record<string, unknown>, first: Subscriber): Promise<boolean>
  /** Returns the same jobs for a statement that writes them with other rows. Once they are committed, `published` starts them. */
  jobsFor(topic: string, payload: Record<string, unknown>): { rows: JobRow[]; published: () => void }
  /** Looks for jobs of these subscribers at once, if there is capacity for any. Names how many were published for each. */
  wake(published: Published): void
  /** True while jobs of the topic wait for a rush to end. */
  isRushed(topic: string): boolean
  /** Does all due jobs, and those that they publish, and returns how many, for tests and simulations that move the clock themselves. */
  drain(): Promise<number>
  start(): void
  /** Lets running jobs finish. */
  stop(): Promise<void>
  /** True if the worker has looked for jobs within the last 30 s. */
  isAlive(): boolean
}

/** The most jobs at once: in one process; of one subscriber, so that a slow mail server does not delay the rest; and of one in a rush. */
const [mostRunning, mostRunningEach, mostRunningInRush] = [20, 8, 1]
const pollMs = 500
/** Jobs published within this time are taken together. */
const gatherMs = 20
const pollAfterErrorMs = 5_000
const aliveMs = 30_000
/** The longest that a job waits for a rush, from when it is due. */
export const waitsAtMostMs = 20_000
/** A worker that died leaves its jobs running; after this time another takes them. A living worker renews its leases in time. */
const leaseMs = 120_000
const lostAtMost = 5
const triedForMs = 72 * 3_600_000

/** Seconds until the next try: short at first, then four hours, for three days. */
const backOff = [5, 30, 120, 600, 1800, 3600, 7200, 14_400]

/** The outbox's dependencies; the outbox is itself part of the world. */
type Deps = {
  clock: Clock
  elapsed: Elapsed
  beforeWork?: () => Promise<void>
  ids: Ids
  log: Log
  database: Database
  metrics: Metrics
  /** Another process that does the jobs; this one only publishes them. */
  elsewhere?: JobsProcess | undefined
  /** Receives which jobs this process runs. */
  reports?: Pick<Reports, 'taken' | 'ended'> | undefined
}
type Subscription = { topic: string; work: Subscriber; givingUp: GivingUp | undefined; rush: Rush | undefined }
type Running = { job: TakenJob; leaseUntil: number }

export function openOutbox(world: Deps): Outbox {
  const subscriptions = new Map<string, Subscription>()
  const running = new Map<Promise<void>, Running>()
  let stopped = true
  let isStopping = false
  let launched = 0
  /** True if this process has published a job since the last look. */
  let isPublished = false
  let lastLook = world.elapsed()
  let loop = Promise.resolve()
  let taking = Promise.resolve()
  /** True if the last look found as many jobs as there was capacity for. Then the end of any job starts another look. */
  let mayBeMore = true
  let isCalled = false
  let endRest = () => {}

  function wake(): void {
    isCalled = true
    endRest()
  }

  /** Starts due jobs, one look after another: `drain` would miss those that another look has taken and not yet launched. */
  function take(waitsInRush: boolean): Promise<void> {
    taking = taking.catch(() => undefined).then(() => takeNow(waitsInRush))
    return taking
  }

  /** Starts due jobs, as many as there is capacity for. A slow job takes up one slot and does not delay the others. */
  async function takeNow(waitsInRush: boolean): Promise<void> {
    await world.beforeWork?.()
    const [now, free] = [world.clock.now(), mostRunning - running.size]
    const leaseUntil = now.getTime() + leaseMs
    const open = capacities(waitsInRush).filter(each => each.free > 0)
    mayBeMore = true
    isPublished = false
    const jobs = free > 0 && open.length > 0 ? await takeJobs(world.database, open, free, now, new Date(leaseUntil)) : []
    lastLook = world.elapsed()
    const isEmpty = open.every(each => jobs.filter(job => job.subscriber === each.subscriber).length < each.free)
    mayBeMore = !isEmpty || open.length < subscriptions.size || jobs.length >= free
    if (jobs.length > 0) world.reports?.taken(jobs)
    // Safe: jobs are taken for known subscribers only.
    for (const job of jobs) launch(job, leaseUntil, subscriptions.get(job.subscriber) as Subscription)
  }

  function launch(job: TakenJob, leaseUntil: number, subscription: Subscription): void {
    const work = carryOut(world, job, subscription).catch((error: unknown) =>
      world.log.warn({ job: job.id, err: error }, 'a job’s outcome could not be kept'),
    )
    launched += 1
    running.set(work, { job, leaseUntil })
    void work.finally(() => {
      running.delete(work)
      world.reports?.ended(job.id)
      if (mayBeMore) wake()
    })
  }

  function capacities(waitsInRush: boolean): Capacity[] {
    const busy = [...running.values()].map(({ job }) => job.subscriber)
    return [...subscriptions].map(([name, { rush }]) => {
      const waits = waitsInRush && rush?.isOn()
      return {
        subscriber: name,
        free: (waits ? mostRunningInRush : mostRunningEach) - busy.filter(other => other === name).length,
        dueBy: waits ? new Date(world.clock.now().getTime() - waitsAtMostMs) : undefined,
      }
    })
  }

  function jobsFor(topic: string, payload: Record<string, unknown>): { rows: JobRow[]; published: () => void } {
    const now = world.clock.now()
    const subscribed = [...subscriptions].filter(([, subscription]) => subscription.topic === topic).map(([name]) => name)
    if (subscribed.length === 0) throw new Error(`no subscriber to ${topic}`)
    const rows = subscribed.map(subscriber => ({
      id: world.ids.next(),
      topic,
      subscriber,
      payload,
      state: 'waiting' as const,
      run_at: now,
      created_at: now,
    }))
    const once = Object.fromEntries(subscribed.map(name => [name, 1]))
    return {
      rows,
      published() {
        isPublished = true
        if (!world.elsewhere) return wakeFor(once)
        note(once)
        world.elsewhere.wake(subscribed)
      },
    }
  }

  function note(published: Published): void {
    for (const [name, count] of Object.entries(published)) subscriptions.get(name)?.rush?.note(count)
  }

  function wakeFor(published: Published): void {
    note(published)
    if (capacities(true).some(({ subscriber, free, dueBy }) => free > 0 && !dueBy && published[subscriber])) wake()
  }

  async function renew(): Promise<void> {
    const now = world.clock.now().getTime()
    const ending = [...running.values()].filter(({ leaseUntil }) => leaseUntil - now < leaseMs / 2)
    if (ending.length === 0) return
    const leaseUntil = now + leaseMs
    await renewLeases(
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
        .then(() => take(true))
        .then(() => pollMs)
        .catch(couldNotRead)
      if (!isCalled && !stopped) await new Promise<void>(resolve => restFor(rest, resolve))
      if (!stopped) await delay(gatherMs)
    }
  }

  function couldNotRead(error: unknown): number {
    world.log.warn({ err: error }, 'the outbox could not be read')
    return pollAfterErrorMs
  }

  function restFor(ms: number, resolve: () => void): void {
    const timer = setTimeout(resolve, ms)
    endRest = () => {
      clearTimeout(timer)
      resolve()
    }
  }

  return {
    subscribe(topic, name, work, { givingUp, waitsInRush = false } = {}) {
      if (subscriptions.has(name)) throw new Error(`there is a subscriber ${name} already`)
      subscriptions.set(name, { topic, work, givingUp, rush: waitsInRush ? openRush(world.database, world.elapsed) : undefined })
      for (const outcome of ['done', 'waiting', 'failed']) world.metrics.jobs.inc({ subscriber: name, outcome }, 0)
    },
    subscribers: () => [...subscriptions.keys()],
    async publish(tx, topic, payload) {
      const { rows, published } = jobsFor(topic, payload)
      await tx
        .insertInto('jobs')
        .values(rows.map(row => ({ ...row, payload: JSON.stringify(payload) })))
        .execute()
      tx.afterCommit(published)
    },
    async begin(tx, topic, payload, first) {
      const { rows, published } = jobsFor(topic, payload)
      const [row, another] = rows
      const subscription = row && subscriptions.get(row.subscriber)
      if (!row || !subscription || another) throw new Error(`${topic} has not one subscriber`)
      const free = capacities(false).find(({ subscriber }) => subscriber === row.subscriber)?.free ?? 0
      const hasRoom = !world.elsewhere && !isStopping && free > 0 && running.size < mostRunning
      const leaseUntil = row.run_at.getTime() + leaseMs
      const isBegun = await beginJob(tx, row, hasRoom ? new Date(leaseUntil) : undefined)
      const job = { ...row, businessUnitId: tx.businessUnitId, attempts: 1, lost: 0, createdAt: row.created_at }
      tx.afterCommit(() => {
        if (!isBegun) return published()
        world.reports?.taken([job])
        launch(job, leaseUntil, { ...subscription, work: first })
      })
      return isBegun
    },
    jobsFor,
    wake: wakeFor,
    isRushed: topic => [...subscriptions.values()].some(each => each.topic === topic && each.rush?.isOn()),
    async drain() {
      const before = launched
      do {
        await take(false)
        while (running.size > 0) await Promise.all(running.keys())
      } while (mayBeMore || isPublished)
      return launched - before
    },
    start() {
      if (world.elsewhere || !stopped) return world.elsewhere?.start()
      stopped = false
      isStopping = false
      lastLook = world.elapsed()
      loop = run()
    },
    async stop() {
      await world.elsewhere?.stop()
      stopped = true
      isStopping = true
      wake()
      await loop
      while (running.size > 0) await Promise.all(running.keys())
    },
    isAlive: () => world.elsewhere?.isAlive() ?? (!stopped && world.elapsed() - lastLook < aliveMs),
  }
}

async function carryOut(world: Deps, job: TakenJob, { work, givingUp }: Subscription): Promise<void> {
  const record = async (outcome: JobOutcome, complete?: Completion): Promise<JobOutcome> => {
    await world.database.asService(async tx => {
      const isStored = await storeOutcome(tx, job, outcome)
      if (isStored && outcome.state === 'failed') await givingUp?.(tx, job, outcome.error ?? '')
      await complete?.(tx)
    })
    return outcome
  }
  const outcome = await tryOnce(job, work).then(
    complete =>
      record(doneAt(world.clock.now()), complete).catch((error: unknown) => {
        if (!complete) throw error
        return record(afterError(world, job, error))
      }),
    (error: unknown) => record(afterError(world, job, error)),
  )
  world.metrics.jobs.inc({ subscriber: job.subscriber, outcome: outcome.state })
}

async function tryOnce(job: TakenJob, work: Subscriber): Promise<Completion | undefined> {
  if (job.lost > lostAtMost) throw new PermanentFailure(`${job.lost} workers took it up and did not come back`)
  return (await work(job)) ?? undefined
}

const doneAt = (now: Date): JobOutcome => ({ state: 'done', runAt: now, finishedAt: now, error: null })

function afterError(world: Deps, job: TakenJob, thrown: unknown): JobOutcome {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown))
  const outcome = { ...nextState(world.clock.now(), job, error), error: error.message.slice(0, 500) }
  world.log.warn({ job: job.id, subscriber: job.subscriber, attempts: job.attempts, outcome: outcome.state, err: error }, 'job not done')
  return outcome
}

/** Returns the state after an error. Retries end three days after the job was written, with the last one at that moment. */
function nextState(now: Date, job: TakenJob, error: Error): Omit<JobOutcome, 'error'> {
  const end = job.createdAt.getTime() + triedForMs
  if (error instanceof PermanentFailure || now.getTime() >= end) return { state: 'failed', runAt: now, finishedAt: now }
  const seconds = backOff[Math.min(job.attempts, backOff.length) - 1] ?? 5
  return { state: 'waiting', runAt: new Date(Math.min(now.getTime() + seconds * 1000, end)), finishedAt: null }
}
