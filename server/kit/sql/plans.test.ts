import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database, Tx } from '#server/kit/database.ts'
import { testDatabase } from '#server/kit/testing.ts'

let database: Database
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.close())

/** Counts the kept statements with this text. It has no values, so it is not kept itself. */
const kept = async (tx: Tx, part: string) =>
  (await sql`select from pg_prepared_statements where statement like ${sql.lit(`%${part}%`)}`.execute(tx)).rows.length

test('a repeated statement is planned once per connection, and has each call’s values', async () => {
  await database.asService(async tx => {
    const ask = (key: string) => tx.selectFrom('business_units').select('key as planned_once').where('key', '=', key).execute()
    expect(await ask('azahar')).toEqual([{ planned_once: 'azahar' }])
    expect(await kept(tx, 'planned_once')).toBe(0)
    expect(await ask('rotta')).toEqual([{ planned_once: 'rotta' }])
    expect(await ask('none')).toEqual([])
    expect(await kept(tx, 'planned_once')).toBe(1)
  })
})

test('one-off statements are not kept, and a repeated one is kept after many of them', async () => {
  await database.asService(async tx => {
    const ask = (name: string) => sql`select ${'x'}::text as ${sql.ref(name)}`.execute(tx)
    for (let index = 0; index < 600; index++) await ask(`asked_once_${index}`)
    for (const _ of [1, 2]) await ask('asked_twice')
    expect([await kept(tx, 'asked_once'), await kept(tx, 'asked_twice')]).toEqual([0, 1])
  })
})

test('statements outside of a transaction are not kept', async () => {
  for (const _ of [1, 2, 3]) await sql`select ${'x'}::text as asked_outside`.execute(database.kysely)
  expect(await database.asService(tx => kept(tx, 'asked_outside'))).toBe(0)
})

test('a page or a search is planned for its values each time', async () => {
  await database.asService(async tx => {
    const page = (most: number) => tx.selectFrom('business_units').select('key as planned_anew').limit(most).execute()
    for (const most of [1, 1, 2]) expect(await page(most)).toHaveLength(most)
    const search = (part: string) => tx.selectFrom('business_units').select('key as planned_anew').where('key', 'ilike', part).execute()
    for (const part of ['A%', 'A%', 'R%']) expect(await search(part)).toHaveLength(1)
    expect(await kept(tx, 'planned_anew')).toBe(0)
  })
})

test('a statement whose table a migration has changed is planned anew', async () => {
  const change = (statement: ReturnType<typeof sql>) => database.asService(tx => statement.execute(tx))
  const all = () => database.asService(async tx => (await sql`select * from changing where name <> ${'none'}`.execute(tx)).rows)
  await change(sql`create temporary table changing as select 'Ana' as name`)
  for (const _ of [1, 2, 3]) expect(await all()).toEqual([{ name: 'Ana' }])
  await change(sql`alter table changing add column more int default 1`)
  expect(await all()).toEqual([{ name: 'Ana', more: 1 }])
  expect(await all()).toEqual([{ name: 'Ana', more: 1 }])
  await change(sql`drop table changing`)
})

test('a value that cannot be sent fails, and the same statement works again after it', async () => {
  const say = (value: unknown) => database.asService(async tx => (await sql`select ${value}::text as said`.execute(tx)).rows)
  const circular: Record<string, unknown> = {}
  circular['self'] = circular
  for (const _ of [1, 2, 3]) expect(await say('yes')).toEqual([{ said: 'yes' }])
  await expect(say(circular)).rejects.toThrow()
  for (const _ of [1, 2, 3]) expect(await say('yes')).toEqual([{ said: 'yes' }])
})
