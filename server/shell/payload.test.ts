import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { insidePaths } from '#common/shell/routes.ts'
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
  expect((await fetchPayload({})).json()).toEqual({
    code: 200,
    data: {
      user: await get('/api/users/me'),
      unitUuid: settings.uuid,
      settings,
      products: await get('/api/products', {}),
    },
  })
  for (const page of insidePaths) expect((await app.ask(`${page}/_payload.json`, { headers })).status, page).toBe(200)
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
    expect(JSON.parse(unpacked[coding](reply.rawPayload).toString())).toEqual(plain.json())
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
