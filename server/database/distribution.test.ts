import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '#server/kit/database.ts'
import { testDatabase } from '#server/kit/testing.ts'
import { obstaclesIn, placeOf } from './distribute.ts'

// The conditions for distributing the schema over several machines by business unit (docs/scaling.md): a unit's rows refer to no other unit's.

let database: Database
let tenants: string[]

beforeAll(async () => {
  database = await testDatabase()
  tenants = (
    await ask<{ name: string }>(
      `select table_name as name from information_schema.columns where table_schema = 'public' and column_name = 'business_unit_id' order by 1`,
    )
  ).map(({ name }) => name)
})
afterAll(() => database.close())

const ask = async <Row>(text: string): Promise<Row[]> => (await sql.raw<Row>(text).execute(database.kysely)).rows

/** False for tables that stay on the first machine or are copied to each. No unit's row refers to these. */
const isDistributed = (table: string): boolean => placeOf(table, tenants.includes(table)) === 'distributed'

test('nothing in the schema keeps a unit’s tables from being distributed', async () => {
  const distributed = tenants.filter(isDistributed)
  expect(distributed.length).toBeGreaterThan(40)
  expect(await obstaclesIn(database.kysely, distributed)).toEqual([])
})

test('every unique index of a unit’s table begins with the unit', async () => {
  const indexes = await ask<{ table: string; index: string; first: string }>(`
    select indrelid::regclass::text as table, indexrelid::regclass::text as index, attname as first
    from pg_index join pg_attribute on attrelid = indrelid and attnum = indkey[0]
    where indisunique and indrelid in (select oid from pg_class where relnamespace = 'public'::regnamespace)`)
  const own = indexes.filter(({ table }) => tenants.includes(table) && table !== 'audit')
  expect(own.length).toBeGreaterThan(20)
  expect(own.filter(({ first }) => first !== 'business_unit_id')).toEqual([])
})

test('a unit’s row refers to its own unit’s rows or shared ones, never the reverse', async () => {
  const keys = await ask<{ table: string; target: string; name: string; from: string; to: string }>(`
    select conrelid::regclass::text as table, confrelid::regclass::text as target, conname as name,
      (select attname from pg_attribute where attrelid = conrelid and attnum = conkey[1]) as from,
      (select attname from pg_attribute where attrelid = confrelid and attnum = confkey[1]) as to
    from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace`)
  const within = keys.filter(({ table, target }) => tenants.includes(table) && tenants.includes(target))
  expect(within.length).toBeGreaterThan(5)
  expect(within.filter(({ from, to }) => from !== 'business_unit_id' || to !== 'business_unit_id')).toEqual([])
  const inwards = keys.filter(({ table, target }) => !tenants.includes(table) && tenants.includes(target))
  expect(inwards).toEqual([])
  expect(keys.filter(({ table, target }) => isDistributed(table) && placeOf(target, tenants.includes(target)) === 'local')).toEqual([])
})

test('the schema has no triggers, no exclusion constraints and no inheritance', async () => {
  expect(await ask(`select tgname, tgrelid::regclass::text from pg_trigger where not tgisinternal`)).toEqual([])
  expect(await ask(`select conname from pg_constraint where contype = 'x' and connamespace = 'public'::regnamespace`)).toEqual([])
  expect(await ask(`select inhrelid::regclass::text from pg_inherits join pg_class on oid = inhrelid where relkind = 'r'`)).toEqual([])
})

test('the schema has no sequences', async () => {
  expect(await ask(`select sequencename from pg_sequences where schemaname = 'public'`)).toEqual([])
})

test('migrations are split into single statements', () => {
  const folder = join(import.meta.dirname, 'migrations')
  const files = readdirSync(folder).filter(name => name.endsWith('.sql'))
  expect(files.length).toBeGreaterThan(7)
  for (const name of files)
    for (const statement of readFileSync(join(folder, name), 'utf8').split(/;\s*\n\s*\n/))
      expect(
        statement
          .replaceAll(/\$(\w*)\$[\s\S]*?\$\1\$/g, '')
          .replaceAll(/--.*$/gm, '')
          .trim()
          .replace(/;$/, ''),
        name,
      ).not.toMatch(/;\s*\n/)
})
