import { afterEach, beforeEach, expect, test } from 'vitest'
import { demoScope } from '#server/session/testing.ts'
import type { World } from '../app-context.ts'
import { within } from '../database.ts'
import { type TestApp, testApp } from '../testing.ts'
import { holdJobs } from './jobs.ts'
import { type Outbox, openOutbox, type Subscriber } from './outbox.ts'

const scope = demoScope('azahar')
let app: TestApp
let world: World
let now: Date
let done: string[]

beforeEach(async () => {
  now = new Date('2026-11-20T10:00:00Z')
  app = await testApp({}, { clock: { now: () => now } })
  world = app.world
  done = []
  world.outbox.subscribe('test.news', 'one', noting('again'))
})
afterEach(() => app.stop())

const noting =
  (what: string): Subscriber =>
  async () =>
    void done.push(what)
const begin = (first: Subscriber, outbox: Outbox = world.outbox) =>
  world.database.asService(tx => outbox.begin(within(tx, scope), 'test.news', {}, first))
const states = async () =>
  (
    await world.database.kysely.selectFrom('jobs').select(['state', 'attempts']).where('topic', '=', 'test.news').orderBy('id').execute()
  ).map(({ state, attempts }) => [state, attempts])
const later = (seconds: number) => {
  now = new Date(now.getTime() + seconds * 1000)
}

test('a job that begins with its commit is done once, by what its publisher knows', async () => {
  expect(await begin(noting('first'))).toBe(true)
  await world.outbox.drain()
  expect(done).toEqual(['first'])
  expect(await states()).toEqual([['done', 1]])
})

test('a begun job that fails is retried by the subscriber of its topic', async () => {
  await begin(() => Promise.reject(new Error('not now')))
  await world.outbox.drain()
  expect(await states()).toEqual([['waiting', 1]])
  later(5)
  await world.outbox.drain()
  expect(done).toEqual(['again'])
  expect(await states()).toEqual([['done', 2]])
})

test('a begun job whose worker dies is done by another once its lease has ended', async () => {
  const dying = openOutbox(world)
  dying.subscribe('test.news', 'one', noting('never'))
  await begin(() => new Promise(() => {}), dying)
  await world.outbox.drain()
  expect(done).toEqual([])
  later(121)
  await world.outbox.drain()
  expect(done).toEqual(['again'])
})

test('a job whose transaction is rolled back does not begin', async () => {
  const undone = world.database.asService(async tx => {
    await world.outbox.begin(within(tx, scope), 'test.news', {}, noting('first'))
    throw new Error('undone')
  })
  await expect(undone).rejects.toThrow('undone')
  await world.outbox.drain()
  expect(done).toEqual([])
})

test('no job begins while jobs are held', async () => {
  await world.database.asService(holdJobs)
  expect(await begin(noting('first'))).toBe(false)
  await world.outbox.drain()
  expect(done).toEqual([])
  expect(await states()).toEqual([['waiting', 0]])
})

test('a ninth job of a subscriber waits until there is room', async () => {
  const gate = Promise.withResolvers<void>()
  for (let count = 0; count < 8; count++) expect(await begin(() => gate.promise)).toBe(true)
  expect(await begin(noting('first'))).toBe(false)
  gate.resolve()
  await world.outbox.drain()
  expect(done).toEqual(['again'])
})

test('no job begins once the outbox stops, and the running ones end first', async () => {
  const gate = Promise.withResolvers<void>()
  await begin(() => gate.promise.then(() => void done.push('ended')))
  const stopping = world.outbox.stop()
  expect(await begin(noting('first'))).toBe(false)
  gate.resolve()
  await stopping
  expect(done).toEqual(['ended'])
})
