import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { existing } from '#common/kit/testing.ts'
import { countryName } from '#common/geography/countries.ts'
import { locales } from '#common/kit/locales.ts'
import { quote as quoteShape, type TripSent } from '#common/quotes/schemas.ts'
import { priceTrip } from '#common/quotes/rating/price.ts'
import { tripIn } from '#common/quotes/trip-codecs.ts'
import { type Code, insuranceTypeOf, tripOf } from '#common/quotes/rating/testing.ts'
import { stableId } from '#server/kit/store/stable-id.ts'
import type { Database } from '#server/kit/database.ts'
import { type TestApp, testApp } from '#server/kit/testing.ts'
import { demoScope, signIn } from '#server/session/testing.ts'
import { openQuoteStore, openQuoteWriter } from './quote-store.ts'
import { unitCatalogue } from './catalogue.ts'
import { priceForUnit } from './price-for-unit.ts'
import { purgeQuotes, type QuoteRow } from './queries.ts'

let app: TestApp
let headers: Record<string, string>
let now = new Date('2026-11-20T09:00:00Z')

beforeAll(async () => {
  app = await testApp({}, { clock: { now: () => now } })
  headers = (await signIn(app, 'agent@azahar.example')).headers
})
afterAll(() => app.stop())

const [ES, IT, TH, JP, AD, DE, FR, GR] = [724, 380, 764, 392, 20, 276, 250, 300]
const azahar = demoScope('azahar')
const uuidOf = (code: Code | 'EU1') => stableId('product', code)

/** Returns a trip as the calls send it. */
function sent(destination: number, days: number, ages: (number | null)[], more: Partial<TripSent> & { inDays?: number } = {}) {
  const { inDays = 11, ...rest } = more
  const { startDate = '', endDate = '', birthDates = [] } = tripOf(destination, days, ages, { inDays })
  const trip = { startDate, endDate, countryOriginId: ES, countriesDestinationId: String(destination), paxNumber: ages.length }
  return { ...trip, birthDates: [...birthDates], ...rest }
}
/** Names a product as a call does. */
const named = (code: Code) => ({ productUUID: uuidOf(code), insuranceType: insuranceTypeOf(code) })

const ask = (code: Code, trip: object) =>
  app.ask('/api/quotes', {
    body: { ...named(code), ...trip },
    headers: { 'accept-language': 'en', ...headers },
  })

/** [product, trip, premium, total, commission] */
const examples: [Code, ReturnType<typeof sent>, number, number, number][] = [
  ['ESS', sent(IT, 8, [34, 36]), 31.2, 33.76, 8.74],
  ['ESS', sent(TH, 15, [42, 40, 10, 1]), 120.96, 130.83, 33.87],
  ['TOT', sent(JP, 15, [45, 43], { inDays: 120, insurancedAmount: 6400, reservationDate: '2026-11-20' }), 519.16, 561.48, 155.75],
  ['CAN', sent(IT, 8, [30, 31], { inDays: 40, insurancedAmount: 2800, reservationDate: '2026-11-20' }), 88.06, 95.23, 22.02],
  ['SNO', sent(AD, 4, [25, 26, 27]), 43.05, 46.56, 11.19],
  ['STU', sent(DE, 150, [21]), 124.55, 134.72, 27.4],
  [
    'GRP',
    sent(
      FR,
      5,
      Array.from({ length: 45 }, () => 16),
    ),
    123.12,
    133.16,
    24.62,
  ],
  ['ANN', sent(TH, 365, [42, 40, 10, 8]), 332, 359.42, 79.68],
]

