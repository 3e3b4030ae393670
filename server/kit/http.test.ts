import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { networkOf } from './http.ts'
import { type TestApp, testApp } from './testing.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app.stop())

describe('the envelope', () => {
  test('an unknown address is a refusal with a request id, in the language asked for', async () => {
    const reply = await app.ask('/api/nowhere', { headers: { 'accept-language': 'fr-CH, fr;q=0.9, en;q=0.8' } })
    expect(reply.status).toBe(404)
    expect(reply.body).toEqual({
      code: 404,
      error: 'request.not_found',
      errorMessage: 'Introuvable.',
      requestId: reply.headers['x-request-id'],
    })
  })
})

test('one home counts as one network', () => {
  expect(networkOf('203.0.113.9')).toBe('203.0.113.9')
  expect(networkOf('::ffff:203.0.113.9')).toBe('203.0.113.9')
  const spellings = ['2001:db8:0:1::1', '2001:0DB8:0000:0001:ffff:ffff:ffff:ffff', '2001:db8::1:0:0:0:9']
  expect(new Set(spellings.map(networkOf))).toEqual(new Set(['2001:db8:0:1']))
})
