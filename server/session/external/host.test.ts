import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openSignInHost, type SignInHost } from '#fakes/sign-in-host.ts'
import { type TestApp, testApp } from '#server/kit/testing.ts'
import { cookiesOf } from '../testing.ts'

const portal = 'http://portal.example'
let host: SignInHost
let app: TestApp
beforeAll(async () => {
  host = await openSignInHost()
  app = await testApp({ AUTH_HOST_URL: `${host.origin}/login`, AUTH_HOST_JWKS: host.jwks, PUBLIC_URL: portal })
})
afterAll(async () => {
  await app.stop()
  await host.close()
})

/** Begins as a browser does: where it is sent, and the cookie that ties the answer to it. */
async function begin(redirect = '/policies') {
  const reply = await app.ask(`/api/auth/start?redirect=${encodeURIComponent(redirect)}`)
  const address = new URL(String(reply.headers['location']))
  return { reply, address, flow: cookiesOf(reply)['flow'] ?? '', nonce: address.searchParams.get('nonce') ?? '' }
}
const seconds = (ahead: number) => Math.floor(Date.now() / 1000) + ahead
const claims = (nonce: string, more: Record<string, unknown> = {}) => ({
  iss: host.origin,
  aud: portal,
  email: 'Agent@azahar.example',
  nonce,
  jti: crypto.randomUUID(),
  iat: seconds(0),
  exp: seconds(60),
  ...more,
})
const exchange = async (token: string, flow: string) =>
  (await app.ask('/api/auth/session', { body: { token }, headers: { cookie: `flow=${flow}` } })).status

test('the browser is sent to the host, which is told where to return to', { tags: 'S8.4' }, async () => {
  const { reply, address } = await begin()
  expect(reply.status).toBe(302)
  expect(address.origin + address.pathname).toBe(`${host.origin}/login`)
  expect(address.searchParams.get('redirect_uri')).toBe(`${portal}/auth/callback?redirect=%2Fpolicies`)
  expect((await begin('https://evil.example')).address.searchParams.get('redirect_uri')).toBe(
    `${portal}/auth/callback?redirect=%2Fproducts`,
  )
})

test('a token that the host signed opens a session, once', async () => {
  const { flow, nonce } = await begin()
  const token = await host.sign(claims(nonce))
  expect(await Promise.all([exchange(token, flow), exchange(token, flow)]).then(statuses => statuses.toSorted((a, b) => a - b))).toEqual([
    200, 401,
  ])
})

describe('what is not believed', () => {
  const wrong: [string, (nonce: string) => Promise<string> | string][] = [
    ['another key', nonce => host.sign(claims(nonce), { foreign: true })],
    ['another issuer', nonce => host.sign(claims(nonce, { iss: 'http://evil.example' }))],
    ['for somebody else', nonce => host.sign(claims(nonce, { aud: 'http://other.example' }))],
    ['expired', nonce => host.sign(claims(nonce, { exp: seconds(-1) }))],
    ['signed long ago', nonce => host.sign(claims(nonce, { iat: seconds(-301) }))],
    ['another browser’s nonce', () => host.sign(claims('x'))],
    ['without a nonce', () => host.sign(claims(''))],
    ['without an id', nonce => host.sign({ ...claims(nonce), jti: undefined } as never)],
    ['an address that nobody here has', nonce => host.sign(claims(nonce, { email: 'nobody@azahar.example' }))],
    ['an address that the host does not vouch for', nonce => host.sign(claims(nonce, { email_verified: false }))],
    ['no signature', nonce => `${encode({ alg: 'none' })}.${encode(claims(nonce))}.`],
    ['the public key as a secret', nonce => forgedWithPublicKey(nonce)],
    ['no token at all', () => 'x'.repeat(43)],
  ]
  test.each(wrong)('%s', async (_name, make) => {
    const { flow, nonce } = await begin()
    expect(await exchange(await make(nonce), flow)).toBe(401)
    expect(await exchange(await host.sign(claims(nonce)), flow)).toBe(200)
  })

  test('a good token in another browser', async () => {
    const [mine, other] = [await begin(), await begin()]
    expect(await exchange(await host.sign(claims(mine.nonce)), other.flow)).toBe(401)
  })
})

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

async function forgedWithPublicKey(nonce: string): Promise<string> {
  const { SignJWT } = await import('jose')
  return new SignJWT(claims(nonce)).setProtectedHeader({ alg: 'HS256', kid: 'own' }).sign(new TextEncoder().encode(host.publicKey))
}

test('there is no second door beside the host', async () => {
  expect((await app.ask('/api/auth/password/forgot', { body: { email: 'agent@azahar.example' } })).status).toBe(404)
  expect((await app.ask('/api/auth/password/reset', { body: { token: 'x', password: 'long enough to be one' } })).status).toBe(404)
  expect((await app.ask('/api/auth/login', { body: { email: 'agent@azahar.example', password: 'portolan-demo' } })).status).toBe(404)
})
