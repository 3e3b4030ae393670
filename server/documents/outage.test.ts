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
beforeEach(() => bucket.setMode('well'))

const upload = () => sendForm(app, agent, '/api/tickets/files', {}, [aPdf])
const summaryOf = ({ status, body, headers }: TestReply) => [status, body.error, headers['retry-after']]
/** Moves the clock and runs the failed jobs again. */
const later = async () => {
  now = new Date(now.getTime() + 60_000)
  await app.world.outbox.drain()
}

test('a store that is down gives 503 until it is back', async () => {
  const { uuid } = (await upload()).body.data
  bucket.setMode('down')
  expect(summaryOf(await upload())).toEqual([503, 'service.unavailable', '5'])
  expect(summaryOf(await app.ask(`/api/files/${uuid}`, { headers: agent.headers }))).toEqual([503, 'service.unavailable', '5'])
  bucket.setMode('well')
  expect((await app.ask(`/api/files/${uuid}`, { headers: agent.headers })).status).toBe(200)
})

test('a removed file is gone at once, its bytes once the store can delete them', async () => {
  const before = bucket.kept.size
  const { uuid: fileUuid } = (await upload()).body.data
  bucket.setMode('keeps all')
  const dropped = await app.ask('/api/tickets/files', { method: 'DELETE', headers: agent.headers, body: { fileUuid } })
  expect([dropped.status, dropped.body.data]).toEqual([200, { deleted: true }])
  await app.world.outbox.drain()
  expect(bucket.kept.size).toBe(before + 1)
  bucket.setMode('well')
  await later()
  expect(bucket.kept.size).toBe(before)
})

test('a new logo is saved even while the former’s bytes cannot be deleted', async () => {
  const save = async () => {
    const { version } = (await app.ask('/api/agency', { headers: manager.headers })).body.data
    return app.ask('/api/agency', { method: 'PUT', headers: manager.headers, body: { logo: largePicture(), version } })
  }
  const before = bucket.kept.size
  expect((await save()).status).toBe(200)
  bucket.setMode('keeps all')
  expect((await save()).status).toBe(200)
  await app.world.outbox.drain()
  bucket.setMode('well')
  await later()
  expect(bucket.kept.size).toBe(before + 1)
})
