import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '#server/kit/database.ts'
import { testDatabase } from '#server/kit/testing.ts'
import { prepared } from './prepared.ts'

const begin = 'begin; set local role portolan_service'
let database: Database
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.close())

const unitByKey = prepared('test.unit', (db, key: string, suspended: boolean) =>
  db
    .selectFrom('business_units')
    .select(['key', 'suspended'])
    .where('key', '=', key)
    .where('suspended', '=', suspended)
    .where('key', '<>', 'none'),
)

test('each call has its own values, in a statement that is planned once', async () => {
  const line = await database.pool.connect()
  const asked = { kysely: database.kysely, line }
  expect(await unitByKey(asked, 'azahar', false)).toEqual([{ key: 'azahar', suspended: false }])
  expect(await unitByKey(asked, 'rotta', false)).toEqual([{ key: 'rotta', suspended: false }])
  expect(await unitByKey(asked, 'azahar', true)).toEqual([])
  const { rows } = await line.query(`select name from pg_prepared_statements where name = 'test.unit'`)
  line.release()
  expect(rows).toEqual([{ name: 'test.unit' }])
})

test('what a migration has changed beneath it is asked all the same, as a statement of no name', async () => {
  const asked: unknown[] = []
  const query = (first: string | { name: string }, values?: unknown[]) => {
    if (typeof first === 'string' && !values) return Promise.resolve(asked.push(first))
    asked.push(typeof first === 'string' ? 'no name' : first.name)
    return typeof first === 'string'
      ? Promise.resolve({ rows: [{ key: 'azahar', suspended: false }] })
      : Promise.reject(Object.assign(new Error('cached plan must not change result type'), { code: '0A000' }))
  }
  expect(await unitByKey({ kysely: database.kysely, line: { query } as never }, 'azahar', false)).toEqual([
    { key: 'azahar', suspended: false },
  ])
  expect(asked).toEqual([begin, 'test.unit', 'commit', begin, 'no name', 'commit'])
})

test('what was not committed is not told', async () => {
  const broken = new Error('the line broke')
  const query = (first: unknown) => (first === 'commit' ? Promise.reject(broken) : Promise.resolve({ rows: [{ key: 'azahar' }] }))
  await expect(unitByKey({ kysely: database.kysely, line: { query } as never }, 'azahar', false)).rejects.toBe(broken)
})
