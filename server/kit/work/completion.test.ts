import { afterEach, beforeEach, expect, test } from 'vitest'
import { demoScope } from '#server/session/testing.ts'
import type { World } from '../app-context.ts'
import { within } from '../database.ts'
import { type TestApp, testApp } from '../testing.ts'
import { type Completion, openOutbox } from './outbox.ts'

const scope = demoScope('azahar')
let app: TestApp
let world: World
let now: Date

beforeEach(async () => {
  now = new Date('2026-11-20T10:00:00Z')
  app = await testApp({}, { clock: { now: () => now } })
  world = app.world
  world.outbox.subscribe('test.heard', 'hearer', () => Promise.resolve())
})
afterEach(() => app.stop())

const publish = () => world.database.inScope(scope, tx => world.outbox.publish(tx, 'test.news', {}))
const states = async () =>
  (
    await world.database.kysely
      .selectFrom('jobs')
      .select(['topic', 'state', 'last_error'])
      .where('topic', 'like', 'test.%')
      .orderBy('topic', 'desc')
      .execute()
  ).map(({ topic, state, last_error }) => [topic, state, last_error])
/** Publishes another job, whose row can be seen afterwards. */
const tellOn: Completion = tx => world.outbox.publish(within(tx, scope), 'test.heard', {})

test('a job’s completion is written with its outcome', async () => {
  world.outbox.subscribe('test.news', 'one', async () => tellOn)
  await publish()
  expect(await world.outbox.drain()).toBe(2)
  expect(await states()).toEqual([
    ['test.news', 'done', null],
    ['test.heard', 'done', null],
  ])
})

test('a completion that fails leaves nothing, and the job is retried', async () => {
  let tries = 0
  world.outbox.subscribe('test.news', 'one', async () => async tx => {
    await tellOn(tx)
    tries += 1
    if (tries === 1) throw new Error('not now')
  })
  await publish()
  await world.outbox.drain()
  expect(await states()).toEqual([['test.news', 'waiting', 'not now']])
  now = new Date(now.getTime() + 5000)
  await world.outbox.drain()
  expect((await states()).map(([topic, state]) => [topic, state])).toEqual([
    ['test.news', 'done'],
    ['test.heard', 'done'],
  ])
})

test('a worker that lost its lease still writes its completion, and not the outcome', async () => {
  const gate = Promise.withResolvers<void>()
  const slow = openOutbox(world)
  slow.subscribe('test.news', 'one', () => gate.promise.then(() => tellOn))
  world.outbox.subscribe('test.news', 'one', () => Promise.reject(new Error('the second’s word')))
  await publish()
  const first = slow.drain()
  await expect.poll(states).toEqual([['test.news', 'running', null]])
  now = new Date(now.getTime() + 121_000)
  await world.outbox.drain()
  gate.resolve()
  await first
  expect((await states()).map(([topic, , error]) => [topic, error])).toEqual([
    ['test.news', 'the second’s word'],
    ['test.heard', null],
  ])
})
