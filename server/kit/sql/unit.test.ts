import { expressionBuilder, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Database, type ServiceTx, type UnitTx, within } from '#server/kit/database.ts'
import type { Scope } from '#server/kit/scope.ts'
import { testDatabase } from '#server/kit/testing.ts'
import type { Tables } from '#server/kit/sql/tables.ts'
import { scopeOf } from '#server/session/scope.ts'

let database: Database
let azahar: Scope
let rotta: Scope

beforeAll(async () => {
  database = await testDatabase()
  const units = await database.kysely.selectFrom('business_units').select(['id', 'key']).execute()
  const scopeFor = (wanted: string) => scopeOf(units.find(({ key }) => key === wanted)?.id ?? '')
  azahar = scopeFor('azahar')
  rotta = scopeFor('rotta')
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

describe('a unit’s transaction without row-level security refuses', () => {
  const moment = new Date()
  const row = { ...job, run_at: moment, created_at: moment }

  test.each<[string, (tx: UnitTx) => { execute(): Promise<unknown> }]>([
    ['a select whose condition was cleared', tx => tx.selectFrom('memberships').selectAll().clearWhere()],
    ['a select whose condition was replaced', tx => tx.selectFrom('memberships').clearWhere().selectAll().where('rank', '>', 0)],
    ['an update whose condition was cleared', tx => tx.updateTable('jobs').set({ lost: 1 }).clearWhere()],
    ['a delete whose condition was cleared', tx => tx.deleteFrom('jobs').clearWhere()],
    [
      'rows given a second time',
      tx =>
        tx
          .insertInto('jobs')
          .values(row)
          .values({ ...row, business_unit_id: rotta.businessUnitId }),
    ],
    [
      'rows of a mixed second list',
      tx =>
        tx
          .insertInto('jobs')
          .values(row)
          .values(
            [row, { ...row, business_unit_id: rotta.businessUnitId }].map(each => ({ business_unit_id: azahar.businessUnitId, ...each })),
          ),
    ],
    [
      'rows whose unit is an expression',
      tx =>
        tx
          .insertInto('jobs')
          .values(row)
          .values({ ...row, business_unit_id: sql<string>`${rotta.businessUnitId}` }),
    ],
    [
      'rows of a query',
      tx => tx.insertInto('jobs').values(row).columns(['business_unit_id']).expression(sql`select id from business_units`),
    ],
    [
      'a subquery of all units',
      tx =>
        tx
          .selectFrom('jobs')
          .selectAll()
          .where(eb => eb.exists(eb.selectFrom('memberships').select('rank'))),
    ],
    [
      'a subquery of all units in an update',
      tx => tx.updateTable('memberships').set(eb => ({ rank: eb.selectFrom('memberships as m').select(eb.fn.countAll<number>().as('n')) })),
    ],
    [
      'a subquery of all units in raw SQL',
      tx => ({ execute: () => sql`select exists ${expressionBuilder<Tables>().selectFrom('memberships').select('rank')}`.execute(tx) }),
    ],
    [
      'a subquery of another unit',
      tx =>
        tx
          .selectFrom('jobs')
          .selectAll()
          .where(eb => eb.exists(eb.selectFrom('memberships').select('rank').where('business_unit_id', '=', rotta.businessUnitId))),
    ],
    [
      'a union with all units',
      tx =>
        tx
          .selectFrom('memberships')
          .select('rank')
          .union(eb => eb.selectFrom('memberships').select('rank')),
    ],
    [
      'a subquery whose unit is one of two conditions',
      tx =>
        tx
          .selectFrom('jobs')
          .selectAll()
          .where(eb =>
            eb.exists(
              eb
                .selectFrom('memberships')
                .select('rank')
                .where(or => or.or([or('business_unit_id', '=', azahar.businessUnitId), or('rank', '>', 0)])),
            ),
          ),
    ],
  ])('%s', (_, query) => unbound(async tx => expect(query(tx).execute()).rejects.toThrow(/outside its unit/)))

  test('nothing of its own unit', () =>
    unbound(async tx => {
      const own = tx.selectFrom('memberships').select('rank')
      const named = expressionBuilder<Tables>()
        .selectFrom('memberships as m')
        .select('rank')
        .where('m.business_unit_id', '=', azahar.businessUnitId)
      await tx
        .selectFrom('jobs')
        .selectAll()
        .where(eb => eb.or([eb.exists(own), eb.exists(named)]))
        .execute()
      await tx
        .insertInto('jobs')
        .values([row])
        .onConflict(conflict => conflict.columns(['business_unit_id', 'id']).doNothing())
        .execute()
    }))
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
    unit.insertInto('policy_numbers').values({ business_unit_id: rotta.businessUnitId, next_number: 1 }),
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
