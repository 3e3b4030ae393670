import { afterAll, beforeAll, expect, it } from 'vitest'
import { addDays, displayDate, today } from '#common/kit/dates.ts'
import { readPdf } from '#server/documents/movements/testing.ts'
import { type TestApp, testApp } from '#server/kit/testing.ts'
import { purchaseAs, registerAs, type Seller, sellerOf } from '#server/policies/testing.ts'

let app: TestApp
let seller: Seller
beforeAll(async () => {
  app = await testApp()
  seller = await sellerOf(app)
})
afterAll(() => app.stop())

const start = addDays(today(new Date(), 'Europe/Madrid'), 11)
const day = (count: number) => displayDate(addDays(start, count)) ?? ''
const post = async (path: string, body: object) => {
  const reply = await app.ask(`/api/policy/${path}`, { body, headers: seller.headers })
  expect([path, reply.status, reply.body.error]).toEqual([path, 200, undefined])
  return reply.body.data
}

const sentence = 'El cliente necesita cobertura para 2 viajeros.'

async function sell(changes: Record<string, unknown> = {}): Promise<string> {
  const { body } = await registerAs(seller, changes)
  await purchaseAs(seller, { purchaseUUID: body.data.purchaseUUID })
  return body.data.policyUuid
}

const shownIn = async (policyUuid: string) => (await post('detail', { policyUuid })).shown

/** Changes a policy, and returns the text of the change's supplement. */
async function change(policyUuid: string, version: number, asked: object): Promise<string> {
  const { difference } = await post('change/preview', { policyUuid, version, change: asked })
  const { files } = await post('change', { policyUuid, version, change: asked, expectedDifference: difference.total })
  const reply = await app.context.http.inject({ url: files[0].file, headers: seller.headers })
  return (await readPdf(reply.rawPayload)).text
}

/** The information that the portal sends with a sale. */
function shown(code: string) {
  const { files } = seller.products.find((product: { code: string }) => product.code === code)
  return { demandsAndNeeds: sentence, files: files.map(({ file }: { file: string }) => file.slice('/api/files/'.length)) }
}

const people = async (policyUuid: string) => (await post('change/terms', { policyUuid })).policy.people

it('a change of days, places or travellers states the demands and needs anew', async () => {
  const sold = shown('ESS')
  const policyUuid = await sell({ shown: sold })
  const [ana] = await people(policyUuid)
  const eva = { name: 'Eva', middleName: 'Gil', lastName: 'Ruiz', birthDate: '1991-02-03', docNumber: '87654321X' }
  const steps: [object, string][] = [
    [{ endDate: addDays(start, 11) }, `para 2 viajeros con destino a Italia del ${day(0)} al ${day(11)}.`],
    [{ countriesDestinationId: '380,250' }, `para 2 viajeros con destino a Italia y Francia del ${day(0)} al ${day(11)}.`],
    [{ users: [{ personUuid: ana.personUuid }] }, `para 1 viajero con destino a Italia y Francia del ${day(0)} al ${day(11)}.`],
    [{ users: [{ personUuid: ana.personUuid }, eva] }, `para 2 viajeros con destino a Italia y Francia del ${day(0)} al ${day(11)}.`],
  ]
  for (const [index, [asked, needs]] of steps.entries()) {
    const text = await change(policyUuid, index + 1, asked)
    const { name } = seller.products.find(({ code }: { code: string }) => code === 'ESS')
    const stated = `El cliente necesita cobertura ${needs} ${name} se ajusta a estas exigencias y necesidades.`
    expect(text).toContain('Exigencias y necesidades')
    expect(text).toContain(stated)
    const { version, shown } = await post('detail', { policyUuid })
    expect(shown).toEqual({ demandsAndNeeds: stated, files: sold.files, at: shown.at, byChange: true })
    const versions = await post('versions', { policyUuid })
    expect(shown.at).toBe(versions.find((each: { version: number }) => each.version === version).at)
  }
  expect((await post('detail', { policyUuid, version: 1 })).shown).toMatchObject({ ...sold, byChange: false })
})

it('another insured amount states the demands and needs anew, with the amount', async () => {
  const product = { productUUID: seller.products.find(({ code }: { code: string }) => code === 'TOT').uuid, shown: shown('TOT') }
  const policyUuid = await sell({ ...product, insurancedAmount: 6400, reservationDate: today(new Date(), 'Europe/Madrid') })
  expect(await change(policyUuid, 1, { insurancedAmount: 4000 })).toMatch(/El viaje completo cuesta 4\.000,00\s€\./)
  expect((await shownIn(policyUuid)).demandsAndNeeds).toMatch(/4\.000,00/)
})

it('a change of nothing that the client needs keeps the sentence', async () => {
  const policyUuid = await sell({ shown: shown('ESS') })
  const before = await shownIn(policyUuid)
  const [ana, leo] = await people(policyUuid)
  const users = [{ personUuid: ana.personUuid }, { ...leo, lastName: 'Gill' }]
  expect(await change(policyUuid, 1, { users })).not.toContain('Exigencias y necesidades')
  await post('change', { policyUuid, version: 2, change: { buReference: 'R' }, expectedDifference: 0 })
  expect(await shownIn(policyUuid)).toEqual(before)
})

it('the undo of a change restores the former sentence', async () => {
  const policyUuid = await sell({ shown: shown('ESS') })
  const before = await shownIn(policyUuid)
  await change(policyUuid, 1, { endDate: addDays(start, 11) })
  expect((await shownIn(policyUuid)).demandsAndNeeds).not.toBe(sentence)
  await post('change/undo', { policyUuid, version: 2 })
  expect(await shownIn(policyUuid)).toEqual(before)
})

it('a policy that is cancelled and reinstated keeps the sentence of its last change', async () => {
  const policyUuid = await sell()
  expect(await shownIn(policyUuid)).toBe(null)
  await change(policyUuid, 1, { endDate: addDays(start, 11) })
  const changed = await shownIn(policyUuid)
  expect(changed).toMatchObject({ files: [], byChange: true })
  await post('cancel', { policyUuid, version: 2, expectedRefund: 50.84, reason: 'other' })
  expect(await shownIn(policyUuid)).toEqual(changed)
  await post('reinstate', { policyUuid, version: 3, expectedCharge: 50.84 })
  expect(await shownIn(policyUuid)).toEqual(changed)
})
