import { type RawBuilder, sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database, ServiceTx } from '#server/kit/database.ts'
import { testDatabase } from '#server/kit/testing.ts'

let database: Database

beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.close())

const set = (value: number) => sql<{ value: string }>`select set_config('portolan.trial', ${String(value)}, true) as value`
const get = sql<{ value: string }>`select current_setting('portolan.trial') as value`
const broken = sql<{ value: string }>`select 1 / 0 as value`

const all = (tx: ServiceTx, ...queries: RawBuilder<{ value: string }>[]) =>
  Promise.all(queries.map(async query => (await query.execute(tx)).rows[0]?.value))

test('pipelined statements of a transaction run in order, and each gets its own rows', async () => {
  const values = await database.asService(tx => all(tx, set(1), get, set(2), get, set(3), get))
  expect(values).toEqual(['1', '1', '2', '2', '3', '3'])
})

test('an error among pipelined statements rolls back, and the connection stays usable', async () => {
  const table = sql<{ value: string }>`create temporary table kept (value text)`
  const many = 30
  for (let count = 0; count < many; count++)
    await expect(database.asService(tx => all(tx, set(1), table, broken, get))).rejects.toThrow('division by zero')
  const found = sql<{ value: string }>`select to_regclass('pg_temp.kept')::text as value`
  expect(await Promise.all(Array.from({ length: many }, () => database.asService(tx => all(tx, set(7), get, found))))).toEqual(
    Array.from({ length: many }, () => ['7', '7', null]),
  )
})

test('a statement after the end of its transaction is refused', async () => {
  let late = (): Promise<unknown> => Promise.resolve()
  await database.asService(async tx => {
    late = () => set(1).execute(tx)
  })
  await expect(late()).rejects.toThrow('already committed')
})
