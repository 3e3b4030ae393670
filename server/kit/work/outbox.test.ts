import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { World } from '../app-context.ts'
import type { JobsProcess } from './jobs-process.ts'
import { openOutbox, PermanentFailure } from './outbox.ts'
import { type TestApp, testApp } from '../testing.ts'
import { demoScope } from '#server/session/testing.ts'

const scope = demoScope('azahar')
let app: TestApp
let world: World
let now: Date
/** A clock that stands still unless a test moves it. */
let elapsed: number

beforeEach(async () => {
  now = new Date('2026-11-20T10:00:00Z')
  elapsed = 0
  app = await testApp({}, { clock: { now: () => now }, elapsed: () => elapsed })
  world = app.world
})
afterEach(() => app.stop())

const later = (seconds: number) => {
  now = new Date(now.getTime() + seconds * 1000)
}
const publish = (payload: Record<string, unknown> = {}) =>
  world.database.inScope(scope, tx => world.outbox.publish(tx, 'test.news', payload))
const states = async () =>
  (
    await world.database.kysely
      .selectFrom('jobs')
      .select(['state', 'attempts', 'last_error'])
      .where('topic', '=', 'test.news')
      .orderBy('id')
      .execute()
  ).map(({ state, attempts, last_error }) => [state, attempts, last_error] as const)

test('every subscriber of a topic gets its own job and does it once', async () => {
  const received: string[] = []
  world.outbox.subscribe('test.news', 'first', async job => void received.push(`first ${String(job.payload['n'])}`))
  world.outbox.subscribe('test.news', 'second', async job => void received.push(`second ${String(job.payload['n'])}`))
  await publish({ n: 1 })
  expect(await world.outbox.drain()).toBe(2)
  expect(await world.outbox.drain()).toBe(0)
  expect(received.toSorted()).toEqual(['first 1', 'second 1'])
})

test('a rolled back transaction leaves no job', async () => {
  world.outbox.subscribe('test.news', 'one', () => Promise.resolve())
  const failing = world.database.inScope(scope, async tx => {
    await world.outbox.publish(tx, 'test.news', {})
    throw new Error('rolled back')
  })
  await expect(failing).rejects.toThrow('rolled back')
  expect(await states()).toEqual([])
})

test('two workers on one database never do the same job', async () => {
  const received: string[] = []
  const other = openOutbox(world)
  for (const outbox of [world.outbox, other]) outbox.subscribe('test.news', 'one', async job => void received.push(job.id))
  for (let count = 0; count < 30; count++) await publish()
  await Promise.all([world.outbox.drain(), other.drain()])
  expect(received).toHaveLength(30)
  expect(new Set(received).size).toBe(30)
})

test('draining waits for a job that another look has taken and not yet begun', async () => {
  let [taken, begin] = [() => {}, () => {}]
  const isTaken = new Promise<void>(resolve => (taken = resolve))
  const mayBegin = new Promise<void>(resolve => (begin = resolve))
  let looks = 0
  const asService: typeof world.database.asService = async work => {
    const found = await world.database.asService(work)
    looks += 1
    if (looks === 1) {
      taken()
      await mayBegin
    }
    return found
  }
  const outbox = openOutbox({ ...world, database: { ...world.database, asService } })
  const done: string[] = []
  outbox.subscribe('test.news', 'one', async job => void done.push(job.id))
  await world.database.inScope(scope, tx => outbox.publish(tx, 'test.news', {}))
  const first = outbox.drain()
  await isTaken
  const second = outbox.drain().then(() => done.length)
  // A second look, which would find nothing, has ended by then.
  for (let count = 0; count < 20; count++) expect(await states()).toEqual([['running', 1, null]])
  begin()
  expect(await second).toBe(1)
  await first
})

