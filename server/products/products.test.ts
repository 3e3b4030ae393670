import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ResponseOf } from '#common/kit/call.ts'
import { existing } from '#common/kit/testing.ts'
import type { products as productsCall } from '#common/products/calls.ts'
import { stableId } from '#server/kit/store/stable-id.ts'
import { type TestApp, testApp, type TestReply } from '#server/kit/testing.ts'
import { signIn } from '#server/session/testing.ts'
import { openCatalogue } from './catalogue/check.ts'
import { loadCatalogue } from './catalogue/load.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app.stop())

const azahar = stableId('business-unit', 'azahar')
const rotta = stableId('business-unit', 'rotta')

async function productsIn(at: TestApp, email: string, body: unknown = {}, headers: Record<string, string> = {}) {
  const session = await signIn(at, email)
  return at.ask('/api/products', { body, headers: { ...session.headers, ...headers } })
}
const productsOf = (email: string, body?: unknown, headers?: Record<string, string>) => productsIn(app, email, body, headers)
const find = (reply: TestReply, code: string) => reply.body.data.find((product: { code: string }) => product.code === code)

describe('POST /api/products', () => {
  test('returns every field of spec 3, in the unit’s language', { tags: ['S3.3', 'S7.4', 'S9.12'] }, async () => {
    const reply = await productsOf('agent@azahar.example', { businessUnitUuid: azahar })
    expect(reply.status).toBe(200)
    expect(reply.body.data.map((product: { code: string }) => product.code)).toEqual([
      'ESS',
      'TOT',
      'CAN',
      'ANN',
      'SNO',
      'STU',
      'GRP',
      'HOM',
    ])
    expect(find(reply, 'TOT')).toMatchObject({
      id: 2,
      uuid: stableId('product', 'TOT'),
      name: 'Viaje Total con Cancelación',
      type: 'Viaje único',
      icon: 'shield',
      productBuCommission: 30,
      characteristics: ['Cancelación por 32 causas', expect.any(String), 'Telemedicina', 'Cobertura de cuarentena'],
      description: 'Multirriesgo de viaje único con el coste del viaje asegurado.',
      importantInfo: expect.arrayContaining(['Se excluyen los países y las personas sujetos a sanciones']),
      documents: expect.arrayContaining(['Condiciones generales']),
      coverages: expect.arrayContaining([
        {
          name: 'Pérdida de enlace',
          value: '750\u00a0€',
          itemUUID: stableId('coverage', 'TOT', 'Missed connection'),
          code: 'connection.missed',
        },
        { name: 'Repatriación sanitaria', value: 'sin límite', itemUUID: expect.any(String), code: 'repatriation.medical' },
      ]),
      detailsFeatured: [
        { name: 'Cancelación', value: 'hasta 10.000\u00a0€', itemUUID: expect.any(String) },
        { name: 'Gastos médicos, según destino', value: 'hasta 1.000.000\u00a0€', itemUUID: expect.any(String) },
        { name: 'Equipaje', value: '2.000\u00a0€', itemUUID: expect.any(String) },
      ],
      files: [
        {
          name: 'TOT-ipid-es.pdf',
          label: 'Documento de información sobre el producto de seguro (IPID)',
          file: expect.stringMatching(/^\/api\/files\/[0-9a-f-]{36}$/),
        },
        { name: 'TOT-conditions-es.pdf', label: 'Condiciones generales', file: expect.stringMatching(/^\/api\/files\/[0-9a-f-]{36}$/) },
      ],
      paymentGateways: [
        { name: 'Deferred', uuid: stableId('gateway', 'azahar', 'Deferred') },
        { name: 'StripeV2', uuid: stableId('gateway', 'azahar', 'StripeV2') },
      ],
      settings: {
        countries: [],
        defaultDestinationCountry: null,
        defaultOriginRegion: { id: 724, name: 'España' },
        lockDestinationCountry: false,
        lockOriginRegion: false,
        maxStartDate: 365,
        startDayOffset: 1,
        hasAmountCancellation: true,
        maxTravelCost: 10000,
        maxTravelLength: 90,
      },
    })
  })

  test.each([
    ['en-GB', 'Essential Trip', '€250,000', 'Spain'],
    ['fr', 'Voyage Essentiel', '250\u202f000\u00a0€', 'Espagne'],
    ['it', 'Viaggio Essenziale', '250.000\u00a0€', 'Spagna'],
    ['pt-PT', 'Viagem Essencial', '250\u00a0000\u00a0€', 'Espanha'],
  ])('is in the language of the request: %s', async (language, name, limit, country) => {
    const product = find(await productsOf('agent@azahar.example', {}, { 'accept-language': language }), 'ESS')
    expect([product.name, product.coverages[3].value, product.settings.defaultOriginRegion.name]).toEqual([name, limit, country])
  })

  test('has the same ids for products and covers in every language', async () => {
    const ids = (reply: TestReply) =>
      reply.body.data.map((each: ResponseOf<typeof productsCall>[number]) => [
        each.uuid,
        ...[...each.coverages, ...each.detailsFeatured].map(({ itemUUID }) => itemUUID),
      ])
    const spanish = await productsOf('agent@azahar.example')
    const english = await productsOf('agent@azahar.example', {}, { 'accept-language': 'en' })
    expect(ids(english)).toEqual(ids(spanish))
    const all = ids(spanish).flat()
    expect(new Set(all).size).toBe(all.length)
  })

  test('resolves the country "unit" to the caller’s unit', async () => {
    const home = find(await productsOf('agent@rotta.example'), 'HOM')
    expect(home.settings).toMatchObject({
      countries: [380],
      defaultDestinationCountry: { id: 380, name: 'Italia' },
      defaultOriginRegion: { id: 380, name: 'Italia' },
      lockDestinationCountry: true,
      lockOriginRegion: true,
    })
  })

  test('refuses another unit’s uuid like an unknown one (attack A08)', { tags: 'S7.4' }, async () => {
    const foreign = await productsOf('agent@azahar.example', { businessUnitUuid: rotta })
    const unknown = await productsOf('agent@azahar.example', { businessUnitUuid: stableId('business-unit', 'unknown') })
    expect([foreign.status, foreign.body.error, foreign.body.data]).toEqual([403, 'session.forbidden', undefined])
    expect([unknown.status, unknown.body.error, unknown.body.errorMessage]).toEqual([403, 'session.forbidden', foreign.body.errorMessage])
    expect(find(await productsOf('agent@rotta.example'), 'TOT').productBuCommission).toBe(27)
  })

  test('shows users of several units the unit of their request', async () => {
    const { headers } = await signIn(app, 'multi@portolan.example', 'Rotta Viaggi')
    expect(find(await app.ask('/api/products', { body: { businessUnitUuid: rotta }, headers }), 'ESS').productBuCommission).toBe(25)
    expect((await app.ask('/api/products', { body: { businessUnitUuid: azahar }, headers })).status).toBe(403)
  })

  test('shows no commission to users who may not sell', async () => {
    expect(find(await productsOf('viewer@azahar.example'), 'ESS').productBuCommission).toBeNull()
  })

  test('requires a session and refuses unknown fields', async () => {
    expect((await app.ask('/api/products', { body: {} })).status).toBe(401)
    expect((await productsOf('agent@azahar.example', { businessUnitUuid: 'x' })).status).toBe(422)
    expect((await productsOf('agent@azahar.example', { productBuCommission: 99 })).status).toBe(422)
  })
})

