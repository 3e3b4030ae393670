import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, type ServiceTx, type UnitTx, within } from '#server/kit/database.ts'
import { testDatabase } from '#server/kit/testing.ts'
import { demoScope } from '#server/session/testing.ts'

const [azahar, rotta] = [demoScope('azahar'), demoScope('rotta')]
let database: Database

beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.close())

class RolledBack extends Error {}

type UnitsOf = (table: 'memberships' | 'jobs') => Promise<string[]>

/** Works in a transaction of a superuser, to which row-level security does not apply, and rolls it back. */
async function unbound(work: (tx: UnitTx, unitsOf: UnitsOf) => Promise<void>): Promise<void> {
  const outcome = database.kysely.transaction().execute(async whole => {
    const unitsOf: UnitsOf = async table => {
      const { rows } = await sql<{ unit: string }>`select distinct business_unit_id as unit from ${sql.table(table)} order by 1`.execute(
        whole,
      )
      return rows.map(({ unit }) => unit)
    }
    expect(await unitsOf('memberships')).toEqual(both())
    await work(within(whole, azahar), unitsOf)
    throw new RolledBack()
  })
  await expect(outcome).rejects.toThrow(RolledBack)
}

const both = () => [azahar.businessUnitId, rotta.businessUnitId].toSorted()
const job = { id: '018f7d00-0000-7000-8000-000000000001', topic: 'test', subscriber: 'test', payload: '{}', state: 'waiting' as const }

test('a unit’s transaction selects its own rows only, without row-level security too', () =>
  unbound(async tx => {
    const plain = await tx.selectFrom('memberships').select('business_unit_id').execute()
    const joined = await tx
      .selectFrom('memberships')
      .innerJoin('unit_products', 'unit_products.business_unit_id', 'memberships.business_unit_id')
      .select('unit_products.business_unit_id')
      .execute()
    const derived = await tx.derived
      .selectFrom(tx.selectFrom('memberships').select('business_unit_id').as('own'))
      .select('own.business_unit_id')
      .execute()
    for (const rows of [plain, joined, derived])
      expect(new Set(rows.map(row => row.business_unit_id))).toEqual(new Set([azahar.businessUnitId]))
    expect(await tx.selectFrom('business_units').select('key').execute()).toEqual([{ key: 'azahar' }])
  }))

test('a unit’s transaction inserts rows of its own unit, whatever unit they claim', () =>
  unbound(async (tx, unitsOf) => {
    const now = new Date()
    const claiming = { ...job, run_at: now, created_at: now, business_unit_id: rotta.businessUnitId }
    await tx.insertInto('jobs').values(claiming).execute()
    await tx
      .insertInto('jobs')
      .values([{ ...claiming, id: '018f7d00-0000-7000-8000-000000000002' }])
      .execute()
    expect(await unitsOf('jobs')).toEqual([azahar.businessUnitId])
  }))

test('a unit’s transaction updates its own rows only, without row-level security too', () =>
  unbound(async tx => {
    await tx.updateTable('memberships').set({ rank: 77 }).execute()
    await tx.updateTable('business_units').set({ suspended: true }).execute()
    const { rows } = await sql<{ unit: string }>`
      select business_unit_id as unit from memberships where rank = 77 union select id from business_units where suspended`.execute(tx)
    expect(rows).toEqual([{ unit: azahar.businessUnitId }])
  }))

test('a unit’s transaction deletes its own rows only, without row-level security too', () =>
  unbound(async (tx, unitsOf) => {
    await tx.deleteFrom('memberships').execute()
    expect(await unitsOf('memberships')).toEqual([rotta.businessUnitId])
  }))

test('no query clears the condition on its unit, or gives its transaction other tables', () => {
  const server = join(import.meta.dirname, '../..')
  const files = readdirSync(server, { recursive: true, encoding: 'utf8' }).filter(name => /(?<!\.test)\.ts$/.test(name))
  const holds = (file: string) => /\.(?:clearWhere|clearFrom|withTables)\b/.test(readFileSync(join(server, file), 'utf8'))
  expect(files.length).toBeGreaterThan(300)
  expect(files.filter(holds)).toEqual([])
})

test('the compiler keeps units’ transactions apart from all others', () => {
  const ofUnit = (tx: UnitTx) => tx.businessUnitId
  const ofService = (tx: ServiceTx) => tx.isTransaction
  const kept = (unit: UnitTx, service: ServiceTx) => [
    ofUnit(within(service, azahar)),
    // @ts-expect-error the service's transaction is of no unit
    ofUnit(service),
    // @ts-expect-error a unit's transaction is not the service's
    ofService(unit),
    // @ts-expect-error an id is not a scope
    within(service, azahar.businessUnitId),
    // @ts-expect-error a unit's transaction is not widened to another unit
    within(unit, rotta),
    // @ts-expect-error a table of no unit cannot be narrowed to one
    unit.selectFrom('products'),
    // @ts-expect-error a table of units is not shared
    unit.selectFromShared('policies'),
    // @ts-expect-error the transaction names the unit of a new row
    unit.insertInto('policy_counts').values({ business_unit_id: rotta.businessUnitId, part: 0 }),
    // @ts-expect-error a row keeps its unit
    unit.updateTable('jobs').set({ business_unit_id: rotta.businessUnitId }),
    // @ts-expect-error a unit makes no units
    unit.insertInto('business_units'),
    // @ts-expect-error a unit keeps its id
    unit.updateTable('business_units').set({ id: rotta.businessUnitId }),
    // @ts-expect-error raw tables are not at hand in a derived query
    unit.derived.selectFrom('policies'),
    // @ts-expect-error nor can they be added to it
    unit.derived.withTables<Pick<Tables, 'policies'>>(),
    // @ts-expect-error nor can its check be taken off
    unit.derived.withoutPlugins(),
    // @ts-expect-error administration across units is not within one
    database.acrossUnits({} as never, ofUnit),
    // @ts-expect-error without a role no table of units is read
    database.shared.selectFrom('policies'),
    // @ts-expect-error a unit's work is not the service's
    database.asService(ofUnit),
  ]
  expect(kept).toBeTypeOf('function')
})
