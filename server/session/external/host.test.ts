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

/** Begins as a browser does. Returns the redirect and the cookie that ties the answer to this browser. */
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

test('signing in redirects to the host with the address to return to', { tags: 'S8.4' }, async () => {
  const { reply, address } = await begin()
  expect(reply.status).toBe(302)
  expect(address.origin + address.pathname).toBe(`${host.origin}/login`)
  expect(address.searchParams.get('redirect_uri')).toBe(`${portal}/auth/callback?redirect=%2Fpolicies`)
  expect((await begin('https://evil.example')).address.searchParams.get('redirect_uri')).toBe(
    `${portal}/auth/callback?redirect=%2Fproducts`,
  )
})

test('a token signed by the host opens one session', async () => {
  const { flow, nonce } = await begin()
  const token = await host.sign(claims(nonce))
  expect(await Promise.all([exchange(token, flow), exchange(token, flow)]).then(statuses => statuses.toSorted((a, b) => a - b))).toEqual([
    200, 401,
  ])
})

describe('a host token is refused with', () => {
  const wrong: [string, (nonce: string) => Promise<string> | string][] = [
    ['another signing key', nonce => host.sign(claims(nonce), { foreign: true })],
    ['another issuer', nonce => host.sign(claims(nonce, { iss: 'http://evil.example' }))],
    ['another audience', nonce => host.sign(claims(nonce, { aud: 'http://other.example' }))],
    ['an expiry in the past', nonce => host.sign(claims(nonce, { exp: seconds(-1) }))],
    ['an old issue date', nonce => host.sign(claims(nonce, { iat: seconds(-301) }))],
    ['an unknown nonce', () => host.sign(claims('x'))],
    ['an empty nonce', () => host.sign(claims(''))],
    // Safe: the fake host signs whatever claims it gets.
    ['no id', nonce => host.sign({ ...claims(nonce), jti: undefined } as never)],
    ['an unknown email', nonce => host.sign(claims(nonce, { email: 'unknown@azahar.example' }))],
    ['an unverified email', nonce => host.sign(claims(nonce, { email_verified: false }))],
    ['no signature', nonce => `${encode({ alg: 'none' })}.${encode(claims(nonce))}.`],
    ['the public key as an HMAC secret', nonce => forgedWithPublicKey(nonce)],
    ['random text in its index', () => 'x'.repeat(43)],
  ]
  test.each(wrong)('%s', async (_name, make) => {
    const { flow, nonce } = await begin()
    expect(await exchange(await make(nonce), flow)).toBe(401)
    expect(await exchange(await host.sign(claims(nonce)), flow)).toBe(200)
  })

  test('another browser’s flow cookie', async () => {
    const [mine, other] = [await begin(), await begin()]
    expect(await exchange(await host.sign(claims(mine.nonce)), other.flow)).toBe(401)
  })
})

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

async function forgedWithPublicKey(nonce: string): Promise<string> {
  const { SignJWT } = await import('jose')
  return new SignJWT(claims(nonce)).setProtectedHeader({ alg: 'HS256', kid: 'own' }).sign(new TextEncoder().encode(host.publicKey))
}

test('with a sign-in host, password endpoints return 404', async () => {
  expect((await app.ask('/api/auth/password/forgot', { body: { email: 'agent@azahar.example' } })).status).toBe(404)
  expect((await app.ask('/api/auth/password/reset', { body: { token: 'x', password: 'long enough to be one' } })).status).toBe(404)
  expect((await app.ask('/api/auth/login', { body: { email: 'agent@azahar.example', password: 'portolan-demo' } })).status).toBe(404)
})
