import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type CardNetwork, startCardNetwork } from '#fakes/card-network/start.ts'
import { type Mailbox, openMailbox } from '#fakes/mailbox.ts'
import { admin, auditOf } from '#server/administration/testing.ts'
import { openApp } from '#server/app.ts'
import { type Database, databaseOf } from '#server/kit/database.ts'
import { type EmbeddedDatabase, openEmbedded } from '#server/kit/store/embedded.ts'
import { inProcess, emptyServerDatabase, type TestApp, testApp, testConfig } from '#server/kit/testing.ts'
import { brokenInvariants } from '#server/policies/checks/invariants.ts'
import { deleteAs, purchaseAs, registerAs, type Seller, sellAs, sellerOf } from '#server/policies/testing.ts'
import { intentOf, payBy, reconcileLater } from '#server/policies/testing-cards.ts'
import { removeAbandonedFiles } from '#server/tickets/file.ts'
import { aPdf, sendForm } from '#server/tickets/testing.ts'
import { backup, numbersLeftOut, restore } from './backup.ts'
import { migrate } from './migrate.ts'

// A copy of a running installation is restored elsewhere. Both have the same mail server, card network and file store.

let mailbox: Mailbox
let network: CardNetwork
let folder: string
let original: TestApp
let copy: TestApp
let seller: Seller
let policyUuid: string
let uploaded: string
let environment: Record<string, string>
const output: string[] = []

beforeAll(async () => {
  mailbox = await openMailbox()
  network = await startCardNetwork()
  folder = mkdtempSync(join(tmpdir(), 'restored-'))
  environment = {
    SMTP_URL: mailbox.url,
    STRIPE_SECRET_KEY: network.secretKey,
    STRIPE_PUBLISHABLE_KEY: network.publishableKey,
    STRIPE_API_URL: network.url,
    DOCUMENTS_WAIT_MS: '10000',
  }
  original = await testApp(environment)
  const there = await sellerOf(original)
  await sellAs(there)
  const pending = (await registerAs(there, { paymentGatewayUUID: there.gateway('StripeV2') })).body.data
  policyUuid = pending.policyUuid
  const late = (await registerAs(there, { paymentGatewayUUID: there.gateway('StripeV2') })).body.data
  await original.world.database.kysely.updateTable('payments').set({ state: 'closed' }).where('id', '=', late.purchaseUUID).execute()
  await payBy({ network }, late.clientSecret)
  const refunded = await purchaseAs(there, { paymentGatewayUUID: there.gateway('StripeV2'), purchaseUUID: late.purchaseUUID })
  expect(refunded.body.error).toBe('payment.refunded')
  uploaded = (await sendForm(original, there, '/api/tickets/files', {}, [aPdf])).body.data.uuid

  await backup(original.world.database, join(folder, 'copy'), () => {})
  copy = await restored(line => output.push(line))
  seller = await sellerOf(copy)
})
afterAll(async () => {
  await copy.stop()
  await original.stop()
  await network.stop()
  await mailbox.close()
  rmSync(folder, { recursive: true })
})

/** Restores the copy once more. */
async function restored(say: (line: string) => void = () => {}): Promise<TestApp> {
  const database = await emptyDatabase()
  await restore(database, join(folder, 'copy'), () => {})
  return inProcess(await openApp(testConfig(environment), database, { say }))
}
/** Sells on account and by card. */
async function sellTwice(by: Seller): Promise<void> {
  const sold = await sellAs(by)
  expect(sold.status).toBe(200)
  expect(sold.body.data.files.length).toBeGreaterThan(2)
  const gateway = by.gateway('StripeV2')
  const card = (await registerAs(by, { paymentGatewayUUID: gateway })).body.data
  await payBy({ network }, card.clientSecret)
  expect((await purchaseAs(by, { paymentGatewayUUID: gateway, purchaseUUID: card.purchaseUUID })).status).toBe(200)
}

async function emptyDatabase(): Promise<Database> {
  const server = await emptyServerDatabase()
  const database = server ?? embeddedOf(await openEmbedded({ memory: true }))
  await migrate(database)
  return database
}

const embeddedOf = (embedded: EmbeddedDatabase): Database => databaseOf(embedded.pool, true, () => embedded.close())

/** Counts the requests to the card network that end with this path. */
const requestsTo = (path: string) =>
  Object.entries(network.counters().requests).reduce(
    (sum, [name, times]) => (name.startsWith('POST') && name.endsWith(path) ? sum + times : sum),
    0,
  )
const metric = async (name: string, of: TestApp) => (await of.ask('/metrics')).text.split('\n').find(line => line.startsWith(name))

test('a restored copy says at its start that jobs are held and how to release them', () => {
  expect(output.filter(line => line.includes('npm run jobs -- release'))).toHaveLength(1)
})

test('a held copy sends no mail, and its metrics count the waiting jobs', async () => {
  const mails = mailbox.received.length
  expect(await copy.world.outbox.drain()).toBe(0)
  expect(mailbox.received).toHaveLength(mails)
  expect(await metric('portolan_jobs_held', copy)).toBe('portolan_jobs_held 1')
  // One job waits for the sale before the backup, and one for each sale in this copy.
  const sold = await copy.world.database.asService(tx => tx.selectFrom('policies').select('id').where('status', '=', 'purchased').execute())
  expect(sold.length).toBeGreaterThan(0)
  expect(await metric('portolan_jobs_waiting{subscriber="policies.purchased"}', copy)).toMatch(new RegExp(` ${sold.length}$`))
})