describe('POST /api/quotes', () => {
  test.each(examples)('%s has the price of docs/rating.md: %j', async (code, trip, premium, total, commission) => {
    const { status, body } = await ask(code, trip)
    expect(status).toBe(200)
    expect(body.data).toMatchObject({ productUUID: uuidOf(code), currency: 'EUR', premium, total, provisional: false })
    expect(body.data.commission.amount).toBe(commission)
    expect(body.data.validUntil).toBe('2026-11-21T09:00:00.000Z')
  })

  test('ages price a trip without birth dates, for one product and for all', async () => {
    const trip = { ...sent(IT, 8, [70, 40]), birthDates: undefined }
    const { body: byDate } = await ask('ESS', sent(IT, 8, [70, 40]))
    const { body: byAge } = await ask('ESS', { ...trip, ages: [70, 40] })
    expect(byAge.data).toMatchObject({
      total: byDate.data.total,
      provisional: false,
      perTraveller: [{ birthDate: null }, { birthDate: null }],
    })
    expect((await ask('ESS', trip)).body.data.total).toBeLessThan(byAge.data.total)
    const { body: compared } = await app.ask('/api/quotes/compare', { headers, body: { ...trip, ages: [70, 40] } })
    expect(compared.data.find(({ productUUID }: { productUUID: string }) => productUUID === uuidOf('ESS')).total).toBe(byDate.data.total)
  })

  test('the response has every field of the contract', { tags: ['S4.9', 'S7.7'] }, async () => {
    const { body } = await ask('ESS', { ...sent(IT, 8, [34, 36]), birthDates: undefined })
    expect(body.data).toEqual({
      quoteUUID: expect.stringMatching(/^[0-9a-f-]{36}$/),
      productUUID: uuidOf('ESS'),
      startDate: '2026-12-01',
      endDate: '2026-12-08',
      currency: 'EUR',
      total: 33.76,
      premium: 31.2,
      travelPremium: 31.2,
      cancellationPremium: 0,
      taxes: [
        { code: 'IPS', label: 'Impuesto sobre Primas de Seguros', rate: 8, sharePercent: 100, amount: 2.5 },
        { code: 'CCS-LEA', label: expect.any(String), rate: 0.15, sharePercent: 100, amount: 0.05 },
        { code: 'CCS-RE', label: expect.any(String), rate: 0.0003, sharePercent: null, amount: 0.01 },
      ],
      commission: { rate: 28, amount: 8.74 },
      travelDays: 8,
      zone: 'Z2',
      perTraveller: [
        { birthDate: null, premium: 15.6 },
        { birthDate: null, premium: 15.6 },
      ],
      provisional: true,
      validUntil: '2026-11-21T09:00:00.000Z',
    })
  })

  test('a trip to several countries is priced with its cancellation cover', { tags: 'S7.7' }, async () => {
    const cover = { inDays: 120, insurancedAmount: 6400, reservationDate: '2026-11-20' }
    const { body } = await ask('TOT', { ...sent(JP, 15, [45, 43], cover), countriesDestinationId: `${IT},${JP}` })
    expect(body).toMatchObject({ code: 200, data: { productUUID: uuidOf('TOT'), total: 561.48, cancellationPremium: expect.any(Number) } })
    expect(body.data.cancellationPremium).toBeGreaterThan(0)
  })

  test('a short trip has the selling unit’s taxes and commission, wherever it begins', async () => {
    const rotta = await signIn(app, 'agent@rotta.example')
    for (const countryOriginId of [IT, ES]) {
      const body = { ...named('ESS'), ...sent(GR, 8, [34, 36], { countryOriginId }) }
      const { data } = (await app.ask('/api/quotes', { body, headers: rotta.headers })).body
      expect(data).toMatchObject({ premium: 31.2, total: 34.14, commission: { rate: 25, amount: 7.8 } })
    }
  })

  test.each<[Code, object, string, string, string]>([
    [
      'ESS',
      sent(JP, 94, [40], { countryOriginId: IT }),
      'quote.too_long',
      'endDate',
      'Italy to Japan: at most 90 days; this trip is 94 days.',
    ],
    ['STU', sent(DE, 20, [20]), 'quote.too_short', 'endDate', 'Spain to Germany: at least 28 days; this trip is 20 days.'],
    [
      'ESS',
      sent(
        IT,
        8,
        Array.from({ length: 10 }, () => 30),
      ),
      'quote.pax',
      'paxNumber',
      'This product insures 1 to 9 travellers; this trip has 10.',
    ],
    [
      'ESS',
      { ...sent(IT, 8, [30]), paxNumber: 0, birthDates: undefined },
      'quote.pax',
      'paxNumber',
      'This product insures 1 to 9 travellers; this trip has 0.',
    ],
    ['ESS', sent(408, 8, [40]), 'coverage.destination', 'countriesDestinationId', 'Not covered by this product: North Korea.'],
    ['HOM', sent(IT, 8, [40]), 'coverage.destination', 'countriesDestinationId', 'Only for trips to Spain.'],
    [
      'HOM',
      sent(ES, 8, [40], { countryOriginId: IT }),
      'coverage.origin',
      'countryOriginId',
      'This product is only for trips from Spain, not from Italy.',
    ],
    ['SNO', sent(AD, 4, [25], { inDays: 200 }), 'quote.season', 'startDate', 'Every day of the trip must fall between 01/11 and 31/05.'],
    ['ANN', sent(TH, 30, [25]), 'quote.term', 'endDate', 'This product runs for 12 months: choose 30/11/2027 as the end date.'],
    [
      'STU',
      sent(DE, 60, [50]),
      'quote.age',
      'birthDates[0]',
      'Traveller 1: ages 14 to 45 can be insured on the start date; this age would be 50.',
    ],
    [
      'CAN',
      sent(IT, 8, [30], { insurancedAmount: 8001, reservationDate: '2026-11-20' }),
      'quote.cost',
      'insurancedAmount',
      'At most 8,000 EUR per traveller; this trip costs 8,001 EUR each.',
    ],
    [
      'TOT',
      sent(IT, 8, [30], { inDays: 5, insurancedAmount: 900, reservationDate: '2026-11-01' }),
      'quote.cancellation_window',
      'reservationDate',
      'Booked over 7 days ago: buy cancellation cover at least 10 days before departure; this trip starts in 5 days.',
    ],
  ])('%s refuses a trip beyond its limits: %j', { tags: 'S7.7' }, async (code, trip, error, path, message) => {
    const { status, body } = await ask(code, trip)
    expect([status, body.code, body.error, body.errorMessage]).toEqual([422, 422, error, message])
    expect(body.fields).toEqual([{ path, rule: error, message: expect.any(String) }])
  })

  test.each<[object, string]>([
    [{ startDate: '2026-11-19' }, 'startDate'],
    [{ startDate: '2026-02-30' }, 'startDate'],
    [{ startDate: '2026-12-01T00:00Z' }, 'startDate'],
    [{ endDate: '01/12/2026' }, 'endDate'],
    [{ endDate: '2026-11-30' }, 'endDate'],
    [{ endDate: undefined }, 'endDate'],
    [{ paxNumber: '1' }, 'paxNumber'],
    [{ paxNumber: 1.5 }, 'paxNumber'],
    [{ paxNumber: 2 ** 53 }, 'paxNumber'],
    [{ paxNumber: [1] }, 'paxNumber'],
    [{ paxNumber: null }, 'paxNumber'],
    [{ paxNumber: 1_000_000_000 }, 'paxNumber'],
    [{ countriesDestinationId: '' }, 'countriesDestinationId'],
    [{ countriesDestinationId: '380,' }, 'countriesDestinationId'],
    [{ countriesDestinationId: Array.from({ length: 300 }, () => '380').join(',') }, 'countriesDestinationId'],
    [{ countriesDestinationId: [380] }, 'countriesDestinationId'],
    [{ countriesDestinationId: '999' }, 'countriesDestinationId'],
    [{ countryOriginId: 999 }, 'countryOriginId'],
    [{ insurancedAmount: '1e3' }, 'insurancedAmount'],
    [{ birthDates: ['1990-01-01', '1991-01-01'] }, 'birthDates'],
    [{ birthDates: ['x'] }, 'birthDates[0]'],
    [{ ages: [40, 36] }, 'ages'],
    [{ ages: [-1] }, 'ages[0]'],
    [{ ages: ['40'] }, 'ages[0]'],
    [{ ages: [40.5] }, 'ages[0]'],
    [{ total: 1 }, 'total'],
    [{ commission: 99 }, 'commission'],
    [{ productUUID: 'x' }, 'productUUID'],
    [{ insuranceType: 4 }, 'insuranceType'],
    [{ insuranceType: null }, 'insuranceType'],
    [{ insuranceType: undefined }, 'insuranceType'],
    [{ insuranceType: '' }, 'insuranceType'],
    [{ insuranceType: '0x1' }, 'insuranceType'],
    [{ insuranceType: '1.0' }, 'insuranceType'],
  ])('%j is refused at %s', { tags: 'S7.7' }, async (change, path) => {
    const { status, body } = await ask('ESS', { ...sent(IT, 8, [40]), ...change })
    expect(status).toBe(422)
    expect(body.fields.map((field: { path: string }) => field.path)).toContain(path)
  })

  test.each(locales)('a refused field’s message in %s has its parameters', { tags: 'S5.7' }, async locale => {
    const body = { ...named('ESS'), ...sent(IT, 8, [40]), startDate: '2026-11-19' }
    const { fields } = (await app.ask('/api/quotes', { body, headers: { ...headers, 'accept-language': locale } })).body
    const message = app.world.words(locale)('validation.dateBetween', { from: '20/11/2026', to: '20/11/2027' })
    expect(message).toMatch(/20\/11\/2026.*20\/11\/2027/)
    expect(fields[0]).toEqual({ path: 'startDate', rule: 'startDateRange', message })
  })

  test('a product with cancellation needs the trip’s price and booking date', { tags: 'S3.5' }, async () => {
    const { body } = await ask('TOT', sent(IT, 8, [40]))
    expect([body.error, body.fields.map((field: { path: string }) => field.path)]).toEqual([
      'validation.failed',
      ['insurancedAmount', 'reservationDate'],
    ])
    for (const insurancedAmount of [0, -1, 0.001, 1e308])
      expect((await ask('TOT', sent(IT, 8, [40], { insurancedAmount, reservationDate: '2026-11-20' }))).body.fields[0].path).toBe(
        'insurancedAmount',
      )
  })

  test('a refusal is written in the user’s language', async () => {
    const messages = await Promise.all(
      ['en', 'es', 'fr', 'it', 'pt'].map(async language => {
        const body = { ...named('ESS'), ...sent(JP, 94, [40]) }
        return (await app.ask('/api/quotes', { body, headers: { ...headers, 'accept-language': language } })).body.errorMessage
      }),
    )
    expect(messages).toEqual([
      'Spain to Japan: at most 90 days; this trip is 94 days.',
      'De España a Japón: como máximo 90 días; el viaje dura 94.',
      'Espagne → Japon\u00a0: 90 jours au maximum\u202f; le voyage dure 94 jours.',
      'Spagna → Giappone: al massimo 90 giorni; il viaggio dura 94 giorni.',
      'Espanha → Japão: no máximo 90 dias; a viagem dura 94.',
    ])
  })

  test('users who may not sell and other products are refused (attacks A11 and A13)', async () => {
    const viewer = await signIn(app, 'viewer@azahar.example')
    const trip = sent(IT, 8, [40])
    for (const [path, body] of [
      ['/api/quotes', { productUUID: uuidOf('ESS'), ...trip }],
      ['/api/quotes/compare', trip],
      ['/api/quotes/tariff', { productUuid: uuidOf('ESS') }],
      ['/api/products/check-destination-coverage', { productUuid: uuidOf('ESS'), countriesDestinationId: '380' }],
    ] as const)
      expect((await app.ask(path, { body, headers: viewer.headers })).status, path).toBe(403)
    expect((await app.ask('/api/quotes', { body: trip })).status).toBe(401)
    const unknown = await app.ask('/api/quotes', { body: { productUUID: uuidOf('EU1'), ...trip }, headers })
    expect([unknown.status, unknown.body.error]).toEqual([404, 'request.not_found'])
  })

  test('the first possible day follows the unit’s time zone', async () => {
    const body = { ...named('ESS'), ...sent(IT, 8, [40]), startDate: '2026-11-20' }
    expect((await ask('ESS', body)).status).toBe(200)
    const morning = now
    // This is half past midnight in Madrid.
    now = new Date('2026-11-20T23:30:00Z')
    const late = await signIn(app, 'agent@azahar.example')
    const reply = await app.ask('/api/quotes', { body, headers: late.headers })
    now = morning
    expect([reply.status, reply.body.fields[0].path]).toEqual([422, 'startDate'])
  })
})

