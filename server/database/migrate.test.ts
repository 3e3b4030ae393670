import { expect, test } from 'vitest'
import { databaseOf } from '#server/kit/database.ts'
import { openEmbedded } from '#server/kit/store/embedded.ts'
import { emptyServerDatabase } from '#server/kit/testing.ts'
import { prepare } from './prepare.ts'

test('several nodes start at once on an empty database: one fills it, the others find it filled', async () => {
  const onServer = await emptyServerDatabase()
  const embedded = onServer ? undefined : await openEmbedded({ memory: true })
  const database = onServer ?? databaseOf(embedded?.pool as never, true, async () => embedded?.close())
  await Promise.all([1, 2, 3].map(() => prepare(database, { demo: true })))
  const { rows } = await database.pool.query(
    'select (select count(*) from users) as users, (select count(*) from products) as products, (select version from geo_version) as geography',
  )
  expect(rows).toEqual([{ users: 6, products: 8, geography: 1 }])
  await database.close()
})
