import { afterAll, beforeAll, expect, it } from 'vitest'
import { addDays, displayDate, today } from '#common/kit/dates.ts'
import { readPdf } from '#server/documents/movements/testing.ts'
import { type CardApp, cardApp } from '#server/policies/testing-cards.ts'
import { ana, leo, reach, sellAs, type Seller, sellerOf } from '#server/policies/testing.ts'
import { demoScope } from '#server/session/testing.ts'
import { withPreviews } from './preview.ts'

let app: CardApp
let seller: Seller
beforeAll(async () => {
  app = await cardApp()
  seller = await sellerOf(app)
})
afterAll(() => app.stop())

const start = addDays(today(new Date(), 'Europe/Madrid'), 11)
const post = async (path: string, body: object) => (await app.ask(`/api/policy/${path}`, { body, headers: seller.headers })).body.data
/** Reads the attached file as the mail does. No other file is asked for here. */
const read = (id: string) =>
  withPreviews(app.world, app.documents, () => Promise.reject(new Error('no such file')))(demoScope('azahar'), id)

/** Offers four more days, Eva for Leo, and another street, in French. */
async function offer(): Promise<{ policyUuid: string; changeUuid: string }> {
  const { policyUuid } = (await sellAs(seller)).body.data.policyData
  const { policy } = await post('change/terms', { policyUuid })
  const [{ personUuid }] = policy.people
  const eva = { name: 'Eva', middleName: 'Gil', lastName: 'Mora', birthDate: '1988-02-02', docNumber: 'Y1234567X' }
  const { identificationTypeId: _, ...same } = ana
  const users = [{ personUuid, ...same, ...reach, address: 'Calle Nueva 9' }, eva]
  const change = { endDate: addDays(start, 11), users }
  const { difference } = await post('change/preview', { policyUuid, version: 1, change })
  const settle = { offer: { email: 'ana@example.es', locale: 'fr-FR' } }
  const { changeUuid } = await post('change', { policyUuid, version: 1, change, expectedDifference: difference.total, settle })
  return { policyUuid, changeUuid }
}

it('the preview of an offer shows changes and costs in the client’s language', async () => {
  const { changeUuid } = await offer()
  const { text, language, isTagged } = await readPdf(await read(changeUuid))
  expect([language?.slice(0, 2), isTagged]).toEqual(['fr', true])
  for (const part of ['Aperçu de la modification', 'À payer', '17,08', '33,76', '50,84', displayDate(addDays(start, 11)) ?? ''])
    expect(text).toContain(part)
  expect(text).toContain(
    `une couverture pour 2 voyageurs (destination : Italie) du ${displayDate(start)} au ${displayDate(addDays(start, 11))}`,
  )
  for (const part of [leo.name, 'Eva Gil Mora', 'Y1234567X', 'Calle Nueva 9', 'ne vaut pas attestation']) expect(text).toContain(part)
})

it('an offer that is over has no preview', async () => {
  const { changeUuid } = await offer()
  await post('change/take-back', { changeUuid })
  await expect(read(changeUuid)).rejects.toThrow('no such file')
})
