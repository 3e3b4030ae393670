import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '#server/kit/database.ts'
import { testDatabase } from '#server/kit/testing.ts'
import { compiler, prepared } from './prepared.ts'

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
  expect(unitByKey('azahar', false).query).toBe(unitByKey('rotta', true).query)
  await database.onConnection(async alone => {
    expect(await alone(unitByKey('azahar', false))).toEqual([{ key: 'azahar', suspended: false }])
    expect(await alone(unitByKey('rotta', false))).toEqual([{ key: 'rotta', suspended: false }])
    expect(await alone(unitByKey('azahar', true))).toEqual([])
    const kept = sql<{ statement: string }>`select statement from pg_prepared_statements where statement like '%"key" <> %'`
    expect((await alone(kept.compile(compiler))).length).toBe(1)
  })
})

test('a single statement whose table a migration has changed is planned anew', async () => {
  await database.onConnection(async alone => {
    const all = () => alone(sql`select * from altered where name <> ${'none'}`.compile(compiler))
    const change = (text: string) => alone(sql.raw(text).compile(compiler))
    await change(`create temporary table altered as select 'Ana' as name`)
    for (const _ of [1, 2, 3]) expect(await all()).toEqual([{ name: 'Ana' }])
    await change('alter table altered add column more int default 1')
    expect(await all()).toEqual([{ name: 'Ana', more: 1 }])
    await change('drop table altered')
  })
})

test('a single statement that fails leaves the connection usable', async () => {
  await database.onConnection(async alone => {
    await expect(alone(sql`select 1 / 0`.compile(compiler))).rejects.toThrow('division by zero')
    expect(await alone(sql`select current_user as me`.compile(compiler))).toEqual([{ me: 'portolan_service' }])
  })
})

test('the compiler runs no query', async () => {
  await expect(compiler.selectFrom('business_units').selectAll().execute()).rejects.toThrow('no connection')
})
