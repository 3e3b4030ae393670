import { afterEach, beforeEach, expect, test } from 'vitest'
import type { World } from './front.ts'
import { openOutbox, PermanentFailure } from './outbox.ts'
import type { Scope } from './scope.ts'
import { type TestApp, testApp } from './testing.ts'

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
  world.database.inScope(scope, tx => world.outbox.publish(tx, scope, 'test.news', payload))
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
    await world.outbox.publish(tx, scope, 'test.news', {})
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
  let tries = 0
  world.outbox.subscribe('test.news', 'one', () => {
    tries += 1
    return Promise.reject(new Error('not now'))
  })
  await publish()
  const gaps: number[] = []
  for (let seconds = 0; seconds < 80 * 3600; seconds += 5) {
    if ((await dueSoon()) === 0) break
    const before = tries
    await world.outbox.drain()
    if (tries > before) gaps.push(seconds)
    const next = await nextRun()
    const ahead = next === undefined ? 5 : Math.max(5, Math.ceil((next.getTime() - now.getTime()) / 5000) * 5)
    later(ahead)
    seconds += ahead - 5
  }
  expect(gaps.slice(0, 4)).toEqual([0, 5, 35, 155])
  expect(await states()).toEqual([['failed', tries, 'not now']])
  expect(gaps.at(-1)).toBeGreaterThan(72 * 3600)
  expect(gaps.at(-1)).toBeLessThan(77 * 3600)
})

const dueSoon = async () =>
  (
    await world.database.kysely
      .selectFrom('jobs')
      .select('id')
      .where('state', 'in', ['waiting', 'running'])
      .where('topic', '=', 'test.news')
      .execute()
  ).length
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
