import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { WordsOfData } from '#common/kit/words/words.ts'
import { type TestApp, testApp } from '#server/kit/testing.ts'
import { registerAs, type Seller, sellAs, sellerOf } from '#server/policies/testing.ts'
import { scopeOf } from '#server/session/scope.ts'
import { signIn } from '#server/session/testing.ts'
import { aPdf, sendForm } from '#server/tickets/testing.ts'
import { readPdf } from '../movements/testing.ts'
import { largePicture, openBucket } from '../marker/testing.ts'

type FileReply = { uuid: string; name: string; file: string }

/** A store that a test can empty while the service runs. */
type TestStore = { address: string; empty(): void; remove(): void }

function aFolder(): TestStore {
  const folder = mkdtempSync(join(tmpdir(), 'portolan-emptied-'))
  const remove = () => rmSync(folder, { recursive: true, force: true })
  return { address: `file:${folder}`, empty: remove, remove }
}

async function aBucket(): Promise<TestStore> {
  const bucket = await openBucket()
  return { address: bucket.address, empty: () => bucket.kept.clear(), remove: () => bucket.close() }
}

describe.each([
  ['a folder', aFolder],
  ['a bucket', aBucket],
] as const)('documents of %s that was emptied', (_, open) => {
  let store: TestStore
  let app: TestApp
  let seller: Seller
  beforeAll(async () => {
    store = await open()
    app = await testApp({ FILE_STORE: store.address, PUBLIC_URL: 'https://portal.example' })
    seller = await sellerOf(app)
  })
  afterAll(async () => {
    await app.stop()
    store.remove()
  })

  async function bytesOf(path: string): Promise<Buffer> {
    const reply = await app.context.http.inject({ url: path, headers: seller.headers })
    expect([reply.statusCode, reply.headers['content-length']]).toEqual([200, String(reply.rawPayload.length)])
    return reply.rawPayload
  }
  const sell = async (): Promise<{ policyUuid: string; files: FileReply[] }> => {
    const { policyData, files } = (await sellAs(seller)).body.data
    return { ...policyData, files }
  }
  const update = async (changes: object) => {
    const { headers } = await signIn(app, 'manager@azahar.example')
    const { version } = (await app.ask('/api/agency', { headers })).body.data
    const reply = await app.ask('/api/agency', { method: 'PUT', body: { version, ...changes }, headers })
    expect(reply.status).toBe(200)
    return reply.body.data
  }
  const drain = () => app.world.outbox.drain()
  const mails = async (): Promise<{ to: string; attachments: unknown[] }[]> => (await app.ask('/dev/mail.json')).body
  const unsent = async () =>
    (await app.world.database.kysely.selectFrom('mails').select('state').where('state', '!=', 'sent').execute()).length
  const counted = async (outcome: string) =>
    (await app.world.metrics.filesMissing.get()).values.find(({ labels }) => labels.outcome === outcome)?.value ?? 0

  test('rendered again after the agency has changed have the same bytes', async () => {
    const { files } = await sell()
    await drain()
    const before = await Promise.all(files.map(({ file }) => bytesOf(file)))
    await update({ contactInfo: { email: 'otra@azahar.example', phone: '+34961000002' } })
    store.empty()
    const after = await Promise.all(files.map(({ file }) => bytesOf(file)))
    expect(after.map((bytes, index) => before[index]?.equals(bytes))).toEqual([true, true, true, true])
    const made = await counted('made again')
    expect(made).toBeGreaterThanOrEqual(4)
    await Promise.all(files.map(({ file }) => bytesOf(file)))
    expect(await counted('made again')).toBe(made)
  })

  test('made by a version with other words have the same bytes', async () => {
    const { words } = app.world
    const before = 'País de salida'
    const older = vi.spyOn(app.world, 'words').mockImplementation(locale => {
      const now = words(locale) as WordsOfData // Safe: `then` passes on what its caller was checked for.
      const then: WordsOfData = (id, params) => (id === 'documents.origin' ? before : now(id, params))
      return then
    })
    const { files } = await sell()
    await drain()
    const printed = await bytesOf(files[0]?.file ?? '')
    older.mockRestore()
    store.empty()
    const again = await bytesOf(files[0]?.file ?? '')
    expect(again.equals(printed)).toBe(true)
    expect((await readPdf(again)).text).toContain(before)
    const since = (await readPdf(await bytesOf((await sell()).files[0]?.file ?? ''))).text
    expect([since.includes(before), since.includes(words('es-ES')('documents.origin'))]).toEqual([false, true])
  })

  test('that an older version stored in clear are encrypted when rendered again', async () => {
    const { policyUuid, files } = await sell()
    await drain()
    const { kysely } = app.world.database
    const seals = async () =>
      (await kysely.selectFrom('files').select(['id', 'sealed_by']).where('policy_id', '=', policyUuid).orderBy('id').execute()).map(
        ({ sealed_by }) => sealed_by,
      )
    // The policy wording belongs to the product, and is the same for everyone.
    const before = await seals()
    expect(before).toContain(app.world.secrets.sealedBy)
    await kysely.updateTable('files').set({ sealed_by: null }).where('policy_id', '=', policyUuid).execute()
    store.empty()
    await Promise.all(files.map(({ file }) => bytesOf(file)))
    expect(await seals()).toEqual(before)
    expect((await Promise.all(files.map(({ file }) => bytesOf(file)))).every(bytes => bytes.subarray(0, 5).toString() === '%PDF-')).toBe(
      true,
    )
  })

  test('are rendered once for simultaneous requests', async () => {
    const { files } = await sell()
    await drain()
    store.empty()
    const made = await counted('made again')
    const replies = await Promise.all(Array.from({ length: 5 }, () => bytesOf(files[0]?.file ?? '')))
    expect(replies.every(bytes => replies[0]?.equals(bytes))).toBe(true)
    expect(await counted('made again')).toBe(made + 1)
  })

  test('reach every pending email, also with a quote that was replaced since', async () => {
    const { policyUuid } = await sell()
    const budget = (await registerAs(seller, { saveBudget: true })).body.data.policyUuid
    const send = (policyUuid: string, email: string) =>
      app.ask('/api/policy/sendCertificates', { body: { policyUuid, emails: [email] }, headers: seller.headers })
    await app.documents.make(scope(), policyUuid)
    store.empty()
    expect((await send(policyUuid, 'again@example.com')).status).toBe(200)
    expect((await send(budget, 'offer@example.com')).status).toBe(200)
    expect((await registerAs(seller, { policyUuid: budget, saveBudget: true, buReference: 'Another' })).status).toBe(200)
    store.empty()
    await drain()
    expect(await unsent()).toBe(0)
    const sizes = Object.fromEntries((await mails()).map(({ to, attachments }) => [to, attachments.length]))
    expect(sizes).toMatchObject({ 'ana@example.es': 4, 'again@example.com': 4, 'offer@example.com': 3 })
  })

  test('without stored sources are rendered again from the policy, which stores these', async () => {
    const { files } = await sell()
    await drain()
    const before = await Promise.all(files.map(({ file }) => bytesOf(file)))
    const { kysely } = app.world.database
    await kysely.deleteFrom('paper_sources').execute()
    store.empty()
    const after = await Promise.all(files.map(({ file }) => bytesOf(file)))
    expect(after.map((bytes, index) => before[index]?.equals(bytes))).toEqual([true, true, true, true])
    expect(await kysely.selectFrom('paper_sources').select('content_id').execute()).toHaveLength(4)
  })

  test('brought as uploads return 410, and 404 to another unit', async () => {
    const { uuid } = (await sendForm(app, seller, '/api/tickets/files', {}, [aPdf])).body.data
    store.empty()
    const ask = (headers: Record<string, string>) => app.ask(`/api/files/${uuid}`, { headers: { ...headers, 'accept-language': 'it' } })
    const reply = await ask(seller.headers)
    expect([reply.status, reply.body.error]).toEqual([410, 'file.lost'])
    expect(reply.body.errorMessage).toMatch(/^Questo file non è più disponibile/)
    expect((await ask((await signIn(app, 'agent@rotta.example')).headers)).status).toBe(404)
    expect(await counted('lost')).toBeGreaterThan(0)
  })

  test('keep their logo, and are rendered without it if it is missing', async () => {
    const logo = async (): Promise<string> => (await update({ logo: largePicture() })).logo
    const printed = await logo()
    expect(printed).toMatch(/^\/api\/files\//)
    const picture = await bytesOf(printed)
    const { files } = await sell()
    const before = await bytesOf(files[0]?.file ?? '')
    store.empty()
    expect((await bytesOf(files[0]?.file ?? '')).equals(before)).toBe(true)
    expect((await bytesOf(printed)).equals(picture)).toBe(true)
    const unused = await logo()
    store.empty()
    expect((await app.ask(unused, { headers: seller.headers })).status).toBe(410)
    expect((await bytesOf((await sell()).files[0]?.file ?? '')).subarray(0, 5).toString()).toBe('%PDF-')
    await drain()
    expect(await unsent()).toBe(0)
  })

  const scope = () => scopeOf(seller.user.businessUnits[0].uuid)
})
