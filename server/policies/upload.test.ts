import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type TestApp, testApp } from '#server/kit/testing.ts'
import { pdf, png } from '#server/kit/upload/testing.ts'
import { brokenInvariants } from '#server/policies/checks/invariants.ts'
import { demoScope, giveRoles, type SignedIn, signIn } from '#server/session/testing.ts'
import { sendForm } from '#server/tickets/testing.ts'
import { deleteAs, purchaseAs, registerAs, sellAs, type Seller, sellerOf } from './testing.ts'

// The document that a policyholder brings: from its upload to those who see the policy.

let app: TestApp
let seller: Seller
let manager: Seller
let rotta: Seller
beforeAll(async () => {
  app = await testApp()
  seller = await sellerOf(app)
  manager = await sellerOf(app, 'manager@azahar.example')
  rotta = await sellerOf(app, 'agent@rotta.example')
})
afterAll(async () => {
  expect(await brokenInvariants(app.world.database)).toEqual([])
  await app.stop()
})

const passport = { name: 'Pasaporte Ana.pdf', content: pdf() }
const send = (user: Pick<SignedIn, 'headers'> = seller, file = passport) => sendForm(app, user, '/api/policy/files', {}, [file])
const upload = async (user?: Pick<SignedIn, 'headers'>): Promise<string> => (await send(user)).body.data.uuid
const drop = (fileUuid: string, { headers }: Pick<SignedIn, 'headers'> = seller) =>
  app.ask('/api/policy/files', { method: 'DELETE', body: { fileUuid }, headers })
const statusOf = async (uuid: string, { headers }: Pick<SignedIn, 'headers'> = seller) =>
  (await app.context.http.inject({ url: `/api/files/${uuid}`, headers })).statusCode
const detailOf = async (policyUuid: string, { headers }: Pick<SignedIn, 'headers'> = seller) =>
  (await app.ask('/api/policy/detail', { body: { policyUuid }, headers })).body.data
const register = async (changes: Record<string, unknown>, by = seller) => {
  const { status, body } = await registerAs(by, changes)
  return { ...body.data, status, fields: (body.fields ?? []).map(({ path, rule }: Record<string, string>) => `${path} ${rule}`) }
}
const isStored = async (uuid: string) =>
  (await app.world.database.kysely.selectFrom('files').select('id').where('id', '=', uuid).execute()).length === 1
const refused = { status: 422, fields: ['uploadFile known'] }