test('a failing job is retried at growing intervals for three days', async () => {
  const tries: number[] = []
  const began = now.getTime()
  world.outbox.subscribe('test.news', 'one', () => {
    tries.push((now.getTime() - began) / 1000)
    return Promise.reject(new Error('not now'))
  })
  await publish()
  for (let next: Date | undefined = now; next; next = await nextRun()) {
    now = new Date(next.getTime() - 1)
    await world.outbox.drain()
    now = next
    await world.outbox.drain()
  }
  const gaps = tries.slice(1).map((at, index) => at - (tries[index] ?? 0))
  expect(gaps.slice(0, 7)).toEqual([5, 30, 120, 600, 1800, 3600, 7200])
  expect(new Set(gaps.slice(7, -1))).toEqual(new Set([14_400]))
  expect(tries.at(-1)).toBe(72 * 3600)
  expect(await states()).toEqual([['failed', tries.length, 'not now']])
})

const nextRun = async () =>
  (
    await world.database.kysely
      .selectFrom('jobs')
      .select('run_at')
      .where('state', '=', 'waiting')
      .where('topic', '=', 'test.news')
      .executeTakeFirst()
  )?.run_at

test('a permanent failure fails the job at once, with its reason', async () => {
  world.outbox.subscribe('test.news', 'one', () => Promise.reject(new PermanentFailure('no such mailbox')))
  await publish()
  await world.outbox.drain()
  later(7200)
  expect(await world.outbox.drain()).toBe(0)
  expect(await states()).toEqual([['failed', 1, 'no such mailbox']])
})

test('a worker that lost its lease cannot overwrite the outcome of the next one', async () => {
  const gate = Promise.withResolvers<void>()
  const slow = openOutbox(world)
  slow.subscribe('test.news', 'one', () => gate.promise)
  world.outbox.subscribe('test.news', 'one', () => Promise.reject(new PermanentFailure('the second’s word')))
  await publish()
  const first = slow.drain()
  await expect.poll(states).toEqual([['running', 1, null]])
  later(121)
  await world.outbox.drain()
  gate.resolve()
  await first
  expect(await states()).toEqual([['failed', 2, 'the second’s word']])
})

test('a worker that lost its lease cannot finish the job while the next one runs it', async () => {
  const [gate, other] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const slow = openOutbox(world)
  slow.subscribe('test.news', 'one', () => gate.promise)
  world.outbox.subscribe('test.news', 'one', () => other.promise)
  await publish()
  const first = slow.drain()
  await expect.poll(states).toEqual([['running', 1, null]])
  later(121)
  const second = world.outbox.drain()
  await expect.poll(states).toEqual([['running', 2, null]])
  gate.resolve()
  await first
  expect(await states()).toEqual([['running', 2, null]])
  other.resolve()
  await second
  expect(await states()).toEqual([['done', 2, null]])
})

test('a slow job does not delay the others, and stopping waits for it', async () => {
  const gate = Promise.withResolvers<void>()
  const received: unknown[] = []
  world.outbox.subscribe('test.news', 'one', async job => {
    if (job.payload['slow']) await gate.promise
    received.push(job.payload['slow'] ? 'slow' : 'quick')
  })
  world.outbox.start()
  await publish({ slow: true })
  await publish()
  await expect.poll(() => received).toEqual(['quick'])
  const stopped = world.outbox.stop()
  gate.resolve()
  await stopped
  expect(received).toEqual(['quick', 'slow'])
  expect((await states()).map(([state]) => state)).toEqual(['done', 'done'])
})

test('a running worker keeps its lease on a job that takes longer', async () => {
  const gate = Promise.withResolvers<void>()
  const other = openOutbox(world)
  const work = vi.fn<() => Promise<void>>(() => gate.promise)
  for (const outbox of [world.outbox, other]) outbox.subscribe('test.news', 'one', work)
  world.outbox.start()
  await publish()
  await expect.poll(() => work.mock.calls.length).toBe(1)
  for (let minute = 1; minute <= 5; minute++) {
    later(61)
    await expect.poll(leaseLeft).toBeGreaterThan(100)
    expect(await other.drain()).toBe(0)
  }
  gate.resolve()
  await world.outbox.stop()
  expect(work).toHaveBeenCalledTimes(1)
  expect(await states()).toEqual([['done', 1, null]])
})

