import { chownSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { Outage } from '#server/kit/store/outage.ts'
import { portOf } from '#server/kit/testing.ts'
import { openStore } from './open-store.ts'
import { readS3Url } from '#server/config/kinds.ts'
import { signedHeaders } from './s3.ts'
import { NoSuchContent } from './store.ts'

const folder = mkdtempSync(join(tmpdir(), 'portolan-store-'))
const kept = new Map<string, { content: Buffer; type: string | undefined }>()
let bucket: Server

beforeAll(async () => {
  bucket = createServer((request, reply) => void answer(request, reply))
  await new Promise<void>(resolve => bucket.listen(0, '127.0.0.1', resolve))
})

/** Answers like a bucket, as far as the store uses one, and checks every signature. */
async function answer(request: IncomingMessage, reply: ServerResponse): Promise<void> {
  const at = request.url ?? ''
  const content = await buffer(request)
  const date = String(request.headers['x-amz-date'])
  const { host = '', authorization } = request.headers
  const type = request.headers['content-type']
  const expected = await signedHeaders(credentials, {
    method: request.method ?? '',
    url: new URL(`http://${host}${at}`),
    headers: type ? { 'content-type': type } : {},
    content,
    at: new Date(date.replace(/^(....)(..)(..T..)(..)(..Z)$/, '$1-$2-$3:$4:$5')),
  })
  if (authorization !== expected['authorization']) return void reply.writeHead(403).end('SignatureDoesNotMatch')
  if (request.method === 'PUT') kept.set(at, { content, type })
  if (request.method === 'DELETE') kept.delete(at)
  const found = kept.get(at)
  reply.writeHead(!found && (request.method === 'GET' || request.method === 'HEAD') ? 404 : 200)
  if (!isHalting || request.method !== 'GET' || !found) return void reply.end(found?.content)
  reply.write(found.content.subarray(0, found.content.length / 2))
}
/** True while the bucket sends half of a file and then nothing, without an end. */
let isHalting = false
afterEach(() => {
  // In this order: restoring a spy on a faked clock would put the faked clock back.
  vi.restoreAllMocks()
  vi.useRealTimers()
})
afterAll(() => {
  bucket.close()
  rmSync(folder, { recursive: true })
})

const credentials = { region: 'eu-south-2', accessKey: 'key', secret: 'se/cret' }
const bucketUrl = (secret: string) =>
  `s3://key:${encodeURIComponent(secret)}@127.0.0.1:${portOf(bucket)}/papers/portolan?region=eu-south-2&tls=false`
const nameNow = () => `${crypto.randomUUID()}/${crypto.randomUUID()}`
const storeAt = (setting: string) => openStore({ FILE_STORE: setting, DATA_DIR: 'nowhere' })

/** A real bucket, if one is configured: `TEST_FILE_STORE=s3://key:secret@host/bucket`. */
const realStore = process.env['TEST_FILE_STORE']

test.each([
  ['a folder', () => `file:${folder}`],
  ['a bucket', () => bucketUrl('se/cret')],
  ...(realStore ? [['a bucket of TEST_FILE_STORE', () => realStore] as const] : []),
] as const)('%s stores, reads and removes a file', async (_, setting) => {
  const store = storeAt(setting())
  const [name, content] = [nameNow(), Buffer.from([0, 255, 10, 13, 37])]
  await store.put(name, content, 'application/pdf')
  expect(await buffer(await store.read(name))).toEqual(content)
  expect(await store.has(name)).toBe(true)
  await store.put(name, Buffer.from('again'), 'application/pdf')
  expect((await buffer(await store.read(name))).toString()).toBe('again')
  await store.remove(name)
  await expect(store.read(name)).rejects.toBeInstanceOf(NoSuchContent)
  expect(await store.has(name)).toBe(false)
  await store.remove(name)
})

test.each([
  ['a folder', () => `file:${folder}`],
  ['a bucket', () => bucketUrl('se/cret')],
] as const)('%s holds one marker, and shows its address without its secret', async (_, setting) => {
  const store = storeAt(setting())
  expect(await store.marker()).toBeUndefined()
  for (const id of [crypto.randomUUID(), crypto.randomUUID()]) {
    await store.mark(id)
    expect(await store.marker()).toBe(id)
  }
  expect(store.address).toMatch(/papers\/portolan$|portolan-store-/)
  expect(store.address).not.toContain('cret')
})

test('a folder keeps its owner when root marks it and puts a file', async () => {
  const own = mkdtempSync(join(folder, 'own-'))
  // Only root can give a folder away, and makes files of its own in it.
  if (process.getuid?.() === 0) chownSync(own, 4321, 4321)
  const { uid } = statSync(own)
  const store = storeAt(`file:${own}`)
  await store.mark(crypto.randomUUID())
  await store.put(nameNow(), Buffer.from('x'), 'text/plain')
  const made = readdirSync(own, { recursive: true, encoding: 'utf8' })
  expect(made.length).toBeGreaterThan(3)
  expect(made.filter(name => statSync(join(own, name)).uid !== uid)).toEqual([])
})

test('a folder that cannot be used is an outage', async () => {
  writeFileSync(join(folder, 'no-folder'), '')
  const store = storeAt(`file:${folder}/no-folder`)
  await expect(store.put(nameNow(), Buffer.from('x'), 'text/plain')).rejects.toBeInstanceOf(Outage)
  await expect(store.read(nameNow())).rejects.toBeInstanceOf(Outage)
})

test('a folder holds only whole files, and no name leads out of it', async () => {
  const store = storeAt(`file:${folder}`)
  await store.put(nameNow(), Buffer.alloc(100_000), 'application/pdf')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(name => name.includes('-') && name.includes('.'))
  expect(files).toEqual([])
  for (const name of ['../../etc/passwd', `${crypto.randomUUID()}/../../x`, '', nameNow().slice(0, -1)])
    await expect(Promise.resolve().then(() => store.read(name))).rejects.toThrow('no name of the store')
})

test('a refusal of the bucket is thrown with its status and text', async () => {
  await expect(storeAt(bucketUrl('wrong')).put(nameNow(), Buffer.from('x'), 'text/plain')).rejects.toThrow(/403: SignatureDoesNotMatch/)
})

const useFakeTimers = () => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })

