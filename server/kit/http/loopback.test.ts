import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '#server/kit/testing.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp({ TRUST_PROXY: 'true' })
})
afterAll(() => app.stop())

const from = async (remoteAddress: string, headers: Record<string, string> = {}) =>
  (await app.ask('/metrics', { remoteAddress, headers })).status

test('a request from this machine is served', async () => {
  for (const address of ['127.0.0.1', '::1', '::ffff:127.0.0.1']) expect(await from(address)).toBe(200)
  expect(await from('127.0.0.1', { host: 'localhost:3000' })).toBe(200)
})

test('a request from another machine gets 404', async () => {
  expect(await from('203.0.113.5')).toBe(404)
})

test.each([
  ['a proxy on this machine', '127.0.0.1', { 'x-forwarded-for': '203.0.113.5' }],
  ['another machine that claims to be this one', '203.0.113.5', { 'x-forwarded-for': '127.0.0.1' }],
  ['such a claim through a proxy on this machine', '127.0.0.1', { 'x-forwarded-for': '127.0.0.1' }],
  ['a page whose name resolves to this machine', '127.0.0.1', { host: 'evil.example:3000' }],
  ['a name that begins with localhost', '127.0.0.1', { host: 'localhost.evil.example' }],
])('%s does not count as this machine', async (_who, address, headers) => {
  expect(await from(address, headers)).toBe(404)
})