test('a held copy cancels and refunds no payment, not even for a user', async () => {
  const before = [requestsTo('/cancel'), requestsTo('/refunds')]
  expect(await reconcileLater(copy, 26 * 60)).toBe(0)
  const deleted = await deleteAs(seller, policyUuid)
  expect([deleted.status, deleted.body.error]).toEqual([503, 'payment.unavailable'])
  expect([requestsTo('/cancel'), requestsTo('/refunds')]).toEqual(before)
})

test('a held copy keeps unused files, which another installation may use', async () => {
  const later = { ...copy.world, clock: { now: () => new Date(Date.now() + 49 * 3_600_000) } }
  await removeAbandonedFiles(later, copy.files)
  expect((await copy.ask(`/api/files/${uploaded}`, { headers: seller.headers })).status).toBe(200)
})

test('a held copy sells on account and by card, with documents in the reply', async () => {
  await sellTwice(seller)
  const cancelled = requestsTo('/cancel')
  const abandoned = (await registerAs(seller, { paymentGatewayUUID: seller.gateway('StripeV2') })).body.data
  expect((await deleteAs(seller, abandoned.policyUuid)).status).toBe(200)
  expect(requestsTo('/cancel')).toBe(cancelled + 1)
  expect(await copy.world.outbox.drain()).toBe(0)
})

test('the administration releases the jobs once, and then all of them run', async () => {
  const own = await restored()
  onTestFinished(() => own.stop())
  await sellTwice(await sellerOf(own))
  const ask = await admin(own)
  const [mails, refunds] = [mailbox.received.length, requestsTo('/refunds')]
  expect((await ask.get('overview')).body.data.jobsHeldSince).toEqual(expect.any(String))
  const replies = await Promise.all([ask.post('jobs/release'), ask.post('jobs/release')])
  expect(replies.filter(({ body }) => body.data.released)).toHaveLength(1)
  expect(await auditOf(own, 'jobs_released')).toHaveLength(1)
  expect((await ask.get('overview')).body.data.jobsHeldSince).toBeNull()
  await own.world.outbox.drain()
  const sent = mailbox.received.length - mails
  expect(sent).toBeGreaterThanOrEqual(3)
  expect(await metric('portolan_jobs_held', own)).toBe('portolan_jobs_held 0')
  expect(await reconcileLater(own, 26 * 60)).toBeGreaterThan(0)
  expect(requestsTo('/refunds')).toBe(refunds + 1)
  const counted = ['sales_total{gateway="Deferred"}', 'sales_total{gateway="StripeV2"}', 'mails_total{outcome="sent"}']
  expect(await Promise.all([...counted, 'refunds_total{outcome="done"}'].map(name => metric(`portolan_${name}`, own)))).toEqual(
    [1, 1, sent, 1].map(times => expect.stringMatching(new RegExp(` ${times}$`))),
  )
})

test('a copy sells no number that its original sold after the copy was made', async () => {
  const numberOf = (sold: Awaited<ReturnType<typeof sellAs>>): number => Number.parseInt(sold.body.data.policyData.policyNumber, 10)
  const there = await sellerOf(original)
  const sold = [numberOf(await sellAs(there)), numberOf(await sellAs(there))]
  const here = numberOf(await sellAs(seller))
  expect(here).toBeGreaterThan(Math.max(...sold) + numbersLeftOut / 2)
  expect(await brokenInvariants(copy.world.database)).toEqual([])
})

test('a copy beside its original leaves the payments of the original alone', async () => {
  const there = await sellerOf(original)
  const gateway = there.gateway('StripeV2')
  const registered = async () => (await registerAs(there, { paymentGatewayUUID: gateway })).body.data
  const [paid, open] = [await registered(), await registered()]
  await backup(original.world.database, join(folder, 'beside'), () => {})
  const database = await emptyDatabase()
  await restore(database, join(folder, 'beside'), () => {}, { asCopy: true })
  const beside = inProcess(await openApp(testConfig(environment), database, { say: () => {} }))
  try {
    const installations = await Promise.all(
      [original, copy, beside].map(
        async ({ world }) => (await world.database.kysely.selectFrom('installation').select('id').execute())[0]?.id,
      ),
    )
    expect(new Set(installations).size).toBe(2)
    expect(installations[1]).toBe(installations[0])
    const seller = await sellerOf(beside)
    const cancelled = requestsTo('/cancel')
    expect((await deleteAs(seller, open.policyUuid)).status).toBe(200)
    expect(requestsTo('/cancel')).toBe(cancelled)
    await payBy({ network }, paid.clientSecret)
    const bought = { paymentGatewayUUID: gateway, purchaseUUID: paid.purchaseUUID }
    expect((await purchaseAs(seller, bought)).body.error).toBe('payment.in_review')
    const refunds = await database.kysely.selectFrom('refunds').select('id').where('payment_id', '=', paid.purchaseUUID).execute()
    expect(refunds).toEqual([])
    expect((await purchaseAs(there, bought)).status).toBe(200)
    const own = (await registerAs(seller, { paymentGatewayUUID: gateway })).body.data
    const intent = intentOf({ network }, own.clientSecret)
    expect(intent?.metadata['installation']).toBe(installations[2])
    expect(await brokenInvariants(database)).toEqual([])
  } finally {
    await beside.stop()
  }
})