const leaseLeft = async () => {
  const { run_at } = await world.database.kysely
    .selectFrom('jobs')
    .select('run_at')
    .where('topic', '=', 'test.news')
    .executeTakeFirstOrThrow()
  return (run_at.getTime() - now.getTime()) / 1000
}

test('a subscriber that hangs delays no other, and the worker counts as alive', async () => {
  const gate = Promise.withResolvers<void>()
  const received: string[] = []
  world.outbox.subscribe('test.news', 'slow', () => gate.promise)
  world.outbox.subscribe('test.news', 'quick', async job => void received.push(job.id))
  world.outbox.start()
  for (let count = 0; count < 30; count++) await publish()
  await expect.poll(() => received.length).toBe(30)
  expect(world.outbox.isAlive()).toBe(true)
  gate.resolve()
  await world.outbox.stop()
})

test('a job that kills six workers is given up, and its feature is notified', async () => {
  const givenUp: unknown[] = []
  world.outbox.subscribe('test.news', 'one', () => Promise.resolve(), {
    async givingUp(tx, job, reason) {
      givenUp.push([job.payload['n'], reason])
      await tx.updateTable('business_units').set({ suspended: true }).where('id', '=', job.businessUnitId).execute()
    },
  })
  await publish({ n: 7 })
  for (let worker = 0; worker < 6; worker++) {
    const dying = openOutbox(world)
    dying.subscribe('test.news', 'one', () => new Promise(() => {}))
    void dying.drain()
    await expect.poll(async () => (await states())[0]?.[1]).toBe(worker + 1)
    later(121)
  }
  await world.outbox.drain()
  expect(givenUp).toEqual([[7, '6 workers took it up and did not come back']])
  expect((await states())[0]?.[0]).toBe('failed')
  expect(await suspended()).toBe(true)
})

const suspended = async () =>
  (
    await world.database.kysely
      .selectFrom('business_units')
      .select('suspended')
      .where('id', '=', scope.businessUnitId)
      .executeTakeFirstOrThrow()
  ).suspended

test('a job that only a newer node knows is left to that node', async () => {
  const newer = openOutbox(world)
  newer.subscribe('test.news', 'tomorrow’s', () => Promise.resolve())
  await world.database.inScope(scope, tx => newer.publish(tx, 'test.news', {}))
  expect(await world.outbox.drain()).toBe(0)
  expect(await states()).toEqual([['waiting', 0, null]])
  expect(await newer.drain()).toBe(1)
})

/** Timers are fake and never fire, so a worker looks for jobs only when it is woken. */
describe('a worker that is woken', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
  afterEach(async () => {
    await world.outbox.stop()
    vi.useRealTimers()
  })

  test('looks for jobs as soon as the publishing transaction is committed', async () => {
    let received: (n: unknown) => void = () => {}
    world.outbox.subscribe('test.news', 'one', async job => received(job.payload['n']))
    world.outbox.start()
    for (const n of [1, 2, 3]) {
      const done = new Promise(resolve => {
        received = resolve
      })
      await publish({ n })
      expect(await done).toBe(n)
    }
  })

  test('looks again when a job ends after the capacity was full', async () => {
    const ends: (() => void)[] = []
    let all = () => {}
    world.outbox.subscribe('test.news', 'one', () => new Promise(resolve => ends.push(resolve) % 8 === 0 && all()))
    const eight = () => new Promise<void>(resolve => (all = resolve))
    world.outbox.start()
    let begins = eight()
    await world.database.inScope(scope, async tx => {
      for (let count = 0; count < 32; count++) await world.outbox.publish(tx, 'test.news', {})
    })
    // The wake-up after publishing may come while the first jobs are taken, and start the next ones, but none after those.
    for (const _ of [1, 2, 3]) {
      await begins
      expect(ends).toHaveLength(8)
      begins = eight()
      for (const end of ends.splice(0)) end()
    }
    await begins
    for (const end of ends) end()
  })
})