describe('a stored quote', () => {
  /** Returns a quote with an id of its own, as a row that is not written yet. */
  async function newRow(): Promise<QuoteRow> {
    const { data } = (await ask('ESS', sent(IT, 8, [34, 36]))).body
    const { user } = await signIn(app, 'agent@azahar.example')
    const id = app.world.ids.next()
    return {
      business_unit_id: azahar.businessUnitId,
      id,
      user_id: user.uuid,
      product_id: data.productUUID,
      tariff_version: '1',
      created_at: now,
      valid_until: new Date(data.validUntil),
      question: sent(IT, 8, [34, 36]),
      answer: { ...data, quoteUUID: id },
    }
  }

  const find = (quoteUUID: string, by = headers) => app.ask(`/api/quotes/${quoteUUID}`, { headers: by })

  test('is found by its id within the unit for a day, then deleted', async () => {
    const { data } = (await ask('ESS', sent(IT, 8, [34, 36]))).body
    expect((await find(data.quoteUUID)).body.data).toEqual(data)
    const rotta = await signIn(app, 'agent@rotta.example')
    const foreign = await find(data.quoteUUID, rotta.headers)
    expect([foreign.status, foreign.body.error]).toEqual([404, 'request.not_found'])
    const stored = async () => (await app.world.database.kysely.selectFrom('quotes').select('id').execute()).map(({ id }) => id)
    await expect.poll(stored).toContain(data.quoteUUID)
    await purgeQuotes(app.world.database, new Date('2026-11-21T08:59:59Z'))
    expect(await stored()).toContain(data.quoteUUID)
    await purgeQuotes(app.world.database, new Date('2026-11-21T09:00:00Z'))
    expect(await stored()).not.toContain(data.quoteUUID)
    expect((await find(data.quoteUUID)).status).toBe(404)
  })

  test('is stored under load, and a failure to store reaches each caller', async () => {
    const replies = await Promise.all(Array.from({ length: 40 }, () => ask('ESS', sent(IT, 8, [34, 36]))))
    const ids = replies.map(({ body }) => body.data.quoteUUID)
    expect(new Set(ids).size).toBe(40)
    const stored = () => app.world.database.kysely.selectFrom('quotes').select('id').where('id', 'in', ids).execute()
    await expect.poll(stored).toHaveLength(40)
    const store = openQuoteWriter(app.world)
    const wrong = JSON.stringify({ business_unit_id: azahar.businessUnitId })
    const outcomes = await Promise.allSettled([store([wrong]), store([wrong]), store([])])
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled'])
  })

  test('is stored even if another quote of its batch fails', async () => {
    const { data } = (await ask('ESS', sent(IT, 8, [34, 36]))).body
    const { database } = app.world
    const row = () => database.kysely.selectFrom('quotes').selectAll().where('id', '=', data.quoteUUID).executeTakeFirst()
    await expect.poll(row).toBeDefined()
    const good = existing(await row())
    const storeCopy = (id: string, change: object = {}) => store([JSON.stringify({ ...good, id, ...change })])
    const store = openQuoteWriter(app.world)
    const ids = [stableId('kept', '1'), stableId('kept', '2'), stableId('kept', '3')] as const
    const outcomes = await Promise.allSettled([
      storeCopy(ids[0]),
      storeCopy(ids[1], { question: { ...good.question, startDate: '\ud800' } }),
      storeCopy(ids[2]),
    ])
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    const stored = await database.kysely.selectFrom('quotes').select('id').where('id', 'in', ids).execute()
    expect(stored.map(({ id }) => id).toSorted()).toEqual([ids[0], ids[2]].toSorted())
  })

  test('is found at once on any node, and is written when the service stops', async () => {
    const { database } = app.world
    let write = () => {}
    const written = new Promise<void>(resolve => (write = resolve))
    const onConnection: Database['onConnection'] = work => written.then(() => database.onConnection(work))
    const here = openQuoteStore({ ...app.world, database: { ...database, onConnection } })
    const there = openQuoteStore(app.world)
    const quote = await newRow()
    await here.keep([quote])
    const stored = () => database.kysely.selectFrom('quotes').select('id').where('id', '=', quote.id).executeTakeFirst()
    expect(await stored()).toBeUndefined()
    expect(await here.find(azahar, quote.id.toUpperCase())).toEqual(quote.answer)
    expect(await here.find(demoScope('rotta'), quote.id)).toBeUndefined()
    const found = there.find(azahar, quote.id)
    write()
    await here.stop()
    expect(await stored()).toBeDefined()
    expect(await found).toEqual(quote.answer)
  })

  test('waits until it is written after a failure, and earlier ones are written later', async () => {
    const { database } = app.world
    let isDown = true
    const onConnection: Database['onConnection'] = work => (isDown ? Promise.reject(new Error('down')) : database.onConnection(work))
    const store = openQuoteStore({ ...app.world, database: { ...database, onConnection } })
    const [first, second, third] = [await newRow(), await newRow(), await newRow()]
    await store.keep([first])
    await store.stop()
    await expect(store.keep([second])).rejects.toThrow('down')
    expect(await store.find(azahar, first.id)).toEqual(first.answer)
    isDown = false
    await store.keep([third])
    await store.stop()
    const ids = [first.id, second.id, third.id]
    const stored = await database.kysely.selectFrom('quotes').select('id').where('id', 'in', ids).execute()
    expect(stored.map(({ id }) => id).toSorted()).toEqual([first.id, third.id].toSorted())
  })
})

