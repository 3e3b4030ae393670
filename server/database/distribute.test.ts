import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Database } from '#server/kit/database.ts'
import { testDatabase } from '#server/kit/testing.ts'
import { distribute, obstaclesIn, placeOf } from './distribute.ts'

// Fault test `citus` distributes a database over a cluster.

let database: Database
beforeEach(async () => {
  database = await testDatabase()
})
afterEach(() => database.close())

async function distributedTables(): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select table_name as name from information_schema.columns where table_schema = 'public' and column_name = 'business_unit_id'`.execute(
    database.kysely,
  )
  return rows.map(({ name }) => name).filter(name => placeOf(name, true) === 'distributed')
}

const run = (text: string) => sql.raw(text).execute(database.kysely)

test('a database without Citus is refused, and left as it is', async () => {
  const demand = database.embedded ? /one machine/ : /no extension citus/
  await expect(distribute(database, { shards: 4 }, () => {})).rejects.toThrow(demand)
  const { rows } = await sql`select from pg_namespace where nspname = 'distributing'`.execute(database.kysely)
  expect(rows).toEqual([])
})

test('tables with a unit’s column are distributed, and most others copied', () => {
  expect([placeOf('policies', true), placeOf('users', false), placeOf('memberships', true), placeOf('audit', true)]).toEqual([
    'distributed',
    'copied',
    'copied',
    'local',
  ])
})

const obstacles: [string, string[], RegExp][] = [
  ['a unique index without the unit', ['create unique index on tickets (id)'], /unique index tickets_id_idx does not begin with the unit/],
  [
    'a reference from no unit',
    [
      `create table odd (unit uuid, ticket uuid,
        foreign key (unit, ticket) references tickets (business_unit_id, id))`,
    ],
    /of odd leads from no unit/,
  ],
  [
    'a trigger',
    [
      'create function odd() returns trigger language plpgsql as $$ begin return new; end $$',
      'create trigger odd before insert on tickets for each row execute function odd()',
    ],
    /table tickets has the trigger odd/,
  ],
  [
    'a reference that may lead to another unit',
    [
      'alter table policies add unique (id, business_unit_id)',
      'alter table tickets add foreign key (policy_id, business_unit_id) references policies (id, business_unit_id)',
    ],
    /of tickets may lead to another unit/,
  ],
]

test.each(obstacles)('%s is named as an obstacle', async (_, changes, named) => {
  const tables = await distributedTables()
  expect(await obstaclesIn(database.kysely, tables)).toEqual([])
  for (const change of changes) await run(change)
  expect((await obstaclesIn(database.kysely, tables)).join()).toMatch(named)
})
