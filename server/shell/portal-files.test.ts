import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '#server/kit/testing.ts'

const rules = { '/old': { redirect: '/policies' }, '/shop': { redirect: 'https://shop.example/from-portal' } }

let app: TestApp
beforeAll(async () => {
  app = await testApp({ ROUTE_RULES: JSON.stringify(rules) })
})
afterAll(() => app.stop())

test('the latest build and its route rules are revalidated on each request', { tags: 'S7.22' }, async () => {
  const latest = await app.ask('/builds/latest.json')
  expect([latest.status, latest.headers['cache-control']]).toEqual([200, 'no-cache'])
  expect(latest.body).toEqual({ id: expect.any(String), timestamp: expect.any(Number) })
  const meta = await app.ask(`/builds/meta/${latest.body.id}.json`)
  expect([meta.status, meta.headers['cache-control']]).toEqual([200, 'no-cache'])
  expect(meta.body).toEqual({ id: latest.body.id, routeRules: rules })
})

test('another build than the latest has no metadata', async () => {
  expect((await app.ask('/builds/meta/older.json')).status).toBe(404)
})
