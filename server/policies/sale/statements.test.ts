import { afterAll, beforeAll, expect, test } from 'vitest'
import { countStatements, recordStatements, type Statement } from '#testing/recorder.ts'
import { type TestApp, testApp } from '#server/kit/testing.ts'
import { purchaseAs, registerAs, type Seller, sellerOf } from '../testing.ts'

// Statements are counted, not timed: each is a round trip, and each commit waits for a disk. `npm run bench -- --only sales` shows the same counts.

let app: TestApp
let seller: Seller
const recorded: Statement[] = []

const key = () => ({ 'idempotency-key': crypto.randomUUID() })

/** Sells as the portal does, in two calls, and returns what they sent. */
async function sell(): Promise<Statement[]> {
  recorded.length = 0
  const registered = await registerAs(seller, {}, key())
  expect(registered.status, registered.text).toBe(200)
  const { purchaseUUID } = registered.body.data
  const purchased = await purchaseAs(seller, { purchaseUUID }, key())
  expect(purchased.status, purchased.text).toBe(200)
  return recorded.splice(0)
}

/** Makes the documents and sends the mail of all sales so far, and returns what that sent. */
async function makeAll(): Promise<Statement[]> {
  await app.world.outbox.drain()
  return recorded.splice(0)
}

beforeAll(async () => {
  app = await testApp()
  seller = await sellerOf(app)
  recordStatements(app.world.database.pool, recorded)
  // The first sales fill the caches of the catalogue and make the documents of the product.
  for (const _ of [1, 2]) {
    await sell()
    await makeAll()
  }
})
afterAll(() => app.stop())

/** The most statements and commits of a sale. They only go down. */
const most = { sale: { statements: 2, commits: 2 }, withDocuments: { statements: 17, commits: 6 } }

test('a sale sends no more statements and commits than today', async () => {
  const { statements, commits } = countStatements(await sell())
  await makeAll()
  expect(commits).toBeGreaterThan(1)
  expect(statements).toBeGreaterThanOrEqual(commits)
  expect(statements).toBeLessThanOrEqual(most.sale.statements)
  expect(commits).toBeLessThanOrEqual(most.sale.commits)
})

test('a sale with documents and mail sends no more statements and commits than today', async () => {
  const sold = await sell()
  const made = await makeAll()
  const { statements, commits } = countStatements([...sold, ...made])
  expect(countStatements(made).commits).toBeGreaterThan(1)
  expect(statements).toBeLessThanOrEqual(most.withDocuments.statements)
  expect(commits).toBeLessThanOrEqual(most.withDocuments.commits)
})
