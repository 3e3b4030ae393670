import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readFacts } from '#server/changes/documents/facts.ts'
import { existing } from '#common/kit/testing.ts'
import { certificate } from './certificate.ts'
import { demoScope } from '#server/session/testing.ts'
import { addDays, addYears, displayDate, today } from '#common/kit/dates.ts'
import { type Locale, locales } from '#common/kit/locales.ts'
import { readPdf } from '#server/documents/movements/testing.ts'
import { type TestApp, testApp } from '#server/kit/testing.ts'
import { ana, leo, other, reach, registerAs, type Seller, sellAs, sellerOf } from '#server/policies/testing.ts'

// The law and a reader want stated: the cover of this trip with its hours and limits, the insurer, and the exclusions.

let app: TestApp
let seller: Seller
const now = new Date('2026-12-01T09:30:15Z')
beforeAll(async () => {
  app = await testApp({ PUBLIC_URL: 'https://portal.example' }, { clock: { now: () => now } })
  seller = await sellerOf(app)
})
afterAll(() => app.stop())

const day = today(now, 'Europe/Madrid')
const start = addDays(day, 30)
const product = (code: string) => seller.products.find(each => each.code === code).uuid
const trip = { startDate: start, endDate: addDays(start, 12), countriesDestinationId: '764' }
const cancellable = (bookedDaysAgo: number) => ({
  ...trip,
  productUUID: product('TOT'),
  insurancedAmount: 3400,
  reservationDate: addDays(day, -bookedDaysAgo),
})

async function opened(file: string) {
  const reply = await app.context.http.inject({ url: file, headers: seller.headers })
  expect(reply.statusCode).toBe(200)
  return readPdf(reply.rawPayload)
}
async function certificateOf(changes: Record<string, unknown> = {}) {
  const { files } = (await sellAs(seller, changes)).body.data
  return opened(files[0].file)
}
async function quoteOf(changes: Record<string, unknown> = {}) {
  const { policyUuid } = (await registerAs(seller, { saveBudget: true, ...changes })).body.data
  const { files } = (await app.ask('/api/policy/detail', { body: { policyUuid }, headers: seller.headers })).body.data
  return opened(files[0].file)
}
const from = (date: string, hour: string) => `${displayDate(date)}, ${hour} CET`

