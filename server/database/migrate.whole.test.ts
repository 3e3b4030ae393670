import pg from 'pg'
import { expect, test } from 'vitest'
import { type Database, databaseOf } from '#server/kit/database.ts'
import { openEmbedded } from '#server/kit/store/embedded.ts'
import { valueTypes } from '#server/kit/store/value-types.ts'
import { emptyServerDatabase } from '#server/kit/testing.ts'
import { appliedMigrations } from './migrate.ts'
import { prepare } from './prepare.ts'

/** Returns a database with a very short lock timeout. It must not apply to the preparation at a start. */
function impatient(database: Database): Database {
  const { connectionString } = database.pool.options
  const pool = new pg.Pool({ connectionString, max: 6, types: valueTypes, options: '-c lock_timeout=20ms' })
  return databaseOf(pool, false, () => pool.end().then(() => database.close()))
}

async function embedded(): Promise<Database> {
  const { pool, ...opened } = await openEmbedded({ memory: true })
  return databaseOf(pool, true, () => opened.close())
}

test('one of several starting nodes fills an empty database, and names each migration', async () => {
  const onServer = await emptyServerDatabase()
  const database = onServer ? impatient(onServer) : await embedded()
  const said: string[] = []
  await Promise.all([1, 2, 3].map(() => prepare(database, { demo: true }, line => said.push(line))))
  const names = said.filter(line => line.startsWith('Migration '))
  expect(names).toEqual(expect.arrayContaining(['Migration 0001: ground', 'Migration 0097: claims bordereau']))
  expect(names.length).toBe((await appliedMigrations(database.kysely)).length)
  const { rows } = await database.pool.query(
    'select (select count(*) from users) as users, (select count(*) from products) as products, (select version from geo_version) as geography',
  )
  expect(rows).toEqual([{ users: 8, products: 8, geography: 1 }])
  await database.close()
})
