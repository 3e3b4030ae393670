import { sql } from 'kysely'
import { afterAll, assert, beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '#server/kit/testing.ts'
import { demoScope, type SignedIn, signIn } from '#server/session/testing.ts'
import type { NewFile } from './files.ts'

let app: TestApp
let agent: SignedIn
beforeAll(async () => {
  app = await testApp()
  agent = await signIn(app, 'agent@azahar.example')
})
afterAll(() => app.stop())

const azahar = demoScope('azahar')
const newFile = (changes: Partial<NewFile> = {}): NewFile => ({
  kind: 'logo',
  name: 'Fáctura "1".pdf',
  mediaType: 'application/pdf',
  content: Buffer.from('%PDF-1.7'),
  ...changes,
})
const get = (id: string, headers: Record<string, string>) => app.ask(`/api/files/${id}`, { headers })

test('a document is served whole even if its row has the size of another making', async () => {
  const { id } = await app.files.put(azahar, newFile({ kind: 'certificate' }))
  const longer = 1_000
  await app.world.database.inScope(azahar, tx => tx.updateTable('files').set({ size: longer }).where('id', '=', id).execute())
  const { status, text, headers } = await get(id, agent.headers)
  expect([status, text, headers['content-length']]).toEqual([200, '%PDF-1.7', '8'])
})

test('a file is served unchanged, as an attachment, and never cached', async () => {
  const { id, size } = await app.files.put(azahar, newFile())
  const reply = await get(id, agent.headers)
  expect([reply.status, reply.text, size]).toEqual([200, '%PDF-1.7', 8])
  expect(reply.headers).toMatchObject({
    'cache-control': 'private, no-store',
    'content-type': 'application/pdf',
    'content-length': '8',
    'content-disposition': `attachment; filename="Factura _1_.pdf"; filename*=UTF-8''F%C3%A1ctura%20%221%22.pdf`,
    'x-content-type-options': 'nosniff',
  })
})

test('another unit’s file returns the same 404 as an unknown file', async () => {
  const { id } = await app.files.put(azahar, newFile())
  const other = await signIn(app, 'agent@rotta.example')
  const [foreign, none] = [await get(id, other.headers), await get(crypto.randomUUID(), other.headers)]
  expect(foreign.status).toBe(404)
  expect({ ...foreign.body, requestId: '' }).toEqual({ ...none.body, requestId: '' })
  expect((await get('x', agent.headers)).status).toBe(404)
  expect((await app.ask(`/api/files/${id}`)).status).toBe(401)
})

test('a link opened in the browser finds files of all the user’s units', async () => {
  const multi = await signIn(app, 'multi@portolan.example')
  const { id } = await app.files.put(demoScope('rotta'), newFile())
  expect((await get(id, { cookie: multi.cookie })).status).toBe(200)
  expect((await get(id, { cookie: agent.cookie })).status).toBe(404)
  expect((await get(id, multi.headers)).status).toBe(404)
  expect((await get(id, { cookie: multi.cookie, origin: 'https://evil.example' })).status).toBe(403)
})

test('a link into a unit that requires a second factor needs it (attack B31)', async () => {
  const { id } = await app.files.put(azahar, newFile())
  const { kysely } = app.world.database
  const require = (wanted: boolean) =>
    kysely
      .updateTable('business_units')
      .set({ settings: sql`jsonb_set(settings, '{twoFactorRequired}', ${JSON.stringify(wanted)}::jsonb)` })
      .where('id', '=', azahar.businessUnitId)
      .execute()
  await require(true)
  expect([(await get(id, { cookie: agent.cookie })).status, (await get(id, agent.headers)).status]).toEqual([404, 403])
  await require(false)
  expect((await get(id, { cookie: agent.cookie })).status).toBe(200)
})

test('a policy’s documents need a view permission, or the sale to be the user’s own', async () => {
  const offer = await app.files.put(azahar, newFile({ kind: 'offer' }))
  const viewer = await signIn(app, 'viewer@azahar.example')
  expect([(await get(offer.id, viewer.headers)).status, (await get(offer.id, agent.headers)).status]).toEqual([403, 200])
  const own = await app.files.put(azahar, newFile({ kind: 'offer', userId: viewer.user.uuid }))
  expect((await get(own.id, viewer.headers)).status).toBe(200)
})

test('a removed file is gone, and shared content stays until its last file goes', async () => {
  const { id } = await app.files.put(azahar, newFile())
  const { kysely } = app.world.database
  const stored = await kysely.selectFrom('files').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  const second = crypto.randomUUID()
  await kysely
    .insertInto('files')
    .values({ ...stored, id: second })
    .execute()
  const remove = async (id: string) => {
    await app.world.database.inScope(azahar, tx => app.files.remove(tx, id))
    await app.world.outbox.drain()
  }
  await remove(id)
  expect([(await get(id, agent.headers)).status, (await get(second, agent.headers)).text]).toEqual([404, '%PDF-1.7'])
  await remove(second)
  await expect(app.files.readFile(azahar, second)).rejects.toThrow('file.lost')
})

test('an email’s certificate is read with its mark once it is replaced, and without it again if it is not', async () => {
  const { kysely } = app.world.database
  app.files.markWith(() => Promise.resolve(Buffer.from('marked')))
  const { id } = await app.files.put(azahar, newFile({ kind: 'certificate' }))
  const replacedBy = (version: number | null) => kysely.updateTable('files').set({ replaced_by: version }).where('id', '=', id).execute()
  const read = async () => String(await app.files.readFile(azahar, id))
  await replacedBy(2)
  const marked = await read()
  await replacedBy(null)
  expect([marked, await read()]).toEqual(['marked', '%PDF-1.7'])
})

test('a deleted document is not read from memory, though its row is still known', async () => {
  const { id } = await app.files.put(azahar, newFile({ kind: 'certificate' }))
  const row = await app.files.find(azahar, id)
  assert(row?.content_id)
  expect(String(await app.files.readFile(azahar, id, row))).toBe('%PDF-1.7')
  await app.world.database.kysely.deleteFrom('files').where('id', '=', id).execute()
  await app.files.deleteContent(azahar, row.content_id)
  await expect(app.files.readFile(azahar, id, row)).rejects.toThrow('file.lost')
})
