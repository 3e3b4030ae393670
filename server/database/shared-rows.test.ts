import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '#server/kit/database.ts'
import { testDatabase } from '#server/kit/testing.ts'

// decision 77: sales lock no row that they share, and such rows are never deleted, as no key protects them.

/** The tables that a quote or a sale writes. */
const written = [
  'quotes',
  'policies',
  'policy_versions',
  'policy_people',
  'policy_price_lines',
  'policy_history',
  'policy_counts',
  'payments',
]
const ofSales = [...written, 'money_book', 'files', 'jobs', 'idempotency', 'audit']

let database: Database

beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.close())

const ask = async <Row>(text: string): Promise<Row[]> => (await sql.raw<Row>(text).execute(database.kysely)).rows
const listed = (names: string[]) => names.map(name => `'${name}'`).join()

test('no foreign key of a sale’s tables leads to a row that other sales use', async () => {
  const keys = await ask<{ table: string; name: string }>(`
    select conrelid::regclass::text as table, conname as name from pg_constraint
    where contype = 'f' and conrelid::regclass::text in (${listed(ofSales)}) and confrelid::regclass::text not in (${listed(ofSales)}, 'policy_deeds')`)
  expect(keys).toEqual([])
})

test('no role, nor the owner, may delete a unit, a user or a product', async () => {
  const rights = await ask<{ table: string; rights: string | null }>(`
    select relname as table, (select string_agg(acl.grantee::regrole::text, ', ') from aclexplode(relacl) as acl where acl.privilege_type = 'DELETE') as rights
    from pg_class where oid in ('business_units'::regclass, 'users'::regclass, 'products'::regclass) and relacl is not null order by 1`)
  expect(rights).toEqual(['business_units', 'products', 'users'].map(table => ({ table, rights: null })))
})
