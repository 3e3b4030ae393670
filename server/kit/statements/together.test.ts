import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '#server/kit/database.ts'
import { testDatabase } from '#server/kit/testing.ts'
import { together } from './together.ts'

let database: Database
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.close())

/** Halves whole numbers given as text, and keeps which were asked about together. */
function halving(most: number) {
  const batches: string[][] = []
  const half = together(database.pool, most, async (client, all: string[]) => {
    batches.push(all)
    const { rows } = await client.query<{ half: number }>(
      'select given::int / 2 as half from unnest($1::text[]) with ordinality as t (given, place) order by place',
      [all],
    )
    return rows.map(row => row.half)
  })
  return { half, batches }
}

test('what comes together is asked together, each is told its own, and what comes later is asked later', async () => {
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

test('what cannot be answered for one does not fail the others', async () => {
  const { half, batches } = halving(10)
  const outcomes = await Promise.allSettled([half('2'), half('two'), half('4')])
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(batches).toEqual([['2', 'two', '4'], ['2'], ['two'], ['4']])
})

test('nobody waits for long behind a statement that does not come back', async () => {
  const pool = { connect: () => Promise.resolve({ release() {} }) } as never
  let comeBack = () => {}
  const gone = new Promise<void>(resolve => (comeBack = resolve))
  const asking = (patienceMs: number) =>
    together(pool, 10, (_client, all: string[]) => (all[0] === 'dead' ? gone.then(() => all) : Promise.resolve(all)), patienceMs)
  const [impatient, patient] = [asking(0), asking(Number.POSITIVE_INFINITY)]
  const dead = [impatient('dead'), patient('dead')]
  // Both have begun by the time that somebody else is told.
  expect(await asking(0)('z')).toBe('z')
  expect(await Promise.all([impatient('a'), impatient('b')])).toEqual(['a', 'b'])
  let told = ''
  const behind = patient('c').then(answer => (told = answer))
  expect(await impatient('d')).toBe('d')
  expect(told).toBe('')
  comeBack()
  await Promise.all([...dead, behind])
  expect(told).toBe('c')
})

test('without a database all who wait are told, and the next asks anew', async () => {
  const pool = new pg.Pool({ host: '127.0.0.1', port: 1 })
  const ask = together(pool, 10, (_client, all: string[]) => Promise.resolve(all))
  const outcomes = await Promise.allSettled([ask('a'), ask('b')])
  expect(outcomes.map(each => each.status === 'rejected' && each.reason.code)).toEqual(['ECONNREFUSED', 'ECONNREFUSED'])
  await expect(ask('c')).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  await pool.end()
})

test('a line that cannot be had fails those who waited for it, and nobody who came since', async () => {
  const lines = [Promise.withResolvers<pg.PoolClient>(), Promise.withResolvers<pg.PoolClient>(), Promise.withResolvers<pg.PoolClient>()]
  let asked = 0
  const pool = { connect: () => lines[asked++]?.promise } as unknown as pg.Pool
  const told = together(pool, 10, (_, all: string[]) => Promise.resolve(all), 0)
  const first = told('first')
  const second = told('second')
  lines[0]?.reject(new Error('no line in time'))
  await expect(first).rejects.toThrow('no line in time')
  lines[1]?.resolve({ release: () => {} } as pg.PoolClient)
  expect(await second).toBe('second')
})
