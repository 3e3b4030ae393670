import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '#server/kit/database.ts'
import { testDatabase } from '#server/kit/testing.ts'
import { prepared } from './prepared.ts'

let database: Database
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.close())

const unitByKey = prepared((db, key: string, suspended: boolean) =>
  db
    .selectFrom('business_units')
    .select(['key', 'suspended'])
    .where('key', '=', key)
    .where('suspended', '=', suspended)
    .where('key', '<>', 'none'),
)

test('calls with different values share a statement, compiled and planned once', async () => {
  const { kysely } = database
  expect(unitByKey(kysely, 'azahar', false).query).toBe(unitByKey(kysely, 'rotta', true).query)
  await database.onConnection(async alone => {
    expect(await alone(unitByKey(kysely, 'azahar', false))).toEqual([{ key: 'azahar', suspended: false }])
    expect(await alone(unitByKey(kysely, 'rotta', false))).toEqual([{ key: 'rotta', suspended: false }])
    expect(await alone(unitByKey(kysely, 'azahar', true))).toEqual([])
    const kept = sql<{ statement: string }>`select statement from pg_prepared_statements where statement like '%"key" <> %'`
    expect((await alone(kept.compile(kysely))).length).toBe(1)
  })
})

test('a statement alone whose table a migration has changed is planned anew', async () => {
  const { kysely } = database
  await database.onConnection(async alone => {
    const all = () => alone(sql`select * from altered where name <> ${'none'}`.compile(kysely))
    const change = (text: string) => alone(sql.raw(text).compile(kysely))
    await change(`create temporary table altered as select 'Ana' as name`)
    for (const _ of [1, 2, 3]) expect(await all()).toEqual([{ name: 'Ana' }])
    await change('alter table altered add column more int default 1')
    expect(await all()).toEqual([{ name: 'Ana', more: 1 }])
    await change('drop table altered')
  })
})

test('a statement alone that fails leaves the connection of use', async () => {
  await database.onConnection(async alone => {
    await expect(alone(sql`select 1 / 0`.compile(database.kysely))).rejects.toThrow('division by zero')
    expect(await alone(sql`select current_user as me`.compile(database.kysely))).toEqual([{ me: 'portolan_service' }])
  })
})
