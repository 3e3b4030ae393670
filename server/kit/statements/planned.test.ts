import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database, Tx } from '#server/kit/database.ts'
import { testDatabase } from '#server/kit/testing.ts'

let database: Database
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.close())

/** Without values it is not kept itself. */
const kept = async (tx: Tx, part: string) =>
  (await sql`select from pg_prepared_statements where statement like ${sql.lit(`%${part}%`)}`.execute(tx)).rows.length

test('what is asked again is planned once for its connection, with the values of each call', async () => {
  await database.asService(async tx => {
    const ask = (key: string) => tx.selectFrom('business_units').select('key as planned_once').where('key', '=', key).execute()
    expect(await ask('azahar')).toEqual([{ planned_once: 'azahar' }])
    expect(await kept(tx, 'planned_once')).toBe(0)
    expect(await ask('rotta')).toEqual([{ planned_once: 'rotta' }])
    expect(await ask('none')).toEqual([])
    expect(await kept(tx, 'planned_once')).toBe(1)
  })
})

test('a page or a search is planned for what is asked', async () => {
  await database.asService(async tx => {
    const page = (most: number) => tx.selectFrom('business_units').select('key as planned_anew').limit(most).execute()
    for (const most of [1, 1, 2]) expect(await page(most)).toHaveLength(most)
    expect(await kept(tx, 'planned_anew')).toBe(0)
  })
})

test('what a migration has changed beneath a plan is planned anew', async () => {
  const change = (statement: ReturnType<typeof sql>) => database.asService(tx => statement.execute(tx))
  const all = () => database.asService(async tx => (await sql`select * from changing where name <> ${'none'}`.execute(tx)).rows)
  await change(sql`create temporary table changing as select 'Ana' as name`)
  for (const _ of [1, 2, 3]) expect(await all()).toEqual([{ name: 'Ana' }])
  await change(sql`alter table changing add column more int default 1`)
  expect(await all()).toEqual([{ name: 'Ana', more: 1 }])
  expect(await all()).toEqual([{ name: 'Ana', more: 1 }])
  await change(sql`drop table changing`)
})