/** Fakes the clock and returns a count of the store's running timers; fetch may set others. */
function fakeTimeouts(): () => number {
  useFakeTimers()
  const [set, cleared] = [vi.spyOn(globalThis, 'setTimeout'), vi.spyOn(globalThis, 'clearTimeout')]
  const isOver = (timer: unknown) => cleared.mock.calls.some(([other]) => other === timer)
  return () => set.mock.calls.filter(([, ms], index) => ms === 20_000 && !isOver(set.mock.results[index]?.value)).length
}

test('a slow reader gets the whole file', async () => {
  const [store, name, content] = [storeAt(bucketUrl('se/cret')), nameNow(), Buffer.alloc(3_000_000, 'x')]
  await store.put(name, content, 'application/pdf')
  const running = fakeTimeouts()
  const stream = await store.read(name)
  const pieces: Buffer[] = []
  for await (const piece of stream) {
    if (pieces.length === 0) {
      // All that is read ahead has come: from now on the bucket waits for the reader.
      await expect.poll(running).toBe(0)
      vi.advanceTimersByTime(60_000)
    }
    pieces.push(piece)
  }
  expect(Buffer.concat(pieces).equals(content)).toBe(true)
  expect(running()).toBe(0)
})

test('reading fails with an outage when the bucket stops in the middle', async () => {
  const [store, name] = [storeAt(bucketUrl('se/cret')), nameNow()]
  await store.put(name, Buffer.alloc(2000, 'x'), 'application/pdf')
  isHalting = true
  useFakeTimers()
  const all = store.read(name).then(async stream => {
    const pieces: Buffer[] = []
    for await (const piece of stream) {
      pieces.push(piece)
      // The store waits for the second half.
      setImmediate(() => vi.advanceTimersByTime(20_000))
    }
    return Buffer.concat(pieces)
  })
  await expect(all).rejects.toBeInstanceOf(Outage)
  isHalting = false
})

test('a bucket that is gone or answers 503 is an outage', async () => {
  const busy = createServer((request, reply) => void request.resume().on('end', () => reply.writeHead(503).end('SlowDown')))
  await new Promise<void>(resolve => busy.listen(0, '127.0.0.1', resolve))
  const store = storeAt(`s3://key:secret@127.0.0.1:${portOf(busy)}/papers?tls=false`)
  const actions = [() => store.put(nameNow(), Buffer.from('x'), 'text/plain'), () => store.read(nameNow()), () => store.remove(nameNow())]
  for (const action of actions) await expect(action()).rejects.toThrow(/503: SlowDown/)
  for (const action of actions) await expect(action()).rejects.toBeInstanceOf(Outage)
  await new Promise(resolve => {
    busy.close(resolve)
    busy.closeAllConnections()
  })
  for (const action of actions) await expect(action()).rejects.toBeInstanceOf(Outage)
})

/** docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html, the example "GET Object". */
test('requests are signed as in the published example', async () => {
  const { authorization } = await signedHeaders(
    { region: 'us-east-1', accessKey: 'AKIAIOSFODNN7EXAMPLE', secret: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY' },
    {
      method: 'GET',
      url: new URL('https://examplebucket.s3.amazonaws.com/test.txt'),
      headers: { range: 'bytes=0-9' },
      content: '',
      at: new Date('2013-05-24T00:00:00Z'),
    },
  )
  expect(authorization).toBe(
    'AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request, SignedHeaders=host;range;x-amz-content-sha256;x-amz-date, Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
  )
})

test('an incomplete bucket address is refused', () => {
  expect(readS3Url('s3://key:se%2Fcret@s3.example/papers/a/b?region=eu-west-1')).toEqual({
    origin: 'https://s3.example',
    root: '/papers/a/b',
    region: 'eu-west-1',
    accessKey: 'key',
    secret: 'se/cret',
  })
  for (const wrong of ['s3://s3.example/papers', 's3://key:secret@s3.example/', 'https://key:secret@s3.example/papers', 's3://', 'x'])
    expect([wrong, readS3Url(wrong)]).toEqual([wrong, undefined])
})
