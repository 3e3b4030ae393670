import { afterAll, beforeAll, beforeEach, describe, expect, inject, onTestFinished, test } from 'vitest'
import { type Mailbox, openMailbox } from '#fakes/mailbox.ts'
import { type Bucket, openBucket } from '#server/documents/marker/testing.ts'
import { replaceCertificates } from '#server/documents/queries.ts'
import { type TestApp, testApp } from '#server/kit/testing.ts'
import { demoScope } from '#server/session/testing.ts'
import { until } from '#tools/until.ts'
import { lockPolicy } from '../queries.ts'
import { sellAs, type Seller, sellerOf } from '../testing.ts'

let app: TestApp
let seller: Seller
let mailbox: Mailbox
let bucket: Bucket
let now: Date

beforeAll(async () => {
  now = new Date()
  mailbox = await openMailbox()
  bucket = await openBucket()
  app = await testApp({ SMTP_URL: mailbox.url, FILE_STORE: bucket.address }, { clock: { now: () => now } })
  seller = await sellerOf(app)
  // Makes the documents of the product.
  await sell()
  await drain()
})
afterAll(async () => {
  await app.stop()
  await mailbox.close()
  bucket.close()
})
beforeEach(() => {
  mailbox.be('take')
  mailbox.received.length = 0
  bucket.asked.clear()
})

const drain = () => app.world.outbox.drain()
const db = () => app.world.database.kysely
const later = (seconds: number) => {
  now = new Date(now.getTime() + seconds * 1000)
}
/** Sells a second later, so that this is the newest policy. */
async function sell(): Promise<void> {
  later(1)
  expect((await sellAs(seller)).status).toBe(200)
}
/** Returns the newest policy with all that has followed its sale. */
async function followed() {
  const { id } = await db().selectFrom('policies').select('id').orderBy('id', 'desc').limit(1).executeTakeFirstOrThrow()
  const files = await db().selectFrom('files').select('state').where('policy_id', '=', id).execute()
  const mails = await db().selectFrom('mails').select('state').where('about', '=', id).execute()
  const tokens = await db().selectFrom('client_tokens').select('token_hash').where('policy_id', '=', id).execute()
  return { files: files.map(({ state }) => state), mails: mails.map(({ state }) => state), tokens: tokens.length }
}
const ready = ['ready', 'ready', 'ready', 'ready']
const attachments = (raw = '') => raw.match(/^Content-Disposition: attachment/gim)?.length
const link = (raw = '') => /\/my-policy#([\w-]{22})/.exec(raw.replaceAll('=\r\n', '').replaceAll('=3D', '='))?.[1]
/** Has the jobs done again that were done, as after workers that died before they could record it. */
const again = async (subscriber: string) => {
  await db().updateTable('jobs').set({ state: 'running', run_at: now }).where('subscriber', '=', subscriber).execute()
}

test('the email of a sale brings four documents that are not read from the store again', async () => {
  await sell()
  await drain()
  expect(await followed()).toEqual({ files: ready, mails: ['sent'], tokens: 1 })
  expect(mailbox.received.map(({ raw }) => attachments(raw))).toEqual([4])
  expect(Object.fromEntries(bucket.asked)).toEqual({ PUT: 2 })
})

test('documents are ready and the email waits while the mail server refuses it', async () => {
  mailbox.be('refuse-now')
  await sell()
  await drain()
  expect(await followed()).toEqual({ files: ready, mails: ['queued'], tokens: 1 })
  mailbox.be('take')
  later(5)
  await drain()
  expect(mailbox.received.map(({ raw }) => attachments(raw))).toEqual([4])
  expect((await followed()).mails).toEqual(['sent'])
})

test('jobs that are done again double no document, email or link', async () => {
  await sell()
  await drain()
  for (const subscriber of ['policies.purchased', 'mail.send']) {
    await again(subscriber)
    await drain()
  }
  expect(await followed()).toEqual({ files: ready, mails: ['sent'], tokens: 1 })
  expect(mailbox.received).toHaveLength(1)
})

test('an email whose worker died before it left is sent once, by any worker', async () => {
  mailbox.be('refuse-now')
  await sell()
  await drain()
  mailbox.be('take')
  await again('mail.send')
  await drain()
  expect(mailbox.received).toHaveLength(1)
  const [received] = mailbox.received
  const opened = await app.ask('/api/client/policy', { body: { token: link(received?.raw) } })
  expect(opened.status).toBe(200)
})

test('the email of a sale waits for all its documents', async () => {
  bucket.setMode('down')
  await sell()
  await drain()
  expect(await followed()).toEqual({ files: expect.arrayContaining(['pending', 'pending']), mails: [], tokens: 0 })
  bucket.setMode('well')
  later(5)
  await drain()
  expect(await followed()).toEqual({ files: ready, mails: ['sent'], tokens: 1 })
  expect(mailbox.received).toHaveLength(1)
})

test('an email that cannot be written keeps no documents back', async () => {
  await sell()
  await app.world.database.pool.query('alter table client_tokens rename to client_tokens_away')
  onTestFinished(async () => void (await app.world.database.pool.query('alter table if exists client_tokens_away rename to client_tokens')))
  await drain()
  later(3600)
  await drain()
  await app.world.database.pool.query('alter table client_tokens_away rename to client_tokens')
  expect(await followed()).toMatchObject({ files: ready, mails: ['queued'] })
})

// The embedded database has one connection, so nothing there waits for a lock.
describe.each('server' in inject('template') ? ['server'] : [])('on a PostgreSQL %s', () => {
  test('a change beside the documents of its sale does not deadlock with them', async () => {
    await sell()
    const { id } = await db().selectFrom('policies').select('id').orderBy('id', 'desc').limit(1).executeTakeFirstOrThrow()
    const { database } = app.world
    const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    let drained: Promise<number> | undefined
    await database.inScope(demoScope('azahar'), async tx => {
      await lockPolicy(tx, id)
      drained = drain()
      await until('the job waits for the policy', async () => (await database.pool.query(waiting)).rows[0])
      await replaceCertificates(tx, { id, version: 2 })
    })
    await drained
    expect(await followed()).toMatchObject({ files: ready, mails: ['sent'] })
  })
})
