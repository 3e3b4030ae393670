import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { dataClasses } from '#common/privacy/classes.ts'
import { type TestApp, testApp } from '#server/kit/testing.ts'
import { sellerOf } from '#server/policies/testing.ts'
import { columns, files } from './registry.ts'
import { leaveTraces, tracesIn } from './testing.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app.stop())

const classOf = (table: string, column: string): string | undefined =>
  Object.entries(columns[table] ?? {}).find(([, names]) => names.split(' ').includes(column))?.[0]

/** Tables with a column about persons. */
const personal = Object.keys(columns).filter(table => Object.keys(columns[table] ?? {}).some(each => each !== 'none'))

test('every column that may hold personal data is in exactly one class', async () => {
  const { rows } = await sql<{ name: string }>`
    select table_name || '.' || column_name as name from information_schema.columns
    where table_schema = 'public' and table_name not like 'kysely%'
      and (udt_name in ('text', 'varchar', '_text', 'json', 'jsonb', 'bytea') or table_name = any(${personal}::text[])
        or table_name in (select table_name from information_schema.columns where table_schema = 'public' and column_name = 'user_id'))`.execute(
    app.world.database.kysely,
  )
  const classified = Object.entries(columns).flatMap(([table, classes]) =>
    Object.values(classes).flatMap(names => names.split(' ').map(name => `${table}.${name}`)),
  )
  expect(classified.toSorted()).toEqual(rows.map(({ name }) => name).toSorted())
})

test('traces of a person are only in columns and files that have a class', async () => {
  await leaveTraces(app, await sellerOf(app))
  const unclassified = (await tracesIn(app)).filter(place => {
    const [table = '', column = ''] = place.split('.')
    return [undefined, 'none'].includes(classOf(table, column))
  })
  expect(unclassified).toEqual([])
})

test('no class is empty', () => {
  const used = new Set([...Object.values(columns).flatMap(classes => Object.keys(classes)), ...Object.values(files)])
  expect(dataClasses.filter(each => !used.has(each))).toEqual([])
})
