import { randomUUID } from 'node:crypto'
import { PassThrough } from 'node:stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fileKinds } from '#common/documents/kinds.ts'
import { addDays, today } from '#common/kit/dates.ts'
import { sealedRows } from '#server/app.ts'
import { askClient, tokenFor } from '#server/client/testing.ts'
import { resealRows } from '#server/kit/sealed/reseal.ts'
import { openClosing } from '#server/accounting/statements/close.ts'
import { admin } from '#server/administration/testing.ts'
import { existing } from '#common/kit/testing.ts'
import { readZip, unzip } from '#server/kit/upload/zip.ts'
import { type TestApp, testApp } from '#server/kit/testing.ts'
import { leo, type Seller, sellAs, sellerOf } from '#server/policies/testing.ts'
import { demoScope } from '#server/session/testing.ts'
import { leaveTraces, rectifyAs, xenia } from './testing.ts'
import { digits, kindsWithNumbers, placesWithNumbers, storeNumbersOpenly } from './testing-numbers.ts'

const rita = { ...xenia, name: 'Rita', docNumber: '48765437D', birthDate: '1969-12-24', email: 'rita@correo.example' }
const lea = { ...xenia, name: 'Lea', docNumber: '48765434Y', birthDate: '1977-07-07', email: 'lea@correo.example' }
const ida = { ...xenia, name: 'Ida', docNumber: '48765439B', birthDate: '1965-02-02', email: 'ida@correo.example' }
const noor = { ...leo, name: 'Noor', docNumber: '48765433M', birthDate: '1991-04-04' }
const asked = { askedBy: 'person', reason: 'Lo pide por carta' }

let app: TestApp
let seller: Seller
/** A policy sold in an agency's office, without a right of withdrawal, and cancelled in the next month. */
let early: string
let administrator: Awaited<ReturnType<typeof admin>>
const logTo = new PassThrough()
const logged: Buffer[] = []
logTo.on('data', (piece: Buffer) => logged.push(piece))
beforeAll(async () => {
  app = await testApp({ LOG_LEVEL: 'trace' }, { logTo })
  seller = await sellerOf(app)
  administrator = await admin(app)
  await leaveTraces(app, seller)
  early = await sellAhead()
})
afterAll(() => app.stop())

async function post(path: string, body: object, headers: Record<string, string> = administrator.headers) {
  const reply = await app.ask(`/api/${path}`, { body, headers })
  expect(reply.status, reply.text).toBe(200)
  return reply.body.data
}
async function sellAhead(more = {}): Promise<string> {
  const startDate = addDays(today(app.world.clock.now(), 'Europe/Madrid'), 50)
  const trip = { users: [xenia, leo], startDate, endDate: addDays(startDate, 40), ...more }
  return (await sellAs(seller, trip)).body.data.policyData.policyUuid
}
type Known = { docNumber: string; birthDate: string }
const keyOf = async ({ docNumber, birthDate }: Known): Promise<string> =>
  (await post('privacy/find', { docNumber, birthDate })).persons[0].personKey
const rectify = async (person: Known, docNumber: string) =>
  rectifyAs(app, administrator.headers, { personKey: await keyOf(person), fields: { docNumber } })

/** Returns the numbers in a person's copy, which is made and opened. */
async function numbersInCopy(person: Known & { email: string }): Promise<string[]> {
  const { requestUuid } = await post('privacy/export', { personKey: await keyOf(person), ...asked, email: person.email })
  await app.world.outbox.drain()
  const { kysely } = app.world.database
  const mail = await kysely.selectFrom('mails').select('text_body').where('about', '=', requestUuid).executeTakeFirstOrThrow()
  const token = /\/my-data#([\w-]{22})$/m.exec(mail.text_body ?? '')?.[1]
  const { bytes } = await app.ask('/api/privacy/copy', { body: { token } })
  const data = existing(readZip(bytes)?.find(({ name }) => name === 'data.json'))
  const text = existing(await unzip(bytes, data)).toString()
  return [...new Set(text.match(/4876543\d[A-Z]/g))].toSorted()
}

