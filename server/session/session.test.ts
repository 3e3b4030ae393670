import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { insidePaths } from '#common/shell/routes.ts'
import { type TestApp, testApp } from '#server/kit/testing.ts'
import { begin, cookiesOf, signIn } from './testing.ts'

let app: TestApp
let now = new Date('2026-11-20T10:00:00Z')
const lines: string[] = []

beforeAll(async () => {
  app = await testApp({ LOG_LEVEL: 'info' }, { clock: { now: () => now }, logTo: { write: line => void lines.push(line) } })
})
afterAll(() => app.stop())

const exchange = (token: string, flow: string) =>
  app.ask('/api/auth/session', { body: { token }, headers: flow ? { cookie: `flow=${flow}` } : {} })

describe('signing in', () => {
  test('a demo agent signs in, sees their unit, and signs out', { tags: ['S3.13', 'S4.18', 'S7.18'] }, async () => {
    const { accessToken, headers, user } = await signIn(app, 'agent@azahar.example')
    const stored = await app.world.database.kysely
      .selectFrom('users')
      .select('id')
      .where('email', '=', 'agent@azahar.example')
      .executeTakeFirstOrThrow()
    expect(user).toMatchObject({ uuid: stored.id, name: 'Lucía Ferrer', email: 'agent@azahar.example', roles: ['seller'] })
    expect(user.permissions).toContain('b2b-products-sell')
    expect(user.businessUnits).toEqual([expect.objectContaining({ name: 'Viajes Azahar', locale: 'es-ES' })])
    const me = await app.ask('/api/users/me', { headers: { authorization: `Bearer ${accessToken}` } })
    expect(me.body.data).toEqual(user)
    expect((await app.ask('/api/auth/session', { method: 'DELETE', headers })).status).toBe(200)
    expect((await app.ask('/api/users/me', { headers })).status).toBe(401)
  })

  test('the callback carries a one-time token, the email and the page to open', { tags: 'S2.9' }, async () => {
    const { query, callback } = await begin(app, 'Agent@Azahar.example', undefined, '/policies?page=2')
    expect(callback).toMatch(/^\/auth\/callback\?token=/)
    expect(query.get('email')).toBe('agent@azahar.example')
    expect(query.get('loggedIn')).toBe('true')
    expect(query.get('redirect')).toBe('/policies?page=2')
    expect((await begin(app, 'agent@azahar.example', undefined, 'https://evil.example/')).query.get('redirect')).toBeNull()
  })

  test('one of two concurrent uses of a token opens a session (attack B17)', async () => {
    const { token, flow } = await begin(app, 'agent@azahar.example')
    const replies = await Promise.all([exchange(token, flow), exchange(token, flow)])
    expect(replies.map(reply => String(reply.status)).toSorted()).toEqual(['200', '401'])
  })

  test('a token is refused in another browser and stays valid in its own (attack B19)', async () => {
    const { token, flow } = await begin(app, 'agent@azahar.example')
    const other = await begin(app, 'agent@rotta.example')
    expect((await exchange(token, '')).status).toBe(401)
    expect((await exchange(token, other.flow)).status).toBe(401)
    expect((await exchange(token, flow)).status).toBe(200)
  })

  test('a sign-in token is valid for sixty seconds', async () => {
    const { token, flow } = await begin(app, 'agent@azahar.example')
    now = new Date(now.getTime() + 60_000)
    expect((await exchange(token, flow)).status).toBe(401)
  })

  test('the session cookie is JSON that scripts cannot read (attack B26)', {
    tags: ['S4.17', 'S9.9'],
  }, async () => {
    const { token, flow } = await begin(app, 'agent@azahar.example')
    const reply = await exchange(token, flow)
    const cookie = [reply.headers['set-cookie']].flat().find(text => text?.startsWith('session='))
    expect(cookie).toMatch(/; Max-Age=31536000; Path=\/; HttpOnly; SameSite=Lax$/)
    expect(JSON.parse(decodeURIComponent(cookiesOf(reply)['session'] ?? ''))).toEqual({
      loggedIn: true,
      email: 'agent@azahar.example',
      accessToken: reply.body.data.accessToken,
    })
  })

  test('every sign-in gives a new access token (attack B25)', async () => {
    const [first, second] = [await signIn(app, 'agent@azahar.example'), await signIn(app, 'agent@azahar.example')]
    expect(first.accessToken).not.toBe(second.accessToken)
  })

  test('only hashes of access tokens are stored', async () => {
    const { accessToken } = await signIn(app, 'agent@azahar.example')
    const stored = await app.world.database.kysely.selectFrom('sessions').selectAll().execute()
    expect(JSON.stringify(stored)).not.toContain(accessToken)
  })
})

