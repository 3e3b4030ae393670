import { setImmediate } from 'node:timers/promises'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type TestApp, testApp } from '#server/kit/testing.ts'
import { signIn } from '#server/session/testing.ts'

let app: TestApp
let headers: Record<string, string>
beforeAll(async () => {
  app = await testApp()
  headers = (await signIn(app, 'agent@azahar.example')).headers
})
afterAll(() => app.stop())

const fetchPayload = (more: Record<string, string>, query = '') =>
  app.context.http.inject({ url: `/products/_payload.json${query}`, headers: { ...headers, ...more } })

test('the payload of a page has its user, unit, settings and products', { tags: 'S7.22' }, async () => {
  const get = async (path: string, body?: object) => (await app.ask(path, { headers, ...(body ? { body } : {}) })).body.data
  const settings = await get('/api/business-unit/settings')
  const payload = (await fetchPayload({})).json()
  expect(payload).toEqual({
    code: 200,
    data: {
      user: await get('/api/users/me'),
      now: expect.any(Number),
      unitUuid: settings.uuid,
      settings,
      products: await get('/api/products', {}),
      first: await asked(payload.data.first, headers),
    },
  })
})

type First = { [name: string]: { path: string; request: object; data: unknown } }

/** Returns what a page shows first, or the status of its refusal. */
async function firstOf(page: string, headers: Record<string, string>): Promise<First | number> {
  const { status, body } = await app.ask(`${page}/_payload.json`, { headers })
  return status === 200 ? body.data.first : status
}

/** Sends a page's first calls as the page would. */
async function asked(first: First, headers: Record<string, string>): Promise<First> {
  const gets = /\/(?:day|sales|agency|changes|users|sessions|two-factor|overview|units|least)$/
  const replies = Object.entries(first).map(async ([name, { path, request }]) => {
    const reply = gets.test(path) ? app.ask(path, { headers }) : app.ask(path, { headers, body: request })
    return [name, { path, request, data: (await reply).body.data }] as const
  })
  return Object.fromEntries(await Promise.all(replies))
}

const seller = {
  '/products': ['day', 'quotes', 'least'],
  '/funnel': ['tariff'],
  '/funnel/steps/step1': ['tariff'],
  '/funnel/steps/step2': ['tariff'],
  '/funnel/steps/step3': ['tariff'],
  '/policies': ['policies', 'views', 'day', 'sales'],
  '/policies/saved': ['policies', 'views'],
  '/account': ['agency', 'changes'],
  '/claim': ['tickets', 'views'],
  '/customer-service': ['tickets', 'views'],
  '/earnings': 403,
  '/administration': 403,
}
const none = {
  '/products': ['day', 'least'],
  '/claim': ['tickets', 'views'],
  '/customer-service': ['tickets', 'views'],
  '/account': ['sessions', 'twoFactor'],
}

test.each([
  ['agent@azahar.example', seller],
  [
    'viewer@azahar.example',
    { ...none, '/funnel': [], '/policies': ['policies', 'views', 'day'], '/policies/saved': 403, '/administration': 403 },
  ],
  ['admin@portolan.example', { ...seller, '/earnings': ['earnings', 'entries'], '/administration': ['overview', 'units'] }],
])('the payload of each page has for %s what they see first, and nothing else', { tags: 'S7.22' }, async (email, expected) => {
  const user = await signIn(app, email)
  for (const [page, names] of Object.entries(expected)) {
    const first = await firstOf(page, user.headers)
    expect(typeof first === 'number' ? first : Object.keys(first), page).toEqual(names)
    if (typeof first !== 'number') expect(first, page).toEqual(await asked(first, user.headers))
  }
})

test('the funnel’s payload has the tariff of the named product, and else of the first', async () => {
  const { products } = (await fetchPayload({})).json().data
  const tariffOf = async (query: string) =>
    (await app.ask(`/funnel/_payload.json${query}`, { headers })).body.data.first.tariff.request.productUuid
  expect(await tariffOf(`?product=${products[1].uuid}`)).toBe(products[1].uuid)
  expect([await tariffOf(''), await tariffOf('?product=x')]).toEqual([products[0].uuid, products[0].uuid])
})

test('a page comes without a reply that fails, and its page asks for that', async () => {
  const { database, log } = app.world
  const warn = vi.spyOn(log, 'warn')
  const rename = (from: string, to: string) => sql.raw(`alter table ${from} rename to ${to}`).execute(database.kysely)
  await rename('mails', 'mails_away')
  const { code, data } = (await fetchPayload({})).json()
  await rename('mails_away', 'mails')
  expect([code, Object.keys(data.first)]).toEqual([200, ['quotes', 'least']])
  expect(warn).toHaveBeenCalledWith(expect.objectContaining({ call: '/api/policy/day' }), expect.any(String))
})

test('a page is refused while there is no database, and no error is left without a listener', async () => {
  const failing = () => Promise.reject(new Error('timeout exceeded when trying to connect'))
  const spies = (['inScope', 'statementInScope'] as const).map(name => vi.spyOn(app.world.database, name).mockImplementation(failing))
  const left: unknown[] = []
  const note = (error: unknown) => void left.push(error)
  process.on('unhandledRejection', note)
  expect((await fetchPayload({})).statusCode).toBe(503)
  // Node reports such an error once all that was due is done.
  await setImmediate()
  process.off('unhandledRejection', note)
  for (const spy of spies) spy.mockRestore()
  expect(left).toEqual([])
})

test('the payload is compressed when the client accepts it', async () => {
  const plain = await fetchPayload({})
  expect(plain.headers['content-encoding']).toBeUndefined()
  const unpacked = { br: brotliDecompressSync, gzip: gunzipSync }
  for (const coding of ['br', 'gzip'] as const) {
    const reply = await fetchPayload({ 'accept-encoding': coding })
    expect([reply.headers['content-encoding'], reply.headers['vary'], reply.headers['cache-control']]).toEqual([
      coding,
      'accept-encoding',
      'no-store',
    ])
    // Each has the moment at which it was made.
    const { data, ...rest } = JSON.parse(unpacked[coding](reply.rawPayload).toString())
    const { now, ...same } = plain.json().data
    expect({ ...rest, data }).toEqual({ ...rest, data: { ...same, now: data.now } })
    expect(data.now).toBeGreaterThanOrEqual(now)
    expect(reply.rawPayload.length).toBeLessThan(plain.rawPayload.length / 2)
  }
})

test('the payload is in the language that its address names', async () => {
  const names = async (query: string) => {
    const { data } = (await fetchPayload({ 'accept-language': 'es-ES' }, query)).json()
    return data.products.map(({ name }: { name: string }) => name)
  }
  expect(await names('?locale=fr-FR')).not.toEqual(await names(''))
  expect(await names('?locale=es-ES')).toEqual(await names(''))
  expect((await fetchPayload({}, '?locale=xx')).statusCode).toBe(422)
})
