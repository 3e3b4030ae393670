import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '#server/kit/database.ts'
import type { Scope } from '#server/kit/scope.ts'
import { openSecrets } from '#server/kit/store/secrets.ts'
import { emptyServerDatabase, testConfig, testDatabase } from '#server/kit/testing.ts'
import { seedPolicies } from '#server/policies/seed/write.ts'
import { scopeOf } from '#server/session/scope.ts'
import { demoScope } from '#server/session/testing.ts'
import { migrate } from './migrate.ts'
import { prepare } from './prepare.ts'

const [azahar, rotta] = [demoScope('azahar'), demoScope('rotta')]
let database: Database

beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.close())

/** Returns the tables that belong to units, read from the schema. */
const tenantTables = async (): Promise<string[]> => {
  const { rows } = await sql<{ name: string }>`
    select table_name as name from information_schema.columns where table_schema = 'public' and column_name = 'business_unit_id' order by 1`.execute(
    database.kysely,
  )
  return rows.map(({ name }) => name)
}

test('a query without a condition sees no other unit’s row', async () => {
  const rowsOf = (scope: Scope) => database.inScope(scope, tx => tx.selectFrom('unit_products').select('business_unit_id').execute())
  for (const scope of [azahar, rotta]) {
    const rows = await rowsOf(scope)
    expect(rows.length).toBe(8)
    expect(new Set(rows.map(row => row.business_unit_id))).toEqual(new Set([scope.businessUnitId]))
  }
  const units = await database.inScope(azahar, tx => tx.selectFrom('business_units').select('key').execute())
  expect(units).toEqual([{ key: 'azahar' }])
})

test('an update or insert in a unit cannot write another unit’s row', async () => {
  await database.inScope(azahar, tx => tx.updateTable('memberships').set({ rank: 7 }).execute())
  const others = await database.kysely
    .selectFrom('memberships')
    .select('rank')
    .where('business_unit_id', '=', rotta.businessUnitId)
    .execute()
  expect(others.every(({ rank }) => rank !== 7)).toBe(true)
  const intrusion = database.inScope(azahar, tx =>
    sql`insert into memberships (business_unit_id, user_id, roles, created_at)
      select ${rotta.businessUnitId}::uuid, user_id, '{admin}', now() from memberships limit 1`.execute(tx),
  )
  await expect(intrusion).rejects.toThrow(/row-level security/)
})

test('the role and the unit of a transaction are gone after it', async () => {
  await database.inScope(azahar, tx => tx.selectFrom('jobs').selectAll().execute())
  const { rows } = await sql<{
    role: string
    unit: string | null
  }>`select current_user as role, nullif(current_setting('portolan.business_unit', true), '') as unit`.execute(database.kysely)
  expect(rows[0]?.role).not.toBe('portolan_app')
  expect(rows[0]?.unit).toBeNull()
})

test('the units’ role can neither read sign-in secrets nor change the audit', async () => {
  for (const statement of [
    'select * from users',
    'select * from sessions',
    'select * from one_time_tokens',
    'update audit set action = action',
    'delete from audit',
    'truncate jobs',
  ])
    await expect(
      database.inScope(azahar, tx => sql.raw(statement).execute(tx)),
      statement,
    ).rejects.toThrow(/permission denied/)
})

test('every tenant table has row-level security and keys that begin with the unit', async () => {
  const names = await tenantTables()
  expect(names.length).toBeGreaterThan(5)
  const { rows: guarded } = await sql<{
    name: string
  }>`select relname as name from pg_class where relrowsecurity and relkind = 'r'`.execute(database.kysely)
  expect(guarded.map(({ name }) => name)).toEqual(expect.arrayContaining(names))
  const { rows: keys } = await sql<{ table: string; first: string; kind: string }>`
    select conrelid::regclass::text as table, contype as kind, (select attname from pg_attribute where attrelid = conrelid and attnum = conkey[1]) as first
    from pg_constraint where contype in ('p', 'u') and connamespace = 'public'::regnamespace`.execute(database.kysely)
  // The audit also has events of no unit, so its keys begin with its own id.
  const wrong = keys.filter(key => names.includes(key.table) && key.table !== 'audit' && key.first !== 'business_unit_id')
  expect(wrong).toEqual([])
})

test('row-level security lets the service’s role through, and never the owner', async () => {
  const { rows } = await sql<{ table: string; forced: boolean; policies: string[] }>`
    select relname as table, relforcerowsecurity as forced, array_agg(concat_ws(' ',
        case when polpermissive then 'lets' else 'keeps' end, case when array[relowner] = polroles then 'owner' else polroles::regrole[]::text end,
        pg_get_expr(polqual, polrelid)) order by polname) as policies
    from pg_class join pg_policy on polrelid = pg_class.oid
    where polname in ('service', 'no_owner') and polcmd = '*' and polwithcheck is null group by 1, 2`.execute(database.kysely)
  const expected = { forced: true, policies: ['keeps owner false', 'lets {portolan_service} true'] }
  const { rows: guarded } = await sql<{ table: string }>`
    select relname as table from pg_class where relrowsecurity and relnamespace = 'public'::regnamespace`.execute(database.kysely)
  const inOrder = (tables: { table: string }[]) => tables.toSorted((one, other) => (one.table < other.table ? -1 : 1))
  expect(inOrder(rows)).toEqual(inOrder(guarded).map(({ table }) => ({ table, ...expected })))
  expect(guarded.map(({ table }) => table)).toEqual(expect.arrayContaining([...(await tenantTables()), 'business_units']))
})