async function expectNone(): Promise<void> {
  expect(await placesWithNumbers(app)).toEqual([])
  const lines = Buffer.concat(logged).toString().split('\n')
  expect(lines.length).toBeGreaterThan(20)
  expect(lines.filter(line => digits.test(line))).toEqual([])
}

test('corrections, copies and restrictions leave no number in database or log', async () => {
  const { policyUuid } = (await sellAs(seller, { users: [rita, noor] })).body.data.policyData
  expect((await rectify(rita, '48765436A')).status).toBe(422)
  const fields = { docNumber: '48765438X' }
  const { items } = (await rectify(rita, fields.docNumber)).body.data
  expect(items).toMatchObject([{ uuid: policyUuid, outcome: 'mended' }])
  const { users } = await post('policy/detail', { policyUuid }, seller.headers)
  expect(users.map(({ docNumber }: Known) => docNumber)).toEqual(['48765438X', noor.docNumber])
  expect(await numbersInCopy({ ...rita, ...fields })).toEqual(['48765438X'])
  await expectNone()
  const { items: restricted } = await post('privacy/restrict', { personKey: await keyOf({ ...rita, ...fields }), ...asked })
  expect(restricted).toMatchObject([{ uuid: policyUuid }])
  await app.world.outbox.drain()
  await expectNone()
})

test('numbers that an older version stored are corrected and copied alike', async () => {
  const { policyUuid } = (await sellAs(seller, { users: [lea, noor] })).body.data.policyData
  await storeNumbersOpenly(app)
  expect(await placesWithNumbers(app)).toEqual(['policy_people.document_number'])
  expect(await numbersInCopy(xenia)).toEqual([xenia.docNumber])
  const { items } = (await rectify(lea, '48765435F')).body.data
  expect(items).toMatchObject([{ uuid: policyUuid, outcome: 'mended' }])
  for (const rows of sealedRows) await resealRows(app.world, rows)
  await expectNone()
})

test('the bordereaux of premiums and claims hold no number, whatever the contract says', async () => {
  const unit = demoScope('azahar').businessUnitId
  const terms = { businessUnitUuid: unit, limit: null, netted: true, namesInBordereau: true, reason: 'The contract says so' }
  await post('administration/accounting/limit', terms)
  const month = app.world.clock.now().toISOString().slice(0, 7)
  const next = new Date(`${month}-03T12:00:00Z`)
  next.setUTCMonth(next.getUTCMonth() + 1)
  expect((await app.ask('/dev/clock', { body: { at: next.toISOString() } })).status).toBe(200)
  await openClosing(app.world)()
  for (const kind of ['premium', 'claims'])
    await post('administration/bordereau', { requestUuid: randomUUID(), period: month, units: [unit], kind })
  await app.world.outbox.drain()
  const parts = await app.world.database.kysely.selectFrom('bordereau_parts').select('name').execute()
  expect(parts.map(({ name }) => name)).toEqual(expect.arrayContaining(['bordereau.csv', 'claims.csv']))
  await expectNone()
})

test('no file in the store shows a number, of whatever kind it is', async () => {
  await sellAhead({ users: [ida, noor] })
  expect((await rectify(ida, '48765431A')).status).toBe(200)
  await numbersInCopy({ ...ida, docNumber: '48765431A' })
  const { refund: expectedRefund } = await post('policy/cancel/preview', { policyUuid: early, version: 1 }, seller.headers)
  await post('policy/cancel', { policyUuid: early, version: 1, expectedRefund, reason: 'trip_cancelled' }, seller.headers)
  const withdrawn = await sellAhead({ channel: 'distance' })
  const token = await tokenFor(app, withdrawn, xenia.email)
  await askClient(app, 'withdraw', { token, name: 'Xenia Quintanilla', confirmTo: xenia.email, version: 1 })
  await app.world.outbox.drain()
  const { all, showing } = await kindsWithNumbers(app)
  // Every kind but the logo, which is a picture.
  expect(fileKinds.filter(kind => !all.includes(kind))).toEqual(['logo'])
  expect(showing).toEqual([])
})
