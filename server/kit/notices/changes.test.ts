import { type Compilable, sql } from 'kysely'
import { expect, test } from 'vitest'
import { compiler } from '#server/kit/sql/prepared.ts'
import { changesOf } from './changes.ts'

const id = '8a0f6f57-6fa4-4b0d-9b55-ec6a9f3bd001'
const other = 'b0f6f570-6fa4-4b0d-9b55-ec6a9f3bd002'
const now = new Date('2026-11-27T10:00:00Z')
const of = (query: Compilable) => changesOf(query.compile()).map(({ table, rows }) => `${table} ${rows}`)
const ofText = (text: string) => of({ compile: () => sql.raw(text).compile(compiler) })

test('a change names its rows by a key that all of them share', () => {
  const ended = compiler.updateTable('sessions').set({ ended_at: now })
  expect(of(ended.where('id', '=', id.toUpperCase()))).toEqual([`sessions id=${id}`])
  expect(of(ended.where('user_id', '=', id).where('id', '!=', other).where('ended_at', 'is', null))).toEqual([`sessions user_id=${id}`])
  expect(of(compiler.deleteFrom('memberships').where('memberships.user_id', '=', id))).toEqual([`memberships user_id=${id}`])
})

test('a change may be of any row if neither its condition nor its values say which', () => {
  const users = compiler.updateTable('users').set({ active: false })
  for (const query of [
    users,
    users.where('id', '!=', id),
    users.where('id', 'in', [id]),
    users.where(eb => eb.or([eb('id', '=', id), eb('id', '=', other)])),
    users.where('id', '=', `{${id}}`),
    users.where('email', '=', 'a@b.example'),
    users.where('id', '=', sql<string>`(select ${id})`),
    users.from('memberships').where('users.id', '=', id),
    compiler.updateTable('users').set({ id }).where('id', '=', id),
  ])
    expect(of(query), query.compile().sql).toEqual(['users '])
})

test('changes that no listener remembers are not announced, nor are new sessions', () => {
  const session = { id, user_id: id, token_hash: Buffer.alloc(1), network: '', user_agent: '', created_at: now, last_seen_at: now }
  expect(of(compiler.updateTable('sessions').set({ last_seen_at: now }))).toEqual([])
  expect(of(compiler.updateTable('sessions').set({ last_seen_at: now, ended_at: now }))).toEqual(['sessions '])
  expect(of(compiler.insertInto('sessions').values(session))).toEqual([])
  expect(
    of(
      compiler
        .insertInto('sessions')
        .values(session)
        .onConflict(conflict => conflict.column('id').doUpdateSet({ ended_at: null })),
    ),
  ).toEqual(['sessions '])
  expect(of(compiler.insertInto('memberships').values({ business_unit_id: id, user_id: id, roles: [], created_at: now }))).toEqual([
    'memberships ',
  ])
})

test('a read is not a change, unless a part of the query writes', () => {
  const read = compiler.selectFrom('users').select('id').where('name', '=', 'update users')
  expect(of(read)).toEqual([])
  const put = compiler.updateTable('users').set({ active: false }).where('id', '=', id).returning('id')
  expect(
    of(
      compiler
        .with('put', () => put)
        .selectFrom('put')
        .selectAll(),
    ),
  ).toEqual(['users '])
  expect(
    of(
      compiler
        .with('put', () => put)
        .deleteFrom('sessions')
        .where('id', '=', id),
    ),
  ).toEqual(['users ', 'sessions '])
})

test('a change is found in written SQL, whatever its form', () => {
  for (const text of [
    'update users set active = false',
    'UPDATE ONLY "public"."users" SET active = false',
    `with gone as (delete\n  from users returning id) select * from gone`,
    'truncate table users',
    'merge into users using other on true when matched then delete',
    'insert into users select * from other',
    'copy users from stdin',
  ])
    expect(ofText(text), text).toEqual(['users '])
  for (const text of ['select 1 from users for update of users', 'update user_settings set a = 1', 'insert into users_old values (1)'])
    expect(ofText(text), text).toEqual([])
})