test('on a server a query without a role finds no rows, and a migration’s update fails', async () => {
  const owned = await emptyServerDatabase()
  // On the embedded database a superuser sends all queries.
  if (!owned) return
  await prepare(owned, { demo: true })
  for (const table of [...(await tenantTables()), 'business_units']) {
    const { rows } = await sql`select from ${sql.table(table)} limit 1`.execute(owned.kysely)
    expect(rows, table).toEqual([])
  }
  expect((await owned.asService(tx => tx.selectFrom('memberships').select('rank').execute())).length).toBeGreaterThan(5)
  await expect(owned.pool.query("set row_security = off; update jobs set state = 'failed'")).rejects.toThrow(/row-level security/)
  await owned.close()
})

test('every policy lets through the unit’s own rows and no others', async () => {
  const { rows } = await sql<{ table: string; readable: string; writable: string | null }>`
    select tablename as table, qual as readable, with_check as writable from pg_policies where 'portolan_app' = any(roles) and permissive = 'PERMISSIVE'`.execute(
    database.kysely,
  )
  const own = "= (NULLIF(current_setting('portolan.business_unit'::text, true), ''::text))::uuid)"
  const open = rows.filter(
    ({ table, readable, writable }) =>
      readable !== `(${table === 'business_units' ? 'id' : 'business_unit_id'} ${own}` || (writable !== null && writable !== readable),
  )
  expect(open).toEqual([])
  const tables = (await tenantTables()).filter(table => !ofRetention.includes(table))
  expect(rows.map(({ table }) => table)).toEqual(expect.arrayContaining(tables))
  // A scope without a unit sees no rows.
  for (const table of tables) {
    const { rows: visible } = await database.inScope(scopeOf(''), tx => sql`select from ${sql.table(table)} limit 1`.execute(tx))
    expect(visible, table).toEqual([])
  }
  for (const table of ofRetention)
    await expect(
      database.inScope(azahar, tx => sql`select from ${sql.table(table)}`.execute(tx)),
      table,
    ).rejects.toThrow(/permission denied/)
})

/** Tables that no agency reads. */
const ofRetention = ['blocked_data', 'blocked_people', 'holds', 'person_copies', 'person_requests', 'retention_counts']

test('concurrent repeated migrations change nothing', async () => {
  expect(await Promise.all([migrate(database), migrate(database), migrate(database)])).toEqual([[], [], []])
})

test('functions that bypass row-level security return the unit’s own rows only', async () => {
  const functions = ['policies_found', 'tickets_found']
  // A single pattern, as the previous version calls them, and several.
  const patterns = [sql`${'%'}`, sql`${['%']}::text[]`]
  const { rows } = await sql<{ name: string; open: boolean }>`
    select proname as name, has_function_privilege('public', oid, 'execute') as open from pg_proc
    where prosecdef and pronamespace = 'public'::regnamespace order by 1`.execute(database.kysely)
  const all = ['people_found', 'policies_found', 'policies_found', 'policies_summed', 'tickets_found', 'tickets_found']
  expect(rows).toEqual(all.map(name => ({ name, open: false })))
  const secrets = openSecrets(testConfig())
  await seedPolicies({ database, secrets }, [{ scope: azahar, many: 3 }], { seed: 1, now: new Date(), show: () => undefined })
  const ticket = sql`insert into tickets (business_unit_id, id, reference, kind, type_key, form, status, subject, description, contact_name,
      contact_email, contact_phone, locale, user_id, user_name, created_at, updated_at, search)
    select ${azahar.businessUnitId}, gen_random_uuid(), 'R1', 'request', 'question', '{}', 'open', 'a', 'b', 'c', 'd', 'e', 'es-ES', id, name,
      now(), now(), 'a b c' from users limit 1`
  await ticket.execute(database.kysely)
  for (const name of functions) {
    for (const pattern of patterns) {
      const query = sql`select id from ${sql.raw(name)}(${pattern})`
      const countIn = async (scope: Scope) => (await database.inScope(scope, tx => query.execute(tx))).rows.length
      expect([(await countIn(azahar)) > 0, await countIn(rotta)], name).toEqual([true, 0])
      expect((await query.execute(database.kysely)).rows).toEqual([])
    }
  }
  const summed = sql<{
    matches: number
  }>`select matches from policies_summed('{%}', '{purchased,budgeted,pending,cancelled}', null, null, null, null, null,
    null, null, null)`
  const matchesIn = async (scope: Scope) => (await database.inScope(scope, tx => summed.execute(tx))).rows[0]?.matches
  expect([await matchesIn(azahar), await matchesIn(rotta), (await summed.execute(database.kysely)).rows[0]?.matches]).toEqual([3, 0, 0])
  const person = await database.kysely.selectFrom('policy_people').select('document_hash').limit(1).executeTakeFirstOrThrow()
  const byDocument = sql`select policy_id from people_found(${[person.document_hash]}::bytea[], null, null, '{}', '{}')`
  const found = async (scope: Scope) => (await database.inScope(scope, tx => byDocument.execute(tx))).rows.length
  expect([(await found(azahar)) > 0, await found(rotta)]).toEqual([true, 0])
  expect((await byDocument.execute(database.kysely)).rows).toEqual([])
})
