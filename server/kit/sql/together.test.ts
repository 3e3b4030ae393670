import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, databaseOf, type RunAlone } from '#server/kit/database.ts'
import { testDatabase } from '#server/kit/testing.ts'
import { together } from './together.ts'

let database: Database
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.close())

/** A clock that stands still, so that no input times out under load. */
const stands = () => 0

/** Halves whole numbers that are written as text, and records the batches. */
function halving(most: number) {
  const batches: string[][] = []
  const half = together({ database, elapsed: stands }, most, async (alone, all: string[]) => {
    batches.push(all)
    const halves = sql<{ half: number }>`
      select input::int / 2 as half from unnest(${all}::text[]) with ordinality as t (input, position) order by position`.compile(
      database.kysely,
    )
    return (await alone(halves)).map(row => row.half)
  })
  return { half, batches }
}

test('concurrent inputs share one statement, and later ones the next', async () => {
  const { half, batches } = halving(3)
  const later: Promise<number>[] = []
  const first = half('2').finally(() => later.push(half('12')))
  expect(await Promise.all([first, half('4'), half('6'), half('8')])).toEqual([1, 2, 3, 4])
  expect(await Promise.all(later)).toEqual([6])
  expect(batches).toEqual([
    ['2', '4', '6'],
    ['8', '12'],
  ])
  expect(await half('20')).toBe(10)
})

test('bad data of one input does not fail the others', async () => {
  const { half, batches } = halving(10)
  const outcomes = await Promise.allSettled([half('2'), half('two'), half('4')])
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(batches).toEqual([['2', 'two', '4'], ['2'], ['two'], ['4']])
})

test('an input waits behind a stuck statement only until its timeout', async () => {
  const onConnection = <T>(work: (alone: RunAlone) => Promise<T>): Promise<T> => Promise.resolve().then(() => work(none))
  let comeBack = () => {}
  const gone = new Promise<void>(resolve => (comeBack = resolve))
  let now = 0
  const open = () =>
    together({ database: { onConnection }, elapsed: () => now }, 10, (_alone, all: string[]) =>
      all[0] === 'dead' ? gone.then(() => all) : Promise.resolve(all),
    )
  const pass = open()
  const dead = pass('dead')
  // An input of another batch is done once this batch has begun.
  await open()('z')
  now = 249
  let output = ''
  const behind = pass('a').then(value => (output = value))
  await open()('z')
  expect(output).toBe('')
  now = 250
  expect([await pass('b'), await behind]).toEqual(['b', 'a'])
  comeBack()
  expect(await dead).toBe('dead')
})

test('without a database all waiting inputs fail, and the next tries anew', async () => {
  const pool = new pg.Pool({ host: '127.0.0.1', port: 1 })
  const ask = together({ database: databaseOf(pool, false, () => pool.end()), elapsed: stands }, 10, (_alone, all: string[]) =>
    Promise.resolve(all),
  )
  const outcomes = await Promise.allSettled([ask('a'), ask('b')])
  expect(outcomes.map(each => each.status === 'rejected' && each.reason.code)).toEqual(['ECONNREFUSED', 'ECONNREFUSED'])
  await expect(ask('c')).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  await pool.end()
})

test('a failed connection attempt fails the inputs that waited for it, and no others', async () => {
  const connections = [Promise.withResolvers<RunAlone>(), Promise.withResolvers<RunAlone>(), Promise.withResolvers<RunAlone>()]
  let taken = 0
  const onConnection = async <T>(work: (alone: RunAlone) => Promise<T>): Promise<T> => work((await connections[taken++]?.promise) ?? none)
  const pass = together({ database: { onConnection }, elapsed: stands }, 10, (_, all: string[]) => Promise.resolve(all), 0)
  const first = pass('first')
  const second = pass('second')
  connections[0]?.reject(new Error('no connection in time'))
  await expect(first).rejects.toThrow('no connection in time')
  connections[1]?.resolve(none)
  expect(await second).toBe('second')
})

const none: RunAlone = () => Promise.resolve([])
