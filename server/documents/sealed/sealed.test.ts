import { randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { existing } from '#common/kit/testing.ts'
import { DamagedSeal } from '#server/kit/store/chunks.ts'
import { openSecrets, SecretsKeyError } from '#server/kit/store/secrets.ts'
import { type TestApp, testApp } from '#server/kit/testing.ts'
import { pdf } from '#server/kit/upload/testing.ts'
import { sellAs, sellerOf } from '#server/policies/testing.ts'
import { demoScope, type SignedIn, signIn } from '#server/session/testing.ts'
import { sendForm } from '#server/tickets/testing.ts'
import { type Bucket, openBucket } from '../marker/testing.ts'
import { openStore } from '../open-store.ts'
import type { FileStore } from '../store.ts'
import { openContent, sealContent } from './content.ts'
import { checkSealed, sealFiles, sealingReport } from './seal-files.ts'

const words = 'Diagnosis: a broken leg'
const azahar = demoScope('azahar')
const keyed = (...keys: string[]) => openSecrets({ SECRETS_KEY: keys, DATA_DIR: '' })
const aKey = () => randomBytes(32).toString('base64')

let bucket: Bucket
let folder: string
let app: TestApp
let agent: SignedIn
let store: FileStore
beforeEach(async () => {
  bucket = await openBucket()
  folder = mkdtempSync(join(tmpdir(), 'portolan-sealed-'))
})
afterEach(async () => {
  await app.stop()
  bucket.close()
  rmSync(folder, { recursive: true })
})

const inFolder = (): Buffer[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map(name => join(folder, name))
    .filter(path => statSync(path).isFile())
    .map(path => readFileSync(path))

describe.each([
  ['a folder', () => `file:${folder}`, inFolder],
  ['a bucket', () => bucket.address, () => [...bucket.kept.values()]],
] as const)('in %s', (_, setting, bytesOf) => {
  beforeEach(async () => {
    app = await testApp({ FILE_STORE: setting() })
    agent = await signIn(app, 'agent@azahar.example')
    store = openStore(app.world.config)
  })

  // Longer than a chunk.
  const report = pdf(`1 0 obj << /Type /Catalog >> endobj\n% ${words} ${'x'.repeat(150_000)} ${words}`)
  const upload = async (content = report) =>
    String((await sendForm(app, agent, '/api/tickets/files', {}, [{ name: 'report.pdf', content }])).body.data.uuid)
  const get = (uuid: string) => app.context.http.inject({ url: `/api/files/${uuid}`, headers: agent.headers })
  const rowOf = (uuid: string) => app.world.database.kysely.selectFrom('files').selectAll().where('id', '=', uuid).executeTakeFirstOrThrow()
  const nameOf = (uuid: string) => `${azahar.businessUnitId}/${uuid}`
  const areReadable = () => bytesOf().some(bytes => bytes.includes(words))
  const { database, secrets } = { database: () => app.world.database, secrets: () => app.world.secrets }
  /** Stores a file as an older version did. */
  async function storeOpenly(): Promise<string> {
    const uuid = await upload()
    await store.put(nameOf(uuid), report, 'application/pdf')
    await database().kysely.updateTable('files').set({ sealed_by: null }).where('id', '=', uuid).execute()
    return uuid
  }

  test('an upload is encrypted in the store, but downloaded and emailed as it was', async () => {
    const uuid = await upload()
    expect([bytesOf().length, areReadable()]).toEqual([2, false])
    expect(await rowOf(uuid)).toMatchObject({ size: report.length, media_type: 'application/pdf', sealed_by: secrets().sealedBy })
    const reply = await get(uuid)
    expect([reply.statusCode, reply.headers['content-length'], reply.headers['content-type']]).toEqual([
      200,
      String(report.length),
      'application/pdf',
    ])
    expect(reply.rawPayload.equals(report)).toBe(true)
    expect((await app.files.readFile(azahar, uuid)).equals(report)).toBe(true)
  })

  test('a file of an older version is opened as it is, and encrypted by the command', async () => {
    const said: string[] = []
    const [before, uuid] = [await upload(), await storeOpenly()]
    expect(areReadable()).toBe(true)
    expect((await get(uuid)).rawPayload.equals(report)).toBe(true)
    await checkSealed(app.world, text => said.push(text))
    expect(said.splice(0)).toEqual([expect.stringContaining('npm run files -- seal')])
    const sealing = await sealFiles(database(), store, secrets())
    expect(sealingReport(sealing)).toBe(
      'Files of tickets, documents of policies and saved quotes, and copies of personal data:\nsealed         1\nalready sealed 1\nmissing        0\ndamaged        0',
    )
    expect(areReadable()).toBe(false)
    for (const each of [before, uuid]) expect((await get(each)).rawPayload.equals(report)).toBe(true)
    expect((await rowOf(uuid)).sealed_by).toBe(secrets().sealedBy)
    await checkSealed(app.world, text => said.push(text))
    expect(said).toEqual([])
    // Also if the store is an older copy, whatever the database says.
    await store.put(nameOf(uuid), report, 'application/pdf')
    expect(await sealFiles(database(), store, secrets())).toMatchObject({ sealed: 1, 'already sealed': 1 })
    expect(areReadable()).toBe(false)
  })

  test('a change of the key encrypts every file anew, and the former key can go', async () => {
    const uuid = await upload()
    const former = existing(app.world.config.SECRETS_KEY?.[0])
    const present = aKey()
    await expect(checkSealed({ ...app.world, secrets: keyed(present) })).rejects.toThrow(SecretsKeyError)
    const both = keyed(present, former)
    await checkSealed({ ...app.world, secrets: both })
    expect(await sealFiles(database(), store, both)).toMatchObject({ sealed: 1, damaged: 0 })
    await checkSealed({ ...app.world, secrets: keyed(present) })
    const { stream } = await openContent(keyed(present), nameOf(uuid), await store.read(nameOf(uuid)))
    expect((await buffer(stream)).equals(report)).toBe(true)
    await expect(openContent(keyed(former), nameOf(uuid), await store.read(nameOf(uuid)))).rejects.toThrow(SecretsKeyError)
  })

  test('a file that was tampered with is not opened, and the command leaves it alone', async () => {
    const [uuid, other] = [await upload(), await upload()]
    const whole = await buffer(await store.read(nameOf(uuid)))
    const changed = Buffer.from(whole)
    changed.writeUInt8(changed.readUInt8(100) ^ 1, 100)
    for (const content of [changed, whole.subarray(0, 88 + 65_552), whole.subarray(0, -1), Buffer.concat([whole, Buffer.from('x')])]) {
      await store.put(nameOf(uuid), content, 'application/octet-stream')
      await expect(app.files.readFile(azahar, uuid)).rejects.toThrow(DamagedSeal)
    }
    await store.put(nameOf(other), whole, 'application/octet-stream')
    await expect(app.files.readFile(azahar, other)).rejects.toThrow(DamagedSeal)
    expect((await get(other)).statusCode).toBe(500)
    const lost = await upload()
    await store.remove(nameOf(lost))
    const both = keyed(aKey(), existing(app.world.config.SECRETS_KEY?.[0]))
    const sealing = await sealFiles(database(), store, both)
    expect(sealing).toMatchObject({ sealed: 0, missing: 1, damaged: 2 })
    expect(sealing.ids.toSorted()).toEqual([uuid, other].toSorted())
    expect((await buffer(await store.read(nameOf(other)))).equals(whole)).toBe(true)
  })

  test('a file that is deleted during its encryption does not come back', async () => {
    const uuid = await storeOpenly()
    const deleting: FileStore = {
      ...store,
      async put(name, content, mediaType) {
        await database().inScope(azahar, tx => app.files.remove(tx, uuid))
        await app.world.outbox.drain()
        await store.put(name, content, mediaType)
      },
    }
    await sealFiles(database(), deleting, secrets())
    expect(await store.has(nameOf(uuid))).toBe(false)
  })

  test('a sale’s document is encrypted in the store; the command encrypts older ones', async () => {
    const seller = await sellerOf(app)
    const { policyUuid } = (await sellAs(seller)).body.data.policyData
    await app.world.outbox.drain()
    const files = await database().kysely.selectFrom('files').selectAll().where('policy_id', '=', policyUuid).execute()
    const certificate = existing(files.find(({ kind }) => kind === 'certificate'))
    expect(certificate.sealed_by).toBe(secrets().sealedBy)
    const stored = () => store.read(nameOf(certificate.content_id ?? '')).then(buffer)
    expect((await stored()).includes('%PDF')).toBe(false)
    const content = await app.files.readFile(azahar, certificate.id)
    expect([content.length, content.toString('latin1', 0, 5)]).toEqual([certificate.size, '%PDF-'])
    await store.put(nameOf(certificate.content_id ?? ''), content, 'application/pdf')
    await database().kysely.updateTable('files').set({ sealed_by: null }).where('id', '=', certificate.id).execute()
    expect((await app.files.readFile(azahar, certificate.id)).equals(content)).toBe(true)
    expect(await sealFiles(database(), store, secrets())).toMatchObject({ sealed: 1, damaged: 0 })
    expect((await stored()).includes('%PDF')).toBe(false)
    expect((await app.files.readFile(azahar, certificate.id)).equals(content)).toBe(true)
    // A lost document is made again, and encrypted.
    await store.remove(nameOf(certificate.content_id ?? ''))
    expect((await get(certificate.id)).rawPayload.equals(content)).toBe(true)
    expect((await stored()).includes('%PDF')).toBe(false)
  })

  test('documents of products, which name no one, are stored in clear', async () => {
    const { id } = await app.files.put(azahar, { kind: 'information', name: 'o.pdf', mediaType: 'application/pdf', content: report })
    expect([areReadable(), (await rowOf(id)).sealed_by]).toEqual([true, null])
  })
})

test.each([0, 1, 70, 87, 88, 89, 65_536, 65_537, 131_072])(
  'content of %i bytes is encrypted and decrypted, in parts of any size',
  async length => {
    app = await testApp()
    const { secrets } = app.world
    const content = randomBytes(length)
    const sealed = await sealContent(secrets, 'unit/file', content)
    const parts = (bytes: Buffer, size: number) =>
      Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) => bytes.subarray(at * size, (at + 1) * size))
    for (const stored of [sealed, content])
      for (const size of [stored.length + 1, 7, 88, 65_552]) {
        const opened = await openContent(secrets, 'unit/file', Readable.from(parts(stored, size), { objectMode: false }))
        expect([opened.sealedBy, (await buffer(opened.stream)).equals(content)]).toEqual([
          stored === sealed ? secrets.sealedBy : null,
          true,
        ])
      }
  },
)

test('a file that is not read to its end is closed', async () => {
  app = await testApp()
  const { secrets } = app.world
  const path = join(folder, 'sealed')
  writeFileSync(path, await sealContent(secrets, 'unit/file', randomBytes(300_000)))
  const { createReadStream } = await import('node:fs')
  const stored = createReadStream(path)
  const { stream } = await openContent(secrets, 'unit/file', stored)
  stream.destroy()
  await expect.poll(() => stored.closed).toBe(true)
})
