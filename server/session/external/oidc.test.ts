import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type OidcHost, openOidcHost } from '#fakes/oidc-host.ts'
import { type TestApp, testApp } from '#server/kit/testing.ts'
import { cookiesOf } from '../testing.ts'

const portal = 'http://portal.example'
let host: OidcHost
let app: TestApp
beforeAll(async () => {
  host = await openOidcHost(`${portal}/api/auth/oidc/return`)
  app = await testApp({
    OIDC_ISSUER: host.issuer,
    OIDC_CLIENT_ID: host.clientId,
    OIDC_CLIENT_SECRET: host.clientSecret,
    PUBLIC_URL: portal,
  })
})
afterAll(async () => {
  await app.stop()
  await host.close()
})
beforeEach(() => host.signsIn({ email: 'Agent@azahar.example', email_verified: true }))

async function begin(redirect = '/policies') {
  const reply = await app.ask(`/api/auth/start?redirect=${encodeURIComponent(redirect)}`)
  return { address: new URL(String(reply.headers['location'])), flow: cookiesOf(reply)['flow'] ?? '' }
}

/** Follows the issuer's redirects like a browser. Returns the address at the portal to which they lead. */
async function visit(address: URL): Promise<URL> {
  const jar = new Map<string, string>()
  let here = address
  for (let step = 0; step < 10 && here.origin !== portal; step++) {
    const reply = await fetch(here, {
      redirect: 'manual',
      headers: { cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; ') },
    })
    for (const line of reply.headers.getSetCookie()) {
      const [pair = ''] = line.split(';')
      jar.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1))
    }
    const next = reply.headers.get('location')
    if (!next) throw new Error(`the issuer answered ${reply.status}: ${(await reply.text()).slice(0, 200)}`)
    here = new URL(next, here)
  }
  return here
}

/** Returns to the portal. Gives the next address and the cookie that is set. */
async function comeBack(address: URL, flow: string) {
  const reply = await app.ask(address.pathname + address.search, flow ? { headers: { cookie: `flow=${flow}` } } : {})
  return { target: String(reply.headers['location']), flow: cookiesOf(reply)['flow'] ?? '' }
}

const refused = { target: '/auth/sign-in', flow: '' }

test('signing in at the issuer opens a session', async () => {
  const { address, flow } = await begin()
  expect(address.searchParams.get('code_challenge_method')).toBe('S256')
  const { target, flow: fresh } = await comeBack(await visit(address), flow)
  const query = new URL(target, portal).searchParams
  expect(query.get('redirect')).toBe('/policies')
  const opened = await app.ask('/api/auth/session', { body: { token: query.get('token') }, headers: { cookie: `flow=${fresh}` } })
  expect(opened.body.data.email).toBe('agent@azahar.example')
})

// attack case B32
test('an authorization code works once', async () => {
  const { address, flow } = await begin()
  const returned = await visit(address)
  expect((await comeBack(returned, flow)).target).toMatch(/^\/auth\/callback/)
  expect(await comeBack(returned, flow)).toEqual(refused)
})

test.each(['state', 'iss', 'code'])('a return with a wrong or missing %s is refused', async name => {
  for (const change of [(search: URLSearchParams) => search.set(name, 'x'), (search: URLSearchParams) => search.delete(name)]) {
    const { address, flow } = await begin()
    const returned = await visit(address)
    change(returned.searchParams)
    expect(await comeBack(returned, flow)).toEqual(refused)
  }
})

test('a return in another browser is refused by state, nonce and PKCE', async () => {
  const [mine, other] = [await begin(), await begin()]
  const returned = await visit(mine.address)
  expect(await comeBack(returned, other.flow)).toEqual(refused)
  expect(await comeBack(returned, '')).toEqual(refused)
})

test.each(['nonce', 'code_challenge'])('a %s changed on the way to the issuer is refused', async name => {
  const { address, flow } = await begin()
  address.searchParams.set(name, 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM')
  expect(await comeBack(await visit(address), flow)).toEqual(refused)
})

test('the issuer refuses a foreign return address', async () => {
  const { address } = await begin()
  address.searchParams.set('redirect_uri', 'http://evil.example/')
  await expect(visit(address)).rejects.toThrow('400')
})

test('an unknown or unverified email is refused and audited', async () => {
  const counted = async () => {
    const refusals = await app.world.database.kysely
      .selectFrom('audit_repeats')
      .select('times')
      .where('action', '=', 'session.oidc')
      .execute()
    return refusals.reduce((sum, { times }) => sum + times, 0)
  }
  const before = await counted()
  for (const account of [
    { email: 'unknown@azahar.example', email_verified: true },
    { email: 'agent@azahar.example', email_verified: false },
  ]) {
    host.signsIn(account)
    const { address, flow } = await begin()
    expect(await comeBack(await visit(address), flow)).toEqual(refused)
  }
  expect(await counted()).toBe(before + 2)
})

test('a sign-in without an answer from the issuer returns to the sign-in page', async () => {
  const alone = await testApp({ OIDC_ISSUER: 'http://127.0.0.1:1', OIDC_CLIENT_ID: 'x', OIDC_CLIENT_SECRET: 'x', PUBLIC_URL: portal })
  const reply = await alone.ask('/api/auth/start')
  expect([reply.status, reply.headers['location'], reply.headers['set-cookie']]).toEqual([302, '/auth/sign-in', undefined])
  const rows = await alone.world.database.kysely.selectFrom('audit').select('outcome').where('action', '=', 'session.oidc').execute()
  expect(rows).toEqual([{ outcome: 'refused' }])
  await alone.stop()
})

test('with passwords, signing in starts at the portal’s own page', async () => {
  const builtIn = await testApp()
  const target = async (query: string) => (await builtIn.ask(`/api/auth/start${query}`)).headers['location']
  expect([await target(''), await target('?redirect=/policies'), await target('?redirect=//evil.example')]).toEqual([
    '/auth/sign-in',
    '/auth/sign-in?redirect=%2Fpolicies',
    '/auth/sign-in',
  ])
  await builtIn.stop()
})
