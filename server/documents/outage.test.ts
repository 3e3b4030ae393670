import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type TestApp, type TestReply, testApp } from '#server/kit/testing.ts'
import { type SignedIn, signIn } from '#server/session/testing.ts'
import { aPdf, sendForm } from '#server/tickets/testing.ts'
import { type Bucket, largePicture, openBucket } from './marker/testing.ts'

let bucket: Bucket
let now = new Date('2026-11-20T10:00:00Z')
let app: TestApp
let agent: SignedIn
let manager: SignedIn

beforeAll(async () => {
  bucket = await openBucket()
  app = await testApp({ FILE_STORE: bucket.address }, { clock: { now: () => now } })
  agent = await signIn(app, 'agent@azahar.example')
  manager = await signIn(app, 'manager@azahar.example')
})
afterAll(async () => {
  await app.stop()
  bucket.close()
})
beforeEach(() => bucket.be('well'))

const bring = () => sendForm(app, agent, '/api/tickets/files', {}, [aPdf])
const told = ({ status, body, headers }: TestReply) => [status, body.error, headers['retry-after']]
/** What failed is tried again a while later. */
const later = async () => {
  now = new Date(now.getTime() + 60_000)
  await app.world.outbox.drain()
}

test('a store that is down is told as such, and not as a defect', async () => {
  const { uuid } = (await bring()).body.data
  bucket.be('down')
  expect(told(await bring())).toEqual([503, 'service.unavailable', '5'])
  expect(told(await app.ask(`/api/files/${uuid}`, { headers: agent.headers }))).toEqual([503, 'service.unavailable', '5'])
  bucket.be('well')
  expect((await app.ask(`/api/files/${uuid}`, { headers: agent.headers })).status).toBe(200)
})

test('what is taken away is gone at once, and its bytes as soon as the store lets go of them', async () => {
  const before = bucket.kept.size
  const { uuid: fileUuid } = (await bring()).body.data
  bucket.be('keeps all')
  const dropped = await app.ask('/api/tickets/files', { method: 'DELETE', headers: agent.headers, body: { fileUuid } })
  expect([dropped.status, dropped.body.data]).toEqual([200, { deleted: true }])
  await app.world.outbox.drain()
  expect(bucket.kept.size).toBe(before + 1)
  bucket.be('well')
  await later()
  expect(bucket.kept.size).toBe(before)
})

test('a new logo is saved, whatever becomes of the bytes of the former', async () => {
  const save = async () => {
    const { version } = (await app.ask('/api/agency', { headers: manager.headers })).body.data
    return app.ask('/api/agency', { method: 'PUT', headers: manager.headers, body: { logo: largePicture(), version } })
  }
  const before = bucket.kept.size
  expect((await save()).status).toBe(200)
  bucket.be('keeps all')
  expect((await save()).status).toBe(200)
  await app.world.outbox.drain()
  bucket.be('well')
  await later()
  expect(bucket.kept.size).toBe(before + 1)
})