describe('a document of the policyholder', () => {
  test('is stored encrypted with its sold policy, and shown and downloaded with it', { tags: 'S3.6' }, async () => {
    const { status, body } = await send()
    expect([status, body.data]).toEqual([
      200,
      { uuid: body.data.uuid, name: passport.name, mediaType: 'application/pdf', size: pdf().length },
    ])
    const { policyUuid } = (await sellAs(seller, { uploadFile: body.data.uuid.toUpperCase() })).body.data.policyData
    const detail = await detailOf(policyUuid)
    expect(detail.uploadFile).toEqual(body.data)
    // The documents of the sale are the service's own, and the request from which a sale is resumed does not contain it.
    expect(detail.files.map(({ uuid }: { uuid: string }) => uuid)).not.toContain(body.data.uuid)
    expect(detail.trip).not.toHaveProperty('uploadFile')
    const file = await app.context.http.inject({ url: `/api/files/${body.data.uuid}`, headers: seller.headers })
    expect([file.statusCode, file.headers['content-type'], file.rawPayload.equals(pdf())]).toEqual([200, 'application/pdf', true])
    expect(file.headers['content-disposition']).toMatch(/^attachment;/)
    const row = await app.world.database.kysely.selectFrom('files').selectAll().where('id', '=', body.data.uuid).executeTakeFirstOrThrow()
    expect(row).toMatchObject({ kind: 'upload', policy_id: policyUuid, sealed_by: app.world.secrets.sealedBy })
  })

  test.each([
    ['passport.pdf', Buffer.from('<script>alert(1)</script>')],
    ['passport.pdf', pdf('3 0 obj << /S /JavaScript /JS (x) >>')],
    ['passport.pdf.exe', pdf()],
    ['photo.jpg', png()],
  ])('is refused as %s if it runs, or is not what its name says', async (name, content) => {
    const { status, body } = await send(seller, { name, content })
    expect([status, body.fields.map(({ path, rule }: Record<string, string>) => `${path} ${rule}`)]).toEqual([422, ['files[0] file']])
  })

  test('is for its uploader alone until a sale has it, then for all who see the policy', async () => {
    const viewer = await signIn(app, 'viewer@azahar.example')
    const uuid = await upload()
    const seen = async () => Promise.all([seller, manager, viewer, rotta].map(user => statusOf(uuid, user)))
    expect(await seen()).toEqual([200, 404, 404, 404])
    const { policyUuid, purchaseUUID } = await register({ uploadFile: uuid })
    // A viewer of sold policies sees no saved quotes.
    expect(await seen()).toEqual([200, 200, 404, 404])
    expect((await purchaseAs(seller, { purchaseUUID })).status).toBe(200)
    expect(await seen()).toEqual([200, 200, 200, 404])
    expect((await detailOf(policyUuid, viewer)).uploadFile.uuid).toBe(uuid)
  })

  test('is unknown to an agent who sees only own sales, if the sale is another’s', async () => {
    const uuid = await upload(manager)
    expect((await register({ uploadFile: uuid }, manager)).status).toBe(200)
    await giveRoles(app, 'agent@azahar.example', ['freelancer'])
    const freelancer = await signIn(app, 'agent@azahar.example')
    expect([await statusOf(uuid, freelancer), await statusOf(uuid, manager)]).toEqual([404, 200])
    await giveRoles(app, 'agent@azahar.example', ['seller'])
    seller = await sellerOf(app)
  })

  test('is uploaded by sellers only, and dropped by its uploader until a sale has it', async () => {
    expect((await send(await signIn(app, 'viewer@azahar.example'))).status).toBe(403)
    const uuid = await upload()
    expect((await drop(uuid, manager)).body.data).toEqual({ deleted: false })
    expect((await drop(uuid, rotta)).body.data).toEqual({ deleted: false })
    expect((await drop(uuid)).body.data).toEqual({ deleted: true })
    expect(await statusOf(uuid)).toBe(404)
    const used = await upload()
    await register({ uploadFile: used })
    expect((await drop(used)).body.data).toEqual({ deleted: false })
  })

  test('without a sale is deleted after two days by the hourly work', async () => {
    let now = new Date()
    const own = await testApp({}, { clock: { now: () => now } })
    onTestFinished(() => own.stop())
    const seller = await sellerOf(own)
    const upload = async () => String((await sendForm(own, seller, '/api/policy/files', {}, [passport])).body.data.uuid)
    const [loose, used] = [await upload(), await upload()]
    expect((await registerAs(seller, { uploadFile: used })).status).toBe(200)
    const stored = async () => {
      const rows = await own.world.database.kysely.selectFrom('files').select('id').where('kind', '=', 'upload').execute()
      return rows.map(({ id }) => id).toSorted()
    }
    await own.keepHouse()
    expect(await stored()).toEqual([loose, used].toSorted())
    now = new Date(now.getTime() + 49 * 3_600_000)
    await own.keepHouse()
    expect(await stored()).toEqual([used])
  })

  test('counts towards a user’s daily limit of uploads, as those of tickets do', async () => {
    const user = await sellerOf(app, 'multi@portolan.example')
    const uuid = await upload(user)
    // Adds uploads until only one is left.
    const { kysely } = app.world.database
    const row = await kysely.selectFrom('files').selectAll().where('id', '=', uuid).executeTakeFirstOrThrow()
    await kysely
      .insertInto('files')
      .values(Array.from({ length: 298 }, () => ({ ...row, id: randomUUID() })))
      .execute()
    expect((await sendForm(app, user, '/api/tickets/files', {}, [passport])).status).toBe(200)
    expect((await send(user)).status).toBe(429)
    expect((await sendForm(app, user, '/api/tickets/files', {}, [passport])).status).toBe(429)
    await kysely.deleteFrom('files').where('user_id', '=', user.user.uuid).execute()
  })
})