/** A product's quote or refusal. */
type Offer = { productUUID: string; quoteUUID?: string; total?: number; error?: string; errorMessage?: string; dates?: object }

describe('GET /api/quotes/least', () => {
  const least = async () => {
    // Signs in anew, as the clock may have been moved.
    const { headers } = await signIn(app, 'agent@azahar.example')
    const { body } = await app.ask('/api/quotes/least', { headers })
    return new Map<string, object>(body.data.map(({ productUUID, ...price }: { productUUID: string }) => [productUUID, price]))
  }

  test('each product has the least price of adults, but for those that insure the cost of the trip', async () => {
    const prices = await least()
    const of = (code: Code) => prices.get(uuidOf(code))
    expect(of('ESS')).toEqual({ currency: 'EUR', total: 4.56, travellers: 1 })
    expect(of('ANN')).toEqual({ currency: 'EUR', total: 96.34, travellers: 1 })
    expect(of('GRP')).toEqual({ currency: 'EUR', total: 16.23, travellers: 10 })
    expect([of('TOT'), of('CAN')]).toEqual([undefined, undefined])
  })

  test('no trip of the same travellers is cheaper', async () => {
    const prices = await least()
    const trips = [ES, IT, TH, AD].flatMap(place => [1, 2, 4, 9, 28].map(days => sent(place, days, [30])))
    for (const code of ['ESS', 'SNO', 'STU', 'HOM'] as const)
      for (const trip of trips) {
        const { status, body } = await ask(code, trip)
        if (status === 200) expect(body.data.total).toBeGreaterThanOrEqual(Reflect.get(existing(prices.get(uuidOf(code))), 'total'))
      }
  })

  test('a product out of season has the price of its next season', async () => {
    const before = now
    now = new Date('2027-07-10T09:00:00Z')
    expect((await least()).get(uuidOf('SNO'))).toEqual({ currency: 'EUR', total: 9.74, travellers: 1 })
    now = before
  })
})

