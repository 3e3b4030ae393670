import { expect, inject, test } from 'vitest'
import type { Database } from '#server/kit/database.ts'
import { testDatabase } from '#server/kit/testing.ts'

// Every test relies on this: its database shows no change of another test.

const facts = {
  users: 'select * from users order by id',
  memberships: 'select * from memberships order by business_unit_id, user_id',
  failures: 'select count(*) from sign_in_failures',
  places: 'select md5(string_agg(p::text, $$,$$ order by id)) from geo_states p',
  tables: 'select tablename from pg_tables order by 1',
  constraints: 'select conname, pg_get_constraintdef(oid) from pg_constraint order by 1, 2',
  functions: "select proname, prosrc from pg_proc where pronamespace = 'public'::regnamespace order by 1, 2",
  defaults: 'select pg_get_expr(adbin, adrelid) from pg_attrdef order by adrelid, adnum',
  members: 'select roleid::regrole::text, member::regrole::text from pg_auth_members order by 1, 2',
  roles: 'select rolname, rolbypassrls, rolconfig from pg_roles order by 1',
  settings: "select name, setting from pg_settings where source = 'session' order by 1",
}
async function factsOf({ pool }: Database): Promise<unknown> {
  const all: Record<string, unknown[]> = {}
  for (const [fact, statement] of Object.entries(facts)) all[fact] = (await pool.query(statement)).rows
  return all
}

test.each([
  ['an inserted row', "insert into sign_in_failures select gen_random_uuid(), 'a@b.example', '::1', now()"],
  ['an updated row', "update users set name = 'Another name' where email = 'agent@azahar.example'"],
  ['deleted rows', 'delete from geo_states where id in (select id from geo_states limit 5)'],
  ['a truncated table', 'truncate memberships cascade'],
  ['a setting of the connection', "set statement_timeout = '1ms'"],
  ['an open transaction', 'begin; truncate memberships'],
  ['a new table', 'create table mine (n int)'],
  ['a changed default', "alter table policies alter column status set default 'purchased'"],
  ['a dropped constraint', 'alter table policies drop constraint purchased_is_settled'],
  // On a server, all databases share the roles.
  ...('server' in inject('template')
    ? []
    : [
        ['a role with more rights', 'alter role portolan_app bypassrls'],
        ['a role granted to another', 'grant portolan_admin to portolan_app'],
      ]),
  [
    'a replaced function',
    'create or replace function tickets_found(pattern text) returns table (id uuid) language sql as $$ select null::uuid $$',
  ],
])('%s does not reach the next test', async (_change, statement) => {
  const first = await testDatabase()
  const before = await factsOf(first)
  await first.pool.query(statement)
  await first.close()
  const second = await testDatabase()
  expect(await factsOf(second)).toEqual(before)
  await second.close()
})
