import { afterAll, beforeAll, expect, it } from 'vitest'
import { today } from '#common/kit/dates.ts'
import { readPdf } from '#server/documents/movements/testing.ts'
import { type TestApp, testApp } from '#server/kit/testing.ts'
import { type Seller, sellAs, sellerOf } from '#server/policies/testing.ts'

// Cancellation cover that is added long after the booking begins later, and each certificate says so until then.

let app: TestApp
let seller: Seller
let ahead = 0
const dayMs = 24 * 3_600_000
beforeAll(async () => {
  app = await testApp({}, { clock: { now: () => new Date(Date.now() + ahead) } })
})
afterAll(() => app.stop())

/** Sets the clock to days after the start of the tests, which ends sessions. */
const onDay = async (days: number) => {
  ahead = days * dayMs
  seller = await sellerOf(app)
}
const day = (days: number) => today(new Date(Date.now() + days * dayMs), 'Europe/Madrid')
const post = async (path: string, body: object) => {
  const reply = await app.ask(`/api/policy/${path}`, { body, headers: seller.headers })
  expect([path, reply.status]).toEqual([path, 200])
  return reply.body.data
}

type FileReply = { label: string; file: string }

/** Returns the waiting periods on a certificate: whether the sale's cover has one, and how many additions do. */
async function waitsIn(files: FileReply[]): Promise<[sale: boolean, additions: number]> {
  const { file = '' } = files.find(({ label }) => label.startsWith('Certificado')) ?? {}
  const { text } = await readPdf((await app.context.http.inject({ url: file, headers: seller.headers })).rawPayload)
  return [text.includes('72 horas después de la contratación'), text.split('La cobertura de cancelación añadida comienza').length - 1]
}

async function sell(reservationDate: string): Promise<{ policyUuid: string; files: FileReply[] }> {
  const productUUID = seller.products.find(({ code }: { code: string }) => code === 'TOT').uuid
  const { policyData, files } = (
    await sellAs(seller, { productUUID, startDate: day(71), endDate: day(78), insurancedAmount: 3000, reservationDate })
  ).body.data
  return { policyUuid: policyData.policyUuid, files }
}

async function change(policyUuid: string, version: number, asked: object): Promise<FileReply[]> {
  const { difference } = await post('change/preview', { policyUuid, version, change: asked })
  return (await post('change', { policyUuid, version, change: asked, expectedDifference: difference.total })).files
}

async function rename(policyUuid: string, version: number, lastName: string): Promise<FileReply[]> {
  const { policy } = await post('change/terms', { policyUuid })
  const [ana, leo] = policy.people
  return change(policyUuid, version, { users: [{ personUuid: ana.personUuid }, { ...leo, lastName }] })
}

it('each certificate names the waiting period of an addition until it is over', async () => {
  await onDay(0)
  const { policyUuid } = await sell(day(0))
  await onDay(15)
  expect(await waitsIn(await change(policyUuid, 1, { insurancedAmount: 5000 }))).toEqual([false, 1])
  expect(await waitsIn(await rename(policyUuid, 2, 'Gill'))).toEqual([false, 1])
  await onDay(17)
  expect(await waitsIn(await change(policyUuid, 3, { insurancedAmount: 6000 }))).toEqual([false, 2])
  await onDay(19)
  expect(await waitsIn(await rename(policyUuid, 4, 'Gil'))).toEqual([false, 1])
  await onDay(21)
  expect(await waitsIn(await rename(policyUuid, 5, 'Gill'))).toEqual([false, 0])
})

it('no certificate names the waiting period of an addition that was undone', async () => {
  await onDay(0)
  const { policyUuid } = await sell(day(0))
  await onDay(15)
  expect(await waitsIn(await change(policyUuid, 1, { insurancedAmount: 5000 }))).toEqual([false, 1])
  expect(await waitsIn((await post('change/undo', { policyUuid, version: 2 })).files)).toEqual([false, 0])
  expect(await waitsIn(await rename(policyUuid, 3, 'Gill'))).toEqual([false, 0])
})

it('the cover of the sale waits as it was sold, whenever the addition was reserved', async () => {
  await onDay(0)
  const soon = await sell(day(0))
  await onDay(15)
  expect(await waitsIn(await change(soon.policyUuid, 1, { insurancedAmount: 5000, reservationDate: day(-20) }))).toEqual([false, 1])
  const late = await sell(day(0))
  expect(await waitsIn(late.files)).toEqual([true, 0])
  expect(await waitsIn(await change(late.policyUuid, 1, { insurancedAmount: 5000, reservationDate: day(15) }))).toEqual([true, 0])
})