describe('a certificate', () => {
  test('covers the trip from the first hour of its first day to the last of its last', async () => {
    const { pages } = await certificateOf()
    const tripStart = addDays(today(new Date(), 'Europe/Madrid'), 11)
    const ends = `${displayDate(tripStart)}, 00:00 CES?T – ${displayDate(addDays(tripStart, 7))}, 24:00 CES?T`
    expect(pages[0]?.replaceAll(/\s+/g, ' ')).toMatch(new RegExp(`El viaje ${ends}`))
    expect(pages[0]).not.toContain('Cancelación del viaje')
  })

  test('covers the cancellation from the minute of the sale, or from the end of the wait', async () => {
    const soon = (await certificateOf(cancellable(1))).text
    expect(soon).toContain(`Cancelación del viaje ${from(day, '10:30:15')} – salida`)
    const late = (await certificateOf(cancellable(20))).text
    expect(late).toContain(`Cancelación del viaje ${from(addDays(day, 3), '10:30:15')} – salida`)
  })

  test('for a term names its zone, and the cancellation of each trip', async () => {
    const annual = {
      productUUID: product('ANN'),
      startDate: start,
      endDate: addDays(addYears(start, 1), -1),
      countriesDestinationId: '620',
    }
    const { text } = await certificateOf(annual)
    expect(text).toContain('Zona de cobertura Europa y Mediterráneo')
    expect(text).not.toContain('Portugal')
    expect(text).toContain('Cada viaje dentro de este plazo')
    expect(text).toContain('Cancelación del viaje reserva de cada viaje dentro de este plazo – salida')
  })

  test('states first the limits of this trip, and the trip cost of each traveller', async () => {
    const [first = ''] = (await certificateOf(cancellable(1))).pages.map(page => page.replaceAll(/\s+/g, ' '))
    expect(first).toContain('Gastos médicos, resto del mundo 500.000 €')
    expect(first).not.toContain('Gastos médicos, Europa')
    expect(first).toContain('Cancelación, 32 causas 3.400,00 €')
    expect(first).toContain('3.400,00 € (1.700,00 € por viajero)')
    const [near = ''] = (await certificateOf({ ...cancellable(1), countriesDestinationId: '380' })).pages
    expect(near).toContain('Gastos médicos, Europa')
    expect(near).not.toContain('resto del mundo')
  })

  test('states what is not insured, the premium with its taxes, and who the insurer is', async () => {
    const { pages } = await certificateOf(cancellable(1))
    const second = pages.slice(1).join(' ').replaceAll(/\s+/g, ' ')
    for (const stated of [
      'Gastos médicos, Europa 100.000 €',
      '¿Qué no está asegurado?',
      'Los hechos causados intencionadamente o bajo los efectos del alcohol o las drogas.',
      'Prima, cobertura de cancelación',
      'Consorcio',
      'Domicilio social Calle del Meridiano 1, 28001 Madrid',
      'Estado miembro España',
      'Autorización C0000',
      'Reclamaciones Primero a support@meridia.example Después, al supervisor Dirección General de Seguros',
    ])
      expect(second).toContain(stated)
  })

  test('has no line for what the insurer’s file does not state', async () => {
    const { policyData } = (await sellAs(seller)).body.data
    const facts = existing(await app.world.database.inScope(demoScope('azahar'), tx => readFacts(app.world)(tx, policyData.policyUuid)))
    const { country: _, seat: __, register: ___, supervisor: ____, authorisation: _____, ...insurer } = facts.product.described.insurer
    const product = { ...facts.product, described: { ...facts.product.described, insurer } }
    const words = app.world.words('es-ES')
    const stated = JSON.stringify(certificate({ ...facts, product }, words, 'https://portal.example/verify'))
    for (const label of ['seat', 'state', 'register', 'authorisation'] as const)
      expect([label, stated.includes(words(`documents.insurer.${label}`))]).toEqual([label, false])
    expect(stated).not.toContain(words('documents.complaints.then'))
  })

  test('has nine people, the emergency number and the contract on its first page, and no page for the check code alone', async () => {
    const users = [{ ...ana, ...reach }, leo, ...Array.from({ length: 7 }, (_, index) => other(index))]
    for (const locale of locales)
      for (const paxNumber of [3, 4, 9]) {
        const { pages } = await certificateOf({ ...cancellable(20), users: users.slice(0, paxNumber), paxNumber, locale })
        expect(pages[0]).toContain('+34 900 000 000')
        const withCode = pages.findIndex(page => /[0-9A-Z]{5}-[0-9A-Z]{5}/.test(page))
        expect([locale, paxNumber, withCode, pages.length]).toEqual([locale, paxNumber, paxNumber > 3 ? 1 : 0, paxNumber > 3 ? 3 : 2])
        expect(pages.at(-1)).toContain('Registro Mercantil')
      }
  })

  test('for a few people has two pages, with the check code on the first', async () => {
    for (const code of ['TOT', 'ESS', 'STU']) {
      const one = code === 'STU' ? { users: [{ ...ana, ...reach }], paxNumber: 1, endDate: addDays(start, 40) } : {}
      const { pages } = await certificateOf({ ...cancellable(20), productUUID: product(code), ...one })
      expect([code, pages.length, /[0-9A-Z]{5}-[0-9A-Z]{5}/.test(pages[0] ?? '')]).toEqual([code, 2, true])
    }
  })
})

test('a quote states what is not insured, its periods, and that nothing is sold', async () => {
  const { text } = await quoteOf(cancellable(1))
  expect(text).toContain('Cancelación del viaje contratación – salida')
  expect(text).toContain('¿Qué no está asegurado?')
  expect(text).toContain('Propuesto por Viajes Azahar')
  expect(text).not.toContain('Vendido por')
  expect((await quoteOf(cancellable(20))).text).toContain('Cancelación del viaje 72 horas después de la contratación – salida')
})

test('a supplement names the policyholder and how the difference was paid', async () => {
  const { policyData } = (await sellAs(seller)).body.data
  const longer = { endDate: addDays(today(new Date(), 'Europe/Madrid'), 22) }
  const body = { policyUuid: policyData.policyUuid, version: 1, change: longer, expectedDifference: 17.08 }
  const changed = await app.ask('/api/policy/change', { body, headers: seller.headers })
  const { text } = await opened(changed.body.data.files[0].file)
  expect(text).toContain('Tomador del seguro Nombre Ana García López')
  expect(text).toContain('Forma de pago Pago a la agencia')
})

describe('an information document', () => {
  const linkOf = async (code: string, locale: Locale): Promise<string> => {
    const reply = await app.ask('/api/products', { body: {}, headers: { ...seller.headers, 'accept-language': locale } })
    return reply.body.data.find((each: { code: string }) => each.code === code).files[0].file
  }

  test.each(locales)('in %s has two sides at most, in the order of the Annex', async locale => {
    for (const { code } of seller.products) {
      const { pages, text } = await opened(await linkOf(code, locale))
      expect([code, pages.length <= 2]).toEqual([code, true])
      expect([code, locale, text.includes('C0000')]).toEqual([code, locale, true])
    }
  })

  test('is the insurer’s: its name heads it, its Member State and authorisation follow the title', async () => {
    const { text } = await opened(await linkOf('TOT', 'es-ES'))
    expect(text).not.toContain('Viajes Azahar')
    expect(text).toContain('Estado miembro: España · Registro Mercantil de Madrid, hoja M-000000 · Autorización C0000.')
  })
})