describe('POST /api/quotes/compare', () => {
  const compare = async (trip: object): Promise<{ code: number; data: Offer[] }> =>
    (await app.ask('/api/quotes/compare', { body: trip, headers: { ...headers, 'accept-language': 'en' } })).body

  test('returns a quote or refusal for every product, the cheapest first', async () => {
    const { data } = await compare(sent(ES, 8, [34, 36], { insurancedAmount: 2800, reservationDate: '2026-11-20' }))
    const quoted = data.filter(each => each.quoteUUID)
    expect(quoted.map(each => each.productUUID)).toEqual((['HOM', 'ESS', 'SNO', 'CAN', 'TOT', 'ANN'] as const).map(uuidOf))
    const totals = quoted.map(each => existing(each.total))
    expect(totals).toEqual(totals.toSorted((a, b) => a - b))
    for (const each of quoted) expect(quoteShape.safeParse(each).success).toBe(true)
    expect(data.slice(quoted.length).map(each => [each.productUUID, each.error, each.errorMessage])).toEqual([
      [uuidOf('STU'), 'quote.too_short', 'Spain to Spain: at least 28 days; this trip is 8 days.'],
      [uuidOf('GRP'), 'quote.pax', 'This product insures 10 to 200 travellers; this trip has 2.'],
    ])
  })

  test('names the fields that a product still needs', async () => {
    const { data } = await compare(sent(IT, 8, [34, 36]))
    expect(data.find(each => each.productUUID === uuidOf('CAN'))).toMatchObject({
      error: 'validation.failed',
      errorMessage: 'Enter the trip cost, above 0.',
      fields: [{ path: 'insurancedAmount' }, { path: 'reservationDate' }],
    })
  })

  test('prices a product with a term for its own dates, if the trip lies in them', async () => {
    const annual = async (days: number, inDays: number) => {
      const { data } = await compare(sent(IT, days, [34], { inDays }))
      return existing(data.find(each => each.productUUID === uuidOf('ANN')))
    }
    const near = await annual(8, 11)
    expect(near).toMatchObject({ startDate: '2026-12-01', endDate: '2027-11-30', travelDays: 365 })
    expect(await annual(8, 100)).toMatchObject({ startDate: '2027-01-19', endDate: '2028-01-18' })
    expect(await annual(61, 11)).toMatchObject({
      error: 'quote.too_long',
      errorMessage: expect.stringContaining('60 days'),
      dates: { startDate: '2026-12-01', endDate: '2027-01-29' },
    })
    // The quote is found with its dates, and the product has the same price for them.
    const { body: found } = await app.ask(`/api/quotes/${near.quoteUUID}`, { method: 'GET', headers })
    expect(found.data).toEqual(near)
    const { body: asked } = await ask('ANN', sent(IT, 365, [34]))
    expect(asked.data).toMatchObject({ startDate: '2026-12-01', endDate: '2027-11-30', total: near.total })
  })

  test('names the dates with which a product prices the trip, if one change is enough', async () => {
    const datesFor = async (code: Code, trip: object) =>
      existing((await compare(trip)).data.find(each => each.productUUID === uuidOf(code))).dates
    expect(await datesFor('STU', sent(IT, 8, [20]))).toEqual({ startDate: '2026-12-01', endDate: '2026-12-28' })
    // Another number of travellers, age or destination would still be needed.
    expect(await datesFor('STU', sent(IT, 8, [20, 21]))).toBeUndefined()
    expect(await datesFor('STU', sent(IT, 8, [60]))).toBeUndefined()
    expect(await datesFor('HOM', sent(IT, 8, [20]))).toBeUndefined()
    // A shorter trip lies in the last term that can be sold today; a single day is no trip of two months.
    expect(await datesFor('ANN', sent(IT, 60, [34], { inDays: 380 }))).toEqual({ startDate: '2027-12-05', endDate: '2028-01-18' })
    // After another start the cancellation cover would still be too late.
    const late = { inDays: 0, insurancedAmount: 2000, reservationDate: '2026-10-01' }
    expect(await datesFor('TOT', sent(IT, 8, [20], late))).toBeUndefined()
    // A product that only lacks the cost of the trip is not refused.
    expect(await datesFor('TOT', sent(IT, 8, [20]))).toBeUndefined()
  })

  test('refuses a request that names a product', async () => {
    expect((await compare({ ...sent(IT, 8, [34]), productUUID: uuidOf('ESS') })).code).toBe(422)
  })
})