test('a product loaded before covers had codes is served without them', async () => {
  const app = await testApp()
  const before = await productsIn(app, 'agent@azahar.example')
  const catalogue = existing(openCatalogue(join(import.meta.dirname, '../../catalogue')).catalogue)
  for (const { code, coverages } of catalogue.products) {
    if (code === 'ESS') for (const coverage of coverages) delete coverage.code
  }
  await app.world.database.asService(tx => loadCatalogue(tx, catalogue, new Date('2026-11-30T00:00:00Z')))
  const after = await productsIn(app, 'agent@azahar.example')
  const { coverages } = find(before, 'ESS')
  expect(find(after, 'ESS').coverages).toEqual(coverages.map((coverage: object) => ({ ...coverage, code: null })))
  expect(find(after, 'TOT').coverages).toEqual(find(before, 'TOT').coverages)
  await app.stop()
})

test('a load is visible at the next request', async () => {
  const app = await testApp()
  const before = await productsIn(app, 'agent@azahar.example')
  const catalogue = existing(openCatalogue(join(import.meta.dirname, '../../catalogue')).catalogue)
  for (const product of catalogue.products) {
    if (product.code === 'ESS') Object.assign(product, { icon: 'plane', commissionPercent: { azahar: 11 } })
  }
  catalogue.texts.importantInfo.pop()
  const [unit] = catalogue.units
  Object.assign(unit ?? {}, { gateways: ['Deferred'] })
  await app.world.database.asService(tx => loadCatalogue(tx, catalogue, new Date('2026-12-01T00:00:00Z')))
  const after = await productsIn(app, 'agent@azahar.example')
  // A changed text gives another file.
  const newEdition = ({ files }: { files: { file: string }[] }) =>
    files.map(file => ({ ...file, file: expect.not.stringContaining(file.file) }))
  expect(find(after, 'ESS')).toEqual({
    ...find(before, 'ESS'),
    coverages: find(before, 'ESS').coverages.map((coverage: object) => ({ ...coverage, code: expect.any(String) })),
    icon: 'plane',
    productBuCommission: 11,
    importantInfo: find(before, 'ESS').importantInfo.slice(0, 2),
    files: newEdition(find(before, 'ESS')),
    paymentGateways: [expect.objectContaining({ name: 'Deferred' })],
  })
  expect(find(after, 'HOM')).toEqual({
    ...find(before, 'HOM'),
    importantInfo: find(before, 'HOM').importantInfo.slice(0, 2),
    files: newEdition(find(before, 'HOM')),
    paymentGateways: [expect.objectContaining({ name: 'Deferred' })],
  })
  expect(find(await productsIn(app, 'agent@rotta.example'), 'ESS')).toBeUndefined()
  await app.stop()
})

test('production without card network keys offers no card payment', async () => {
  const production = await testApp({
    NODE_ENV: 'production',
    PUBLIC_URL: 'https://portal.agency.test',
    SMTP_URL: 'smtp://127.0.0.1:1',
    MAIL_FROM: 'no-reply@agency.test',
    SECRETS_KEY: Buffer.alloc(32, 1).toString('base64'),
  })
  const { headers } = await signIn(production, 'agent@azahar.example')
  const { body } = await production.ask('/api/products', { body: {}, headers })
  expect(body.data[0].paymentGateways.map(({ name }: { name: string }) => name)).toEqual(['Deferred'])
  await production.stop()
})
