import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { World } from '../app-context.ts'
import { openOutbox, PermanentFailure } from './outbox.ts'
import type { Scope } from '../scope.ts'
import { type TestApp, testApp } from '../testing.ts'

let app: TestApp
let world: World
let scope: Scope
let now: Date

beforeEach(async () => {
  now = new Date('2026-11-20T10:00:00Z')
  app = await testApp({}, { clock: { now: () => now } })
  world = app.world
  const unit = await world.database.kysely.selectFrom('business_units').select('id').where('key', '=', 'azahar').executeTakeFirstOrThrow()
  scope = { businessUnitId: unit.id } as never
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

test('every subscriber of a topic gets a job of its own, and does it once', async () => {
  const heard: string[] = []
  world.outbox.subscribe('test.news', 'first', async job => void heard.push(`first ${String(job.payload['n'])}`))
  world.outbox.subscribe('test.news', 'second', async job => void heard.push(`second ${String(job.payload['n'])}`))
  await publish({ n: 1 })
  expect(await world.outbox.drain()).toBe(2)
  expect(await world.outbox.drain()).toBe(0)
  expect(heard.toSorted()).toEqual(['first 1', 'second 1'])
})

test('a job exists exactly when what caused it was committed', async () => {
  world.outbox.subscribe('test.news', 'one', () => Promise.resolve())
  const undone = world.database.inScope(scope, async tx => {
    await world.outbox.publish(tx, 'test.news', {})
    throw new Error('undone')
  })
  await expect(undone).rejects.toThrow('undone')
  expect(await states()).toEqual([])
})

test('two workers on one database never do the same job', async () => {
  const heard: string[] = []
  const other = openOutbox(world)
  for (const outbox of [world.outbox, other]) outbox.subscribe('test.news', 'one', async job => void heard.push(job.id))
  for (let count = 0; count < 30; count++) await publish()
  await Promise.all([world.outbox.drain(), other.drain()])
  expect(heard).toHaveLength(30)
  expect(new Set(heard).size).toBe(30)
})

test('what fails is tried again, later and later, for three days', async () => {
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

test('what is refused for good stops at once and shows', async () => {
  world.outbox.subscribe('test.news', 'one', () => Promise.reject(new PermanentFailure('no such mailbox')))
  await publish()
  await world.outbox.drain()
  later(7200)
  expect(await world.outbox.drain()).toBe(0)
  expect(await states()).toEqual([['failed', 1, 'no such mailbox']])
})

test('the job of a worker that died is taken up, and the dead one cannot speak for its successor any more', async () => {
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

test('nor does he while his successor is at work', async () => {
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

test('one job that takes long does not keep the others waiting; stopping waits for it', async () => {
  const gate = Promise.withResolvers<void>()
  const heard: unknown[] = []
  world.outbox.subscribe('test.news', 'one', async job => {
    if (job.payload['slow']) await gate.promise
    heard.push(job.payload['slow'] ? 'slow' : 'quick')
  })
  world.outbox.start()
  await publish({ slow: true })
  await publish()
  await expect.poll(() => heard).toEqual(['quick'])
  const stopped = world.outbox.stop()
  gate.resolve()
  await stopped
  expect(heard).toEqual(['quick', 'slow'])
  expect((await states()).map(([state]) => state)).toEqual(['done', 'done'])
})

test('a living worker keeps a job that takes longer than a lease', async () => {
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

test('a subscriber that hangs leaves room for the others, and the service is alive', async () => {
  const gate = Promise.withResolvers<void>()
  const heard: string[] = []
  world.outbox.subscribe('test.news', 'slow', () => gate.promise)
  world.outbox.subscribe('test.news', 'quick', async job => void heard.push(job.id))
  world.outbox.start()
  for (let count = 0; count < 30; count++) await publish()
  await expect.poll(() => heard.length).toBe(30)
  expect(world.outbox.isAlive()).toBe(true)
  gate.resolve()
  await world.outbox.stop()
})

test('what brings its worker down is not tried for ever, and the room hears that it was given up', async () => {
  const givenUp: unknown[] = []
  world.outbox.subscribe(
    'test.news',
    'one',
    () => Promise.resolve(),
    async (tx, job, reason) => {
      givenUp.push([job.payload['n'], reason])
      await tx.updateTable('business_units').set({ suspended: true }).where('id', '=', job.businessUnitId).execute()
    },
  )
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

test('a job that only a newer node knows is left to it', async () => {
  const newer = openOutbox(world)
  newer.subscribe('test.news', 'tomorrow’s', () => Promise.resolve())
  await world.database.inScope(scope, tx => newer.publish(tx, 'test.news', {}))
  expect(await world.outbox.drain()).toBe(0)
  expect(await states()).toEqual([['waiting', 0, null]])
  expect(await newer.drain()).toBe(1)
})

/** No timer ends: nobody looks but who is called. */
describe('a worker that is called', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
  afterEach(async () => {
    await world.outbox.stop()
    vi.useRealTimers()
  })

  test('looks as soon as what published is committed', async () => {
    let heard: (n: unknown) => void = () => {}
    world.outbox.subscribe('test.news', 'one', async job => heard(job.payload['n']))
    world.outbox.start()
    for (const n of [1, 2, 3]) {
      const done = new Promise(resolve => {
        heard = resolve
      })
      await publish({ n })
      expect(await done).toBe(n)
    }
  })

  test('looks again when one of as many as there is room for has ended', async () => {
    const begun: (() => void)[] = []
    let all = () => {}
    world.outbox.subscribe('test.news', 'one', () => new Promise(resolve => begun.push(resolve) % 8 === 0 && all()))
    const eight = () => new Promise<void>(resolve => (all = resolve))
    world.outbox.start()
    let begins = eight()
    await world.database.inScope(scope, async tx => {
      for (let count = 0; count < 32; count++) await world.outbox.publish(tx, 'test.news', {})
    })
    // The call of what was published may come while the first are taken up, and bring the next: not those after them.
    for (const _ of [1, 2, 3]) {
      await begins
      expect(begun).toHaveLength(8)
      begins = eight()
      for (const end of begun.splice(0)) end()
    }
    await begins
    for (const end of begun) end()
  })
})

test('a subscriber has one name, a topic somebody who hears of it', async () => {
  world.outbox.subscribe('test.news', 'one', () => Promise.resolve())
  expect(() => world.outbox.subscribe('test.other', 'one', () => Promise.resolve())).toThrow('already')
  await expect(world.database.inScope(scope, tx => world.outbox.publish(tx, 'test.unheard', {}))).rejects.toThrow('nobody')
})

test('a worker that cannot look for jobs is not alive, whatever the wall clock says', async () => {
  const monotonic = vi.spyOn(performance, 'now')
  const began = performance.now()
  world.outbox.start()
  later(86_400)
  expect(world.outbox.isAlive()).toBe(true)
  const read = vi.spyOn(world.database.pool, 'connect').mockRejectedValue(new Error('no database'))
  monotonic.mockReturnValue(began + 60_000)
  await expect.poll(() => read.mock.calls.length).toBeGreaterThan(0)
  expect(world.outbox.isAlive()).toBe(false)
  read.mockRestore()
  await world.outbox.stop()
  monotonic.mockRestore()
})

test('the one connection is free while a job is at work', async () => {
  world.outbox.subscribe('test.news', 'one', async () => void (await states()))
  await publish()
  await world.outbox.drain()
  expect(await states()).toEqual([['done', 1, null]])
})
