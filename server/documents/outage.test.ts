import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { deflateSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type TestApp, type TestReply, testApp } from '#server/kit/testing.ts'
import { chunk } from '#server/kit/upload/testing.ts'
import { type SignedIn, signIn } from '#server/session/testing.ts'
import { aPdf, sendForm } from '#server/tickets/testing.ts'

/** A bucket that can be struck down, or that lets go of nothing. */
const kept = new Map<string, Buffer>()
let mode: 'well' | 'keeps all' | 'down' = 'well'
let bucket: Server
let now = new Date('2026-11-20T10:00:00Z')
let app: TestApp
let agent: SignedIn
let manager: SignedIn

async function answer(request: IncomingMessage, reply: ServerResponse): Promise<void> {
  const [at, content] = [request.url ?? '', await buffer(request)]
  if (mode === 'down' || (mode === 'keeps all' && request.method === 'DELETE')) return void reply.writeHead(503).end('SlowDown')
  if (request.method === 'PUT') kept.set(at, content)
  if (request.method === 'DELETE') kept.delete(at)
  reply.writeHead(200).end(kept.get(at))
}

beforeAll(async () => {
  bucket = createServer((request, reply) => void answer(request, reply))
  await new Promise<void>(resolve => bucket.listen(0, '127.0.0.1', resolve))
  const address = `s3://key:secret@127.0.0.1:${(bucket.address() as AddressInfo).port}/papers?tls=false`
  app = await testApp({ FILE_STORE: address }, { clock: { now: () => now } })
  agent = await signIn(app, 'agent@azahar.example')
  manager = await signIn(app, 'manager@azahar.example')
})
afterAll(async () => {
  await app.stop()
  bucket.close()
})
beforeEach(() => {
  mode = 'well'
})

const bring = () => sendForm(app, agent, '/api/tickets/files', {}, [aPdf])
const told = ({ status, body, headers }: TestReply) => [status, body.error, headers['retry-after']]
/** What failed is tried again a while later. */
const later = async () => {
  now = new Date(now.getTime() + 60_000)
  await app.world.outbox.drain()
}

test('a store that is down is told as such, and not as a defect', async () => {
  const { uuid } = (await bring()).body.data
  mode = 'down'
  expect(told(await bring())).toEqual([503, 'service.unavailable', '5'])
  expect(told(await app.ask(`/api/files/${uuid}`, { headers: agent.headers }))).toEqual([503, 'service.unavailable', '5'])
  mode = 'well'
  expect((await app.ask(`/api/files/${uuid}`, { headers: agent.headers })).status).toBe(200)
})

test('what is taken away is gone at once, and its bytes as soon as the store lets go of them', async () => {
  const before = kept.size
  const { uuid: fileUuid } = (await bring()).body.data
  mode = 'keeps all'
  const dropped = await app.ask('/api/tickets/files', { method: 'DELETE', headers: agent.headers, body: { fileUuid } })
  expect([dropped.status, dropped.body.data]).toEqual([200, { deleted: true }])
  await app.world.outbox.drain()
  expect(kept.size).toBe(before + 1)
  mode = 'well'
  await later()
  expect(kept.size).toBe(before)
})

test('a new logo is saved, whatever becomes of the bytes of the former', async () => {
  const save = async () => {
    const { version } = (await app.ask('/api/agency', { headers: manager.headers })).body.data
    return app.ask('/api/agency', { method: 'PUT', headers: manager.headers, body: { logo: largePicture(), version } })
  }
  const before = kept.size
  expect((await save()).status).toBe(200)
  mode = 'keeps all'
  expect((await save()).status).toBe(200)
  await app.world.outbox.drain()
  mode = 'well'
  await later()
  expect(kept.size).toBe(before + 1)
})

/** Of noise, so that nothing makes it small enough to be kept with the settings. */
function largePicture(): string {
  const side = 200
  const head = Buffer.alloc(13)
  head.writeUInt32BE(side, 0)
  head.writeUInt32BE(side, 4)
  head.set([8, 2], 8)
  const rows = Array.from({ length: side }, () => Buffer.concat([Buffer.alloc(1), randomBytes(side * 3)]))
  const parts = [chunk('IHDR', head), chunk('IDAT', deflateSync(Buffer.concat(rows))), chunk('IEND', Buffer.alloc(0))]
  return `data:image/png;base64,${Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), ...parts]).toString('base64')}`
}