test('the browser key is constant per user and unit and needs a live session', async () => {
  const keysOf = ({ user }: Awaited<ReturnType<typeof signIn>>): string[] =>
    user.businessUnits.map(({ browserKey }: { browserKey: string }) => browserKey)
  const several = await signIn(app, 'multi@portolan.example')
  const keys = [
    ...keysOf(several),
    ...keysOf(await signIn(app, 'agent@azahar.example')),
    ...keysOf(await signIn(app, 'agent@rotta.example')),
  ]
  expect(new Set(keys).size).toBe(4)
  for (const key of keys) expect(Buffer.from(key, 'base64')).toHaveLength(32)
  await app.ask('/api/auth/session', { method: 'DELETE', headers: several.headers })
  expect((await app.ask('/api/users/me', { headers: several.headers })).text).not.toContain('browserKey')
  expect(keysOf(await signIn(app, 'multi@portolan.example'))).toEqual(keysOf(several))
})

describe('a request', () => {
  test('needs exactly one form of the bearer token (attack B34)', { tags: 'S6.4' }, async () => {
    const { accessToken } = await signIn(app, 'agent@azahar.example')
    const statusOf = async (authorization: string) => (await app.ask('/api/users/me', { headers: { authorization } })).status
    expect(await statusOf(`Bearer ${accessToken}`)).toBe(200)
    for (const wrong of [
      `bearer ${accessToken}`,
      `Bearer  ${accessToken}`,
      `Bearer ${accessToken} `.repeat(2),
      accessToken,
      `Basic ${accessToken}`,
      'Bearer ',
    ])
      expect(await statusOf(wrong), wrong).toBe(401)
    expect((await app.ask(`/api/users/me?access_token=${accessToken}`)).status).toBe(401)
  })

  test('reaches only the user’s own units, by unit token (attacks A05 and A07)', { tags: ['S6.4', 'S7.1'] }, async () => {
    const [mine, other] = [await signIn(app, 'agent@azahar.example'), await signIn(app, 'agent@rotta.example')]
    const statusOf = async (token: string) =>
      (await app.ask('/api/business-unit/settings', { headers: { ...mine.headers, 'x-bunit-token': token } })).status
    const own = mine.headers['x-bunit-token'] ?? ''
    expect(await statusOf(own)).toBe(200)
    expect(await statusOf(other.headers['x-bunit-token'] ?? '')).toBe(403)
    expect(await statusOf((own[0] === 'A' ? 'B' : 'A') + own.slice(1))).toBe(403)
    expect(await statusOf('')).toBe(403)
    expect(await statusOf(`${Buffer.from('{"alg":"none"}').toString('base64url')}.e30.`)).toBe(403)
  })

  test('needs the unit token of its own session, beside the bearer', { tags: 'S6.4' }, async () => {
    const [mine, other] = [await signIn(app, 'agent@azahar.example'), await signIn(app, 'agent@azahar.example')]
    const { 'x-bunit-token': unitToken, ...bearer } = mine.headers
    const statusOf = async (headers: Record<string, string>) => (await app.ask('/api/business-unit/settings', { headers })).status
    expect(await statusOf({ ...bearer, 'x-bunit-token': unitToken ?? '' })).toBe(200)
    expect(await statusOf({ ...bearer, 'x-bunit-token': other.headers['x-bunit-token'] ?? '' })).toBe(403)
    expect(await statusOf(bearer)).toBe(403)
    expect(await statusOf({ ...bearer, cookie: mine.cookie })).toBe(403)
    expect((await app.ask('/products/_payload.json', { headers: bearer })).status).toBe(403)
  })

  test('needs the unit token beside the cookie, except for requests that a browser sends by itself', { tags: 'S6.4' }, async () => {
    const { cookie } = await signIn(app, 'admin@portolan.example')
    const units = app.context.served.filter(({ needs, method }) => method === 'GET' && !/^(?:nothing|session|administration)$/.test(needs))
    const statuses = await Promise.all(
      units.map(async ({ path }) => [path, (await app.ask(path.replaceAll(/\{\w+\}/g, 'x'), { headers: { cookie } })).status] as const),
    )
    const allowed = statuses.filter(([, status]) => status !== 403).map(([path]) => path)
    expect(statuses.length - allowed.length).toBeGreaterThan(5)
    expect(allowed).toEqual(['/api/files/{uuid}', ...insidePaths.map(path => `${path}/_payload.json`)])
    expect((await app.ask('/api/products', { body: {}, headers: { cookie } })).status).toBe(403)
  })

  test('reaches the unit whose token a user of two units sends', { tags: ['S3.13', 'S7.1'] }, async () => {
    const [azahar, rotta] = [await signIn(app, 'multi@portolan.example'), await signIn(app, 'multi@portolan.example', 'Rotta Viaggi')]
    expect(azahar.user.businessUnits.map((unit: { name: string }) => unit.name)).toEqual(['Viajes Azahar', 'Rotta Viaggi'])
    const nameFor = async (headers: Record<string, string>) =>
      (await app.ask('/api/business-unit/settings', { headers })).body.data.brandName
    expect(await nameFor(azahar.headers)).toBe('Viajes Azahar')
    expect(await nameFor(rotta.headers)).toBe('Rotta Viaggi')
  })

  test('is accepted by cookie only from the portal’s own origin', { tags: 'S6.4' }, async () => {
    const { cookie, headers } = await signIn(app, 'agent@azahar.example')
    const unit = { 'x-bunit-token': headers['x-bunit-token'] ?? '' }
    const post = async (more: Record<string, string>) =>
      (await app.ask('/api/products', { body: {}, headers: { cookie, ...unit, ...more } })).status
    expect(await post({ origin: 'http://localhost:80', host: 'localhost:80' })).toBe(200)
    expect(await post({ origin: 'https://evil.example' })).toBe(403)
    expect(await post({ origin: 'null' })).toBe(403)
    expect(await post({ 'sec-fetch-site': 'cross-site' })).toBe(403)
    const get = async (more: Record<string, string>) =>
      (await app.ask('/api/business-unit/settings', { headers: { cookie, ...unit, ...more } })).status
    expect([await get({}), await get({ origin: 'https://evil.example' })]).toEqual([200, 403])
    // A link on another site: the browser names no origin.
    expect(await get({ 'sec-fetch-site': 'cross-site' })).toBe(200)
  })

  test('is refused after twelve idle hours or thirty days (attack B28)', async () => {
    const start = now
    const hours = (count: number) => new Date(start.getTime() + count * 3_600_000)
    const { headers } = await signIn(app, 'agent@azahar.example')
    const statusAt = async (count: number) => {
      now = hours(count)
      return (await app.ask('/api/users/me', { headers })).status
    }
    expect(await statusAt(12)).toBe(200)
    expect(await statusAt(24.1)).toBe(401)
    now = start
    const busy = await signIn(app, 'agent@azahar.example')
    for (let count = 0; count <= 720; count += 10) {
      now = hours(count)
      expect((await app.ask('/api/users/me', { headers: busy.headers })).status).toBe(200)
    }
    now = hours(720.1)
    expect((await app.ask('/api/users/me', { headers: busy.headers })).status).toBe(401)
    now = start
  })

  test('is refused once the strictest of the user’s agencies ends the session', async () => {
    const { kysely } = app.world.database
    const unit = await kysely.selectFrom('business_units').select(['id', 'settings']).where('key', '=', 'azahar').executeTakeFirstOrThrow()
    const setIdle = (hours: object) =>
      kysely
        .updateTable('business_units')
        .set({ settings: JSON.stringify({ ...unit.settings, ...hours }) })
        .where('id', '=', unit.id)
        .execute()
    await setIdle({ sessionIdleHours: 1 })
    const start = now
    const statusAfter = async (email: string, minutes: number) => {
      now = start
      const { headers } = await signIn(app, email)
      now = new Date(start.getTime() + minutes * 60_000)
      return (await app.ask('/api/users/me', { headers })).status
    }
    for (const email of ['agent@azahar.example', 'multi@portolan.example'])
      expect([await statusAfter(email, 59), await statusAfter(email, 61)], email).toEqual([200, 401])
    expect(await statusAfter('agent@rotta.example', 61)).toBe(200)
    await setIdle({})
    now = start
  })

  test('has its own caller, even among concurrent requests', async () => {
    const [agent, other, gone] = await Promise.all(
      ['agent@azahar.example', 'agent@rotta.example', 'viewer@azahar.example'].map(email => signIn(app, email)),
    )
    await app.ask('/api/auth/session', { method: 'DELETE', headers: gone?.headers ?? {} })
    const callers = [agent, other, gone, agent, undefined]
    const replies = await Promise.all(callers.map(caller => app.ask('/api/users/me', { headers: caller?.headers ?? {} })))
    expect(replies.map(({ status, body }) => (status === 200 ? body.data.email : status))).toEqual([
      'agent@azahar.example',
      'agent@rotta.example',
      401,
      'agent@azahar.example',
      401,
    ])
  })

  test('is refused once its user has left the agency (attack A14)', async () => {
    const { headers, user } = await signIn(app, 'viewer@azahar.example')
    expect((await app.ask('/api/business-unit/settings', { headers })).status).toBe(200)
    const memberships = app.world.database.kysely.updateTable('memberships').where('user_id', '=', user.uuid)
    await memberships.set({ active: false }).execute()
    expect((await app.ask('/api/business-unit/settings', { headers })).status).toBe(403)
    await memberships.set({ active: true }).execute()
  })

  test('leaves an audit entry of who, where and why when refused', async () => {
    const { headers, user } = await signIn(app, 'viewer@azahar.example')
    await app.ask('/api/business-unit/settings', { headers: { ...headers, 'x-bunit-token': 'x' } })
    const rows = await app.world.database.kysely
      .selectFrom('audit')
      .selectAll()
      .where('user_id', '=', user.uuid)
      .where('outcome', '=', 'refused')
      .orderBy('id')
      .execute()
    expect(rows.at(-1)).toMatchObject({
      action: 'GET /api/business-unit/settings',
      reason: 'session.unit_token unit',
      network: '127.0.0.1',
    })
  })
})

test('the log contains no token, address or password', async () => {
  const { token } = await begin(app, 'agent@azahar.example')
  const { accessToken } = await signIn(app, 'agent@azahar.example')
  const log = lines.join('')
  expect(log).toContain('/api/auth/login')
  for (const secret of [token, accessToken, 'portolan-demo', 'agent@azahar.example']) expect(log).not.toContain(secret)
})
