import { afterAll, beforeAll, expect, test } from 'vitest'
import { openApp } from '#server/app.ts'
import { SecretsKeyError } from '#server/kit/store/secrets.ts'
import { type TestApp, testApp, testConfig } from '#server/kit/testing.ts'
import { sellAs, sellerOf } from '#server/policies/testing.ts'
import { storeNumbersOpenly } from './testing-numbers.ts'

// Starts of a service in which only document numbers, and what contains them, are encrypted.

let app: TestApp
beforeAll(async () => {
  app = await testApp()
  await sellAs(await sellerOf(app))
})
afterAll(() => app.stop())

const startWith = (environment: Record<string, string>) =>
  openApp(testConfig(environment), { ...app.world.database, close: () => Promise.resolve() })
const another = Buffer.alloc(32, 'another').toString('base64')

test('a start encrypts the numbers that an older version left in clear', async () => {
  const open = async () =>
    (await app.world.database.kysely.selectFrom('policy_people').select('policy_id').where('document_number', 'is not', null).execute())
      .length
  await storeNumbersOpenly(app)
  expect(await open()).toBeGreaterThan(0)
  const later = await startWith({})
  later.start()
  await expect.poll(open).toBe(0)
  await later.stop()
})

test('a start without the key of the numbers is refused', async () => {
  await expect(startWith({ SECRETS_KEY: another })).rejects.toThrow(SecretsKeyError)
})