describe('a registration', () => {
  test('is refused at its field for a document that is foreign, used, gone or invalid', async () => {
    const used = await upload()
    await register({ uploadFile: used })
    const gone = await upload()
    await drop(gone)
    const ofTicket = (await sendForm(app, seller, '/api/tickets/files', {}, [passport])).body.data.uuid
    for (const uploadFile of [await upload(manager), await upload(rotta), used, gone, ofTicket, crypto.randomUUID()])
      for (const saveBudget of [true, false]) expect(await register({ uploadFile, saveBudget })).toMatchObject(refused)
    expect(await register({ uploadFile: 'passport.pdf' })).toMatchObject({ status: 422, fields: [expect.stringContaining('uploadFile')] })
  })

  test('that is refused leaves the document to the next one', async () => {
    const uploadFile = await upload()
    expect((await register({ uploadFile, expectedTotal: 1 })).status).toBe(409)
    expect((await register({ uploadFile })).status).toBe(200)
  })

  test('is refused for a document that another one takes at the same moment', async () => {
    const uploadFile = await upload()
    const replies = await Promise.all([register({ uploadFile }), register({ uploadFile, saveBudget: true })])
    expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 422])
  })

  test('that is repeated under its key keeps the document once', async () => {
    const uploadFile = await upload()
    const once = () => registerAs(seller, { uploadFile }, { 'idempotency-key': `k ${uploadFile}` })
    const [first, again] = [await once(), await once()]
    expect([first.status, again.text]).toEqual([200, first.text])
  })
})

describe('a saved quote', () => {
  const save = (changes: Record<string, unknown>) => register({ saveBudget: true, ...changes })

  test('keeps its document while that is sent again, also for its sale', async () => {
    const uploadFile = await upload()
    const { policyUuid } = await save({ uploadFile })
    expect((await save({ policyUuid, uploadFile })).status).toBe(200)
    expect((await detailOf(policyUuid)).uploadFile.uuid).toBe(uploadFile)
    // Another seller of the agency may sell the quote, with the document that it has.
    const { purchaseUUID } = await register({ policyUuid, uploadFile }, manager)
    expect((await purchaseAs(manager, { purchaseUUID })).status).toBe(200)
    expect((await detailOf(policyUuid)).uploadFile.uuid).toBe(uploadFile)
  })

  test('loses its document if another one or none is sent, and the store loses it too', async () => {
    const [first, second] = [await upload(), await upload()]
    const { policyUuid } = await save({ uploadFile: first })
    await save({ policyUuid, uploadFile: second })
    expect([(await detailOf(policyUuid)).uploadFile.uuid, await isStored(first)]).toEqual([second, false])
    await save({ policyUuid })
    expect([(await detailOf(policyUuid)).uploadFile, await isStored(second)]).toEqual([null, false])
    await app.world.outbox.drain()
    await expect(app.files.readFile(demoScope('azahar'), second)).rejects.toThrow()
  })

  test('that is deleted shows its document no longer', async () => {
    const uploadFile = await upload()
    const { policyUuid } = await save({ uploadFile })
    await deleteAs(seller, policyUuid)
    expect(await statusOf(uploadFile)).toBe(404)
    expect((await app.ask('/api/policy/restore', { body: { policyUuid }, headers: seller.headers })).status).toBe(200)
    expect(await statusOf(uploadFile)).toBe(200)
  })
})
