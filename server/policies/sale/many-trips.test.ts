import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDays, addMonths, today } from '#common/kit/dates.ts'
import { readPdf } from '#server/documents/movements/testing.ts'
import { type TestApp, testApp } from '#server/kit/testing.ts'
import { type Seller, sellAs, sellerOf } from '../testing.ts'

let app: TestApp
let seller: Seller
beforeAll(async () => {
  app = await testApp()
  seller = await sellerOf(app)
})
afterAll(() => app.stop())

const start = addDays(today(new Date(), 'Europe/Madrid'), 11)
const annual = () => ({
  productUUID: seller.products.find(({ code }) => code === 'ANN').uuid,
  startDate: start,
  endDate: addDays(addMonths(start, 12), -1),
  countriesDestinationId: '276',
})

async function sell(changes: Record<string, unknown>) {
  const { policyData, files } = (await sellAs(seller, changes)).body.data
  await app.world.outbox.drain()
  const mails: { subject: string; text: string }[] = (await app.ask('/dev/mail.json')).body
  const reply = await app.context.http.inject({ url: files[0].file, headers: seller.headers })
  return {
    ...policyData,
    certificate: (await readPdf(reply.rawPayload)).text,
    mail: mails.find(({ subject }) => subject.includes(policyData.policyNumber))?.text,
  }
}

test('certificate and email of a policy of many trips name its zone and their length', async () => {
  const { certificate, mail } = await sell(annual())
  expect(certificate).toContain('Europa y Mediterráneo')
  expect(certificate).toContain('Cualquier número de viajes, de hasta 60 días cada uno')
  expect(certificate).not.toContain('Alemania')
  expect(mail).toContain('cubre los viajes del')
  expect(mail).toContain('Cubre cualquier número de viajes de hasta 60 días cada uno en esta zona: Europa y Mediterráneo.')
})

test('a policy of one trip names its destination and no zone', async () => {
  const { certificate, mail } = await sell({})
  expect(certificate).toContain('Italia')
  expect(certificate).not.toContain('Europa y Mediterráneo')
  expect(mail).toContain('cubre el viaje del')
  expect(mail).not.toContain('zona')
})

test('a change of a policy of many trips states the need for many trips', async () => {
  const { policyUuid } = await sell(annual())
  const ask = async (path: string, body: object) =>
    (await app.ask(`/api/policy/${path}`, { body: { policyUuid, ...body }, headers: seller.headers })).body.data
  const change = { countriesDestinationId: '76' }
  const { difference } = await ask('change/preview', { version: 1, change })
  await ask('change', { version: 1, change, expectedDifference: difference.total })
  const { shown } = await ask('detail', {})
  expect(shown.demandsAndNeeds).toContain('para cualquier número de viajes de hasta 60 días cada uno en esta zona: Mundo.')
})