describe('POST /api/products/check-destination-coverage', () => {
  const check = (code: Code | 'EU1', countriesDestinationId: string) =>
    app.ask('/api/products/check-destination-coverage', {
      body: { productUuid: uuidOf(code), countriesDestinationId },
      headers: { ...headers, 'accept-language': 'en' },
    })

  test('accepts covered countries, and names those that are not', { tags: ['S4.12', 'S7.5', 'S8.1'] }, async () => {
    expect((await check('ESS', '380,764')).body).toMatchObject({ code: 200, data: { covered: true } })
    const { status, body } = await check('ESS', '380,408,364')
    expect([status, body.error, body.errorMessage]).toEqual([
      422,
      'coverage.destination',
      'Not covered by this product: North Korea, Iran.',
    ])
    expect(body.fields).toMatchObject([{ path: 'countriesDestinationId', rule: 'coverage.destination' }])
    expect((await check('HOM', '380')).body.error).toBe('coverage.destination')
    expect((await check('HOM', '724')).status).toBe(200)
    expect((await check('ESS', '999')).body.error).toBe('coverage.destination')
    expect((await check('ESS', 'x')).body.error).toBe('validation.failed')
    expect((await check('EU1', '380')).status).toBe(404)
  })
})

describe('the price of a trip', () => {
  test.each(examples)('is the same in the browser, the API and the sale: %s', async (code, trip) => {
    const { data: api } = (await ask(code, trip)).body
    const { data } = (await app.ask('/api/quotes/tariff', { body: { productUuid: uuidOf(code) }, headers })).body
    const { price } = priceTrip(data.basis, tripIn(trip), '2026-11-20', id => countryName(id, 'it-IT'))
    expect(price && [price.total / 100, price.premium / 100, price.provisional]).toEqual([api.total, api.premium, api.provisional])
    expect(price?.taxes.map(({ amount }) => amount / 100)).toEqual(api.taxes.map((line: { amount: number }) => line.amount))
    expect(data.commissionPercent).toBe(api.commission.rate)

    const question = { ...named(code), trip: tripIn(trip) }
    const sale = priceForUnit(await app.world.database.inScope(azahar, unitCatalogue), question, { now, locale: 'es-ES' })
    expect(sale.priced?.price).toEqual(price)
    expect(sale.priced).toMatchObject({ currency: 'EUR', commission: { amount: Math.round(api.commission.amount * 100) } })
  })

  test('uses the catalogue stored at the moment of the sale', async () => {
    const { database } = app.world
    const question = { ...named('HOM'), trip: tripIn(sent(ES, 3, [40])) }
    const price = async () => priceForUnit(await database.inScope(azahar, unitCatalogue), question, { now, locale: 'es-ES' })
    const change = (enabled: boolean) =>
      database.asService(tx =>
        tx
          .updateTable('unit_products')
          .set({ enabled })
          .where('business_unit_id', '=', azahar.businessUnitId)
          .where('product_id', '=', uuidOf('HOM'))
          .execute(),
      )
    expect((await price()).priced?.price.premium).toBe(390)
    await change(false)
    await expect(price()).rejects.toMatchObject({ code: 'request.not_found' })
    await change(true)
  })
})