test('a second subscriber of the same name and a topic without subscribers are errors', async () => {
  world.outbox.subscribe('test.news', 'one', () => Promise.resolve())
  expect(() => world.outbox.subscribe('test.other', 'one', () => Promise.resolve())).toThrow('already')
  await expect(world.database.inScope(scope, tx => world.outbox.publish(tx, 'test.unknown', {}))).rejects.toThrow('no subscriber')
})

test('a worker that cannot look for jobs is not alive, by the monotonic clock', async () => {
  world.outbox.start()
  later(86_400)
  expect(world.outbox.isAlive()).toBe(true)
  const read = vi.spyOn(world.database.pool, 'connect').mockRejectedValue(new Error('no database'))
  elapsed = 60_000
  await expect.poll(() => read.mock.calls.length).toBeGreaterThan(0)
  expect(world.outbox.isAlive()).toBe(false)
  read.mockRestore()
  await world.outbox.stop()
})

test('a job waits for a rush for twenty seconds at most, however long it lasts', async () => {
  const received: string[] = []
  world.outbox.subscribe('test.news', 'one', async job => void received.push(String(job.payload['n'])), { waitsInRush: true })
  world.outbox.subscribe('test.other', 'other', async () => void received.push('other'))
  await publish({ n: 'old' })
  later(20)
  for (let count = 0; count < 30; count++) await publish({ n: 'new' })
  await world.database.inScope(scope, tx => world.outbox.publish(tx, 'test.other', {}))
  world.outbox.start()
  await expect.poll(() => received.toSorted()).toEqual(['old', 'other'])
  later(20)
  await expect.poll(() => received.length).toBe(32)
  expect(world.outbox.isRushed('test.news')).toBe(true)
  await world.outbox.stop()
})

test('in a rush, jobs that have waited long enough are done one at a time', async () => {
  let [running, most, done] = [0, 0, 0]
  const work = async () => {
    most = Math.max(most, ++running)
    await states()
    running -= 1
    done += 1
  }
  world.outbox.subscribe('test.news', 'one', work, { waitsInRush: true })
  for (let count = 0; count < 30; count++) await publish()
  later(20)
  world.outbox.start()
  await expect.poll(() => done).toBe(30)
  expect(most).toBe(1)
  await world.outbox.stop()
})

test('a process that leaves the jobs to another notices a rush, too', () => {
  const woken: (readonly string[])[] = []
  const elsewhere = { wake: (names: readonly string[]) => void woken.push(names) }
  // Safe: nothing else of it is used.
  const outbox = openOutbox({ ...world, elsewhere: elsewhere as unknown as JobsProcess })
  outbox.subscribe('test.news', 'one', () => Promise.resolve(), { waitsInRush: true })
  for (let count = 0; count < 30; count++) outbox.jobsFor('test.news', {}).published()
  expect([outbox.isRushed('test.news'), woken.length]).toEqual([true, 30])
})

test('jobs that wait in a rush are done once it is over, and others meanwhile', async () => {
  const received: string[] = []
  world.outbox.subscribe('test.news', 'one', async () => void received.push('news'), { waitsInRush: true })
  world.outbox.subscribe('test.other', 'other', async () => void received.push('other'))
  for (let count = 0; count < 30; count++) await publish()
  expect(world.outbox.isRushed('test.news')).toBe(true)
  expect(world.outbox.isRushed('test.other')).toBe(false)
  await world.database.inScope(scope, tx => world.outbox.publish(tx, 'test.other', {}))
  world.outbox.start()
  await expect.poll(() => received).toEqual(['other'])
  elapsed = 2_000
  await expect.poll(() => received.length).toBe(31)
  await world.outbox.stop()
})

test('a running job holds no database connection', async () => {
  world.outbox.subscribe('test.news', 'one', async () => void (await states()))
  await publish()
  await world.outbox.drain()
  expect(await states()).toEqual([['done', 1, null]])
})
