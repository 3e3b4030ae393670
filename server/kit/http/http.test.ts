import { once } from 'node:events'
import { connect } from 'node:net'
import { hostname } from 'node:os'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import type { Call } from '#common/kit/call.ts'
import { locales } from '#common/kit/locales.ts'
import { serve } from '#server/kit/serve.ts'
import { signIn } from '#server/session/testing.ts'
import { portOf, type TestApp, testApp } from '#server/kit/testing.ts'

let app: TestApp
let headers: Record<string, string>
beforeAll(async () => {
  app = await testApp()
  headers = (await signIn(app, 'agent@azahar.example')).headers
})
afterAll(() => app.stop())

const login = '/api/auth/login'
const json = { 'content-type': 'application/json' }
const sendRaw = (payload: string, more: Record<string, string> = json) => app.ask(login, { method: 'POST', payload, headers: more })

describe('a refusal', () => {
  const cases: [string, number, string, () => ReturnType<TestApp['ask']>][] = [
    ['malformed JSON', 400, 'request.malformed', () => sendRaw('{"email":')],
    ['a list instead of an object', 400, 'request.malformed', () => sendRaw('[1]')],
    ['a text instead of an object', 400, 'request.malformed', () => sendRaw('"x"')],
    [
      'keys that reach for the prototype',
      400,
      'request.malformed',
      () => sendRaw('{"__proto__":{"admin":true},"email":"a","password":"b"}'),
    ],
    ['a character that PostgreSQL cannot store', 400, 'request.malformed', () => sendRaw('{"email":"a\\u0000@x.test","password":"x"}')],
    ['no session', 401, 'session.missing', () => app.ask('/api/users/me')],
    [
      'no unit',
      403,
      'session.unit_token',
      () => app.ask('/api/business-unit/settings', { headers: { authorization: headers['authorization'] ?? '' } }),
    ],
    ['an unknown path', 404, 'request.not_found', () => app.ask('/api/nowhere')],
    ['another method', 405, 'request.method', () => app.ask(login, { method: 'PUT', body: {} })],
    ['a body that is too large', 413, 'request.too_large', () => sendRaw(JSON.stringify({ email: 'a'.repeat(1_100_000) }))],
    [
      'a body of another media type',
      415,
      'request.media_type',
      () => sendRaw('email=a', { 'content-type': 'application/x-www-form-urlencoded' }),
    ],
    ['fields that break a rule', 422, 'validation.failed', () => sendRaw('{"email":1}')],
  ]
  test.each(cases)('for %s has the envelope with %d %s', async (_name, status, error, ask) => {
    const reply = await ask()
    expect([reply.status, reply.body.code, reply.body.error]).toEqual([status, status, error])
    expect(reply.body.requestId).toBe(reply.headers['x-request-id'])
    expect(reply.text).not.toMatch(/node_modules|at \w+ \(|select |\/server\//i)
  })

  test.each(locales)('is in %s if the caller accepts it', async locale => {
    const reply = await app.ask('/api/nowhere', { headers: { 'accept-language': `${locale};q=0.8, de` } })
    expect(reply.body.errorMessage).toBe(app.world.words(locale)('refusal.request.not_found'))
  })

  test('is in the unit’s language if an authenticated caller accepts none', async () => {
    const reply = await app.ask('/api/products', { body: { price: 1 }, headers })
    expect(reply.body).toMatchObject({
      errorMessage: 'Revise los campos marcados.',
      fields: [{ path: 'price', rule: 'unknown', message: 'Este campo no se admite aquí.' }],
    })
  })

  test('is in the unit’s language too for a request that no call can read', { tags: ['S8.8'] }, async () => {
    const ask = (path: string, method: 'PUT' | 'POST', payload: string, more = json) =>
      app.ask(path, { method, payload, headers: { ...headers, ...more } })
    const replies = await Promise.all([
      ask('/api/products', 'POST', '{"price":'),
      ask('/api/nowhere', 'POST', '{}'),
      ask('/api/products', 'PUT', '{}'),
      ask('/api/products', 'POST', JSON.stringify({ price: 'a'.repeat(1_100_000) })),
      ask('/api/products', 'POST', 'price=1', { 'content-type': 'application/x-www-form-urlencoded' }),
    ])
    const words = app.world.words('es-ES')
    expect(replies.map(({ status, body }) => [status, body.errorMessage])).toEqual([
      [400, words('refusal.request.malformed')],
      [404, words('refusal.request.not_found')],
      [405, words('refusal.request.method')],
      [413, words('refusal.request.too_large')],
      [415, words('refusal.request.media_type')],
    ])
  })

  test('lists the allowed methods for a wrong method (405)', async () => {
    expect((await app.ask('/api/auth/session', { method: 'PUT', body: {} })).headers['allow']).toBe('POST, DELETE')
  })

  test.each([
    ['POST', '/geo/countries'],
    ['POST', '/health/live'],
    ['DELETE', '/api/docs'],
    ['POST', '/metrics'],
  ])('with 405 works for other routes, too: %s %s', async (method, path) => {
    expect((await app.ask(path, { method })).status).toBe(405)
  })

  test('for an unknown path counts for the rate limit', async () => {
    const limited = await testApp({ RATE_LIMIT_PER_MINUTE: '2' }, { elapsed: () => 0 })
    const statuses = []
    for (const path of ['/api/nowhere', '/nowhere', '/products']) statuses.push((await limited.ask(path)).status)
    expect(statuses).toEqual([404, 404, 429])
    await limited.stop()
  })

  test('a stop closes idle connections and finishes running handlers before the database', async () => {
    const gate = Promise.withResolvers<void>()
    const entered = Promise.withResolvers<void>()
    const schemas = { summary: '', request: z.object({}), response: z.number() }
    const slow: Call<typeof schemas, 'nothing'> = { method: 'GET', path: '/api/test/slow', needs: 'nothing' }
    const stopping = await testApp(
      {},
      {
        stopPatienceMs: 1,
        alsoServe: context =>
          serve(context, slow, schemas, async () => {
            entered.resolve()
            await gate.promise
            const { rows } = await context.world.database.asService(tx => sql<{ one: number }>`select 1 as one`.execute(tx))
            return rows[0]?.one ?? 0
          }),
      },
    )
    await stopping.context.http.listen({ port: 0, host: '127.0.0.1' })
    const port = portOf(stopping.context.http.server)
    const idle = connect(port, '127.0.0.1')
    await once(idle, 'connect')
    idle.write('GET /api/test/slow HTTP/1.1\r\n')
    idle.resume()
    const response = fetch(`http://127.0.0.1:${port}/api/test/slow`)
    await entered.promise
    const stopped = stopping.stop()
    await once(idle, 'close')
    gate.resolve()
    expect(await (await response).json()).toEqual({ code: 200, data: 1 })
    await stopped
  })

  test('a stop with a delay ends readiness first, serves meanwhile, then refuses', async () => {
    const leaving = await testApp({ STOP_DELAY_MS: '3000' })
    const origin = await leaving.context.http.listen({ port: 0, host: '127.0.0.1' })
    const stopped = leaving.stop()
    const [ready, live] = await Promise.all(['ready', 'live'].map(path => fetch(`${origin}/health/${path}`)))
    expect([ready?.status, live?.status, live?.headers.get('connection')]).toEqual([503, 200, 'close'])
    await stopped
    await expect(fetch(`${origin}/health/live`)).rejects.toThrow()
  })

  test('maintenance mode refuses every call, however its path is encoded', async () => {
    const inMaintenance = await testApp({ MAINTENANCE: 'true' })
    const body = { email: 'agent@azahar.example', password: 'portolan-demo' }
    for (const path of [login, '/%61pi/auth/login', '/ap%69/auth/login']) {
      const reply = await inMaintenance.ask(path, { body })
      expect([reply.status, reply.headers['retry-after']], path).toEqual([503, '30'])
    }
    await inMaintenance.stop()
  })

  test('an unforeseen error is reported by its request id only', { tags: 'S8.11' }, async () => {
    const broken = await testApp(
      {},
      { alsoServe: context => void context.http.get('/api/test/broken', () => Promise.reject(new Error('select secret from users'))) },
    )
    const reply = await broken.ask('/api/test/broken', { headers: { 'accept-language': 'en' } })
    expect(reply.status).toBe(500)
    expect(reply.body).toMatchObject({ code: 500, error: 'service.defect', errorMessage: expect.stringContaining(reply.body.requestId) })
    expect(reply.text).not.toContain('secret')
    await broken.stop()
  })

  test('an outage of the database is 503 with a Retry-After', async () => {
    let error = new Error('not set yet')
    const severed = await testApp({}, { alsoServe: context => void context.http.get('/api/test/severed', () => Promise.reject(error)) })
    const deadlock = Object.assign(new Error('deadlock detected'), { code: '40P01' })
    const lost = new Error('Client has encountered a connection error and is not queryable')
    const dead = Object.assign(new Error('server closed the connection unexpectedly'), { code: 'XX000' })
    const half = Object.assign(new Error('could not commit transaction for shard 102008 on at least one active node'), { code: 'XX000' })
    for (error of [Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }), deadlock, lost, dead, half]) {
      const reply = await severed.ask('/api/test/severed')
      expect([reply.status, reply.body.error, reply.headers['retry-after']]).toEqual([503, 'service.unavailable', '5'])
    }
    error = Object.assign(new Error('cache lookup failed for type 1'), { code: 'XX000' })
    expect((await severed.ask('/api/test/severed')).status).toBe(500)
    await severed.stop()
  })

  test('requests beyond the rate limit get 429 with a Retry-After, by network', async () => {
    let elapsed = 0
    const limited = await testApp({ RATE_LIMIT_PER_MINUTE: '5' }, { elapsed: () => elapsed })
    const ask = (remoteAddress: string, more: Record<string, string> = {}) => limited.ask('/api/users/me', { remoteAddress, headers: more })
    // Concurrent requests, each of which counts by itself.
    const first = await Promise.all(Array.from({ length: 6 }, () => ask('203.0.113.1')))
    expect(first.map(({ status }) => status).toSorted((x, y) => x - y)).toEqual([401, 401, 401, 401, 401, 429])
    const reply = await ask('203.0.113.1')
    expect([reply.status, reply.body.error, reply.headers['retry-after']]).toEqual([429, 'request.too_many', '60'])
    expect((await ask('203.0.113.2')).status).toBe(401)
    expect((await ask('203.0.113.1', { 'x-forwarded-for': '203.0.113.3' })).status).toBe(429)
    expect((await ask('203.0.113.1', { authorization: 'Bearer an-invented-token-of-some-length' })).status).toBe(429)
    elapsed = 60_000
    expect((await ask('203.0.113.1')).status).toBe(401)
    await limited.stop()
  })

  test('behind a trusted proxy the rate limit counts the address that it forwards', async () => {
    const behind = await testApp({ RATE_LIMIT_PER_MINUTE: '1', TRUST_PROXY: '127.0.0.1' }, { elapsed: () => 0 })
    const ask = (forwarded: string) => behind.ask('/api/users/me', { headers: { 'x-forwarded-for': forwarded } })
    expect([(await ask('203.0.113.1')).status, (await ask('203.0.113.1')).status, (await ask('203.0.113.2')).status]).toEqual([
      401, 429, 401,
    ])
    await behind.stop()
  })
})

test.each(['true', '1', '127.0.0.1'])('with TRUST_PROXY=%s an address that the client claims is ignored', async trusted => {
  const behind = await testApp({ RATE_LIMIT_PER_MINUTE: '2', TRUST_PROXY: trusted }, { elapsed: () => 0 })
  const ask = async (claimed: string) =>
    (await behind.ask('/api/users/me', { headers: { 'x-forwarded-for': `${claimed}, 203.0.113.7` } })).status
  expect([await ask('10.0.1.1'), await ask('10.0.2.1'), await ask('10.0.3.1')]).toEqual([401, 401, 429])
  await behind.stop()
})

describe('the body parser', () => {
  const body = '{"email":"nobody@azahar.example","password":"x"}'
  test.each([
    'application/json',
    'Application/JSON',
    'application/json; charset=utf-8',
    'application/json\t; charset=utf-8',
    'application/json;',
  ])('accepts the media type %j', async type => {
    expect((await sendRaw(body, { 'content-type': type })).status).toBe(401)
  })
  test.each([
    'text/plain',
    'application/jsonx',
    'application/json-patch+json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json, text/plain',
    'text/plain; application/json',
  ])('refuses the media type %j', async type => {
    expect((await sendRaw(body, { 'content-type': type })).status).toBe(415)
  })
  test('refuses a compressed body', async () => {
    expect((await sendRaw(body, { ...json, 'content-encoding': 'gzip' })).status).toBe(415)
  })
  test('refuses a byte order mark', async () => {
    const reply = await sendRaw(`\ufeff${body}`)
    expect([reply.status, reply.body.error]).toEqual([400, 'request.malformed'])
  })
  test('refuses very deep and very wide JSON, with a short reply', async () => {
    const send = (payload: string) => app.ask('/api/quotes', { payload, headers })
    expect((await send('['.repeat(100_000) + ']'.repeat(100_000))).status).toBe(400)
    expect((await send(`{"email":${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}}`)).status).toBe(422)
    const many = (length: number) => `{${Array.from({ length }, (_, n) => `"k${n}":1`).join()}}`
    const wider = many(60_000)
    for (const most of [wider, `{"email":${wider}}`, wider.replaceAll(':', ' \t\r\n:')]) expect((await send(most)).status).toBe(413)
    for (const wide of [many(1000), `{"email":${many(20_000)}}`]) {
      const reply = await send(wide)
      expect(reply.status).toBe(422)
      expect(reply.text.length).toBeLessThan(20_000)
    }
  })
})

describe('a call', () => {
  test.each(['HEAD', 'OPTIONS', 'PATCH'])('refuses the method %s', async method => {
    expect((await app.ask('/api/users/me', { method, headers })).status).toBe(405)
  })
  test('ignores method overrides in a header or the body', async () => {
    const reply = await app.ask('/api/auth/session', {
      body: { _method: 'DELETE', token: 'x' },
      headers: { ...headers, 'x-http-method-override': 'DELETE' },
    })
    expect(reply.status).toBe(422)
    expect((await app.ask('/api/users/me', { headers })).status).toBe(200)
  })
})

describe('the headers of every response', () => {
  const paths = [
    '/api/users/me',
    '/api/nowhere',
    '/geo/countries',
    '/health/live',
    '/api/openapi.json',
    '/nowhere',
    '/%E0%A4%A',
    '/api/%zz',
  ]
  const unread = { '{': 'application/json', '{}': 'text/plain' }
  test.each([
    ...paths.map(path => ({ path, options: {} })),
    ...Object.entries(unread).map(([payload, type]) => ({ path: login, options: { payload, headers: { 'content-type': type } } })),
  ])('protect $path, $options', async ({ path, options }) => {
    const reply = await app.ask(path, options)
    const policy = String(reply.headers['content-security-policy'])
    expect(policy).toContain("script-src 'self' https://js.stripe.com https://*.js.stripe.com;")
    expect(policy).toContain("frame-src 'self' https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com;")
    for (const part of [
      "object-src 'none'",
      "base-uri 'none'",
      "form-action 'self'",
      "frame-ancestors 'none'",
      "connect-src 'self' https://api.stripe.com",
    ])
      expect(policy).toContain(part)
    expect(policy).not.toContain('unsafe')
    expect(reply.headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'permissions-policy': expect.stringContaining('camera=(self)'),
      'x-request-id': expect.any(String),
    })
    expect(reply.headers['strict-transport-security']).toBeUndefined()
    expect(reply.headers['x-powered-by']).toBeUndefined()
  })

  test('over https have HSTS for a year and cookies with the __Host- prefix', async () => {
    const secure = await testApp({ PUBLIC_URL: 'https://portal.example' })
    const reply = await secure.ask(login, { body: { email: 'agent@azahar.example', password: 'portolan-demo' } })
    expect(reply.headers['strict-transport-security']).toBe('max-age=31536000; includeSubDomains')
    expect(reply.headers['content-security-policy']).toMatch(/;upgrade-insecure-requests$/)
    const flow = /__Host-flow=[^;]+/.exec(String(reply.headers['set-cookie']))?.[0] ?? ''
    const token = new URLSearchParams(String(reply.body.data.callback).split('?')[1]).get('token')
    const opened = await secure.ask('/api/auth/session', { body: { token }, headers: { cookie: flow } })
    expect(String(opened.headers['set-cookie'])).toMatch(/__Host-session=[^;]+; Max-Age=31536000; Path=\/; HttpOnly; Secure; SameSite=Lax/)
    await secure.stop()
  })

  test('forbid caching of personal data', async () => {
    for (const path of ['/api/users/me', '/api/business-unit/settings'])
      expect((await app.ask(path, { headers })).headers['cache-control']).toContain('no-store')
  })
})

describe('health and metrics', () => {
  test('the service is live at once, and ready when the database and the queue work', async () => {
    expect((await app.ask('/health/live')).body).toEqual({ code: 200, data: { status: 'live' } })
    expect((await app.ask('/health/ready')).status).toBe(503)
    app.start()
    expect((await app.ask('/health/ready')).body).toEqual({ code: 200, data: { status: 'ready', database: 'up', queue: 'up' } })
  })
  test('metrics are served to this machine, or to any with the token', async () => {
    expect((await app.ask('/metrics')).text).toContain('portolan_call_seconds_bucket')
    expect((await app.ask('/metrics', { remoteAddress: '203.0.113.1' })).status).toBe(404)
    const guarded = await testApp({ METRICS_TOKEN: 'a-token-of-sixteen' })
    const status = async (authorization: string) =>
      (await guarded.ask('/metrics', { remoteAddress: '203.0.113.1', headers: { authorization } })).status
    expect([await status('Bearer a-token-of-sixteen'), await status('Bearer a-token-of-sixteeN'), await status('')]).toEqual([
      200, 404, 404,
    ])
    await guarded.stop()
  })
})

/** Sends a request unchanged, and returns the whole response. */
async function responseTo(request: string): Promise<string> {
  const { server } = app.context.http
  if (!server.listening) await app.context.http.listen({ port: 0, host: '127.0.0.1' })
  return new Promise<string>(resolve => {
    let text = ''
    const socket = connect(portOf(server), '127.0.0.1', () => socket.write(`${request}\r\n\r\n`))
    socket.on('data', data => (text += String(data)))
    socket.on('close', () => resolve(text))
  })
}

test('a request with two hosts is refused', async () => {
  const hosts = (...names: string[]) =>
    `GET /health/live HTTP/1.1\r\nConnection: close\r\n${names.map(name => `Host: ${name}`).join('\r\n')}`
  expect(await responseTo(hosts('one.example'))).toMatch(/^HTTP\/1\.1 200 /)
  expect(await responseTo(hosts('one.example', 'other.example'))).toMatch(/^HTTP\/1\.1 400 [^]*request\.malformed/)
})

test('the log has no line for a health check, and names the refusal of a call', async () => {
  const lines: Record<string, unknown>[] = []
  const logged = await testApp({ LOG_LEVEL: 'info' }, { logTo: { write: line => void lines.push(JSON.parse(line)) } })
  for (const path of ['/health/live', '/health/ready', '/api/users/me']) await logged.ask(path)
  expect(lines.filter(({ msg }) => msg === 'answered')).toEqual([
    expect.objectContaining({ path: '/api/users/me', status: 401, refusal: 'session.missing' }),
  ])
  await logged.stop()
})

test('the log has one stack of an outage, and lines that name the node and the refusal', async () => {
  const lines: Record<string, unknown>[] = []
  const logged = await testApp({ LOG_LEVEL: 'info' }, { logTo: { write: line => void lines.push(JSON.parse(line)) } })
  const { headers } = await signIn(logged, 'agent@azahar.example')
  lines.length = 0
  expect((await logged.ask('/api/nowhere')).status).toBe(404)
  const { pool } = logged.world.database
  const connect = pool.connect.bind(pool)
  const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
  Object.assign(pool, { connect: () => Promise.reject(refused) })
  for (const path of ['/api/users/me', '/api/business-unit/settings', '/api/users/me'])
    expect((await logged.ask(path, { headers })).status).toBe(503)
  Object.assign(pool, { connect })
  for (const line of lines) expect(line).toMatchObject({ level: expect.any(String), node: hostname(), pid: process.pid })
  expect(lines.filter(({ err }) => err)).toHaveLength(3)
  // Safe: only an error that is logged has the field.
  expect(lines.filter(({ err }) => (err as { stack?: string } | undefined)?.stack)).toHaveLength(1)
  expect(lines.flatMap(({ msg, status, refusal }) => (msg === 'answered' ? [[status, refusal]] : []))).toEqual([
    [404, 'request.not_found'],
    ...Array.from({ length: 3 }, () => [503, 'service.unavailable']),
  ])
  await logged.stop()
})

test('an invalid HTTP request is refused in the envelope, in its accepted language', async () => {
  const response = await responseTo(`GET / HTTP/1.1\r\nAccept-Language: fr\r\nX: ${'x'.repeat(20_000)}`)
  expect(response).toMatch(/^HTTP\/1\.1 400 /)
  expect(response).toMatch(/content-security-policy: default-src 'self'.*\r\n/)
  expect(JSON.parse(response.split('\r\n\r\n')[1] ?? '')).toMatchObject({
    code: 400,
    error: 'request.malformed',
    errorMessage: app.world.words('fr-FR')('refusal.request.malformed'),
  })
})

test('the OpenAPI document has every served call, and its references resolve', async () => {
  const { body, status } = await app.ask('/api/openapi.json')
  expect(status).toBe(200)
  expect(body.openapi).toBe('3.1.0')
  const names = Object.values<Record<string, { operationId?: string }>>(body.paths).flatMap(path =>
    Object.values(path).flatMap(({ operationId }) => operationId ?? []),
  )
  expect(names.length).toBeGreaterThan(50)
  expect(new Set(names).size).toBe(names.length)
  for (const { path, method } of app.context.served) expect(body.paths[path]?.[method.toLowerCase()], `${method} ${path}`).toBeDefined()
  // It also has the routes that other programs call or that browsers are redirected through.
  for (const path of ['/api/auth/start', '/api/auth/oidc/return', '/api/payments/webhook', '/api/tickets/mail', '/api/files/{uuid}'])
    expect(body.paths[path], path).toBeDefined()
  const references = [...JSON.stringify(body).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(match => match[1] ?? '')
  expect(references.length).toBeGreaterThan(0)
  for (const reference of references)
    expect(
      reference.split('/').reduce((node, step) => node?.[step], body),
      reference,
    ).toBeDefined()
})

test('the OpenAPI document says of every operation what it does and how it may be refused', async () => {
  const { body } = await app.ask('/api/openapi.json')
  expect(body.servers).toEqual([{ url: expect.stringMatching(/^https?:/), description: expect.any(String) }])
  const described = body.tags.flatMap(({ name, description }: { name: string; description: string }) => (description ? [name] : []))
  type Described = { tags: string[]; description: string; responses: object; security: unknown }
  for (const [path, operations] of Object.entries<Record<string, Described>>(body.paths))
    for (const [method, { tags, description, responses, security }] of Object.entries(operations)) {
      const name = `${method} ${path}`
      expect(described, name).toEqual(expect.arrayContaining(tags))
      expect(description, name).toMatch(/\. Needs .+\.$/)
      expect(
        Object.keys(responses).some(status => status.startsWith('4')),
        name,
      ).toBe(true)
      expect(security, name).toBeDefined()
    }
  const { responses } = body.paths['/api/policy/purchase'].post
  expect(Object.keys(responses)).toEqual(['200', '401', '403', '409', '422', '429', 'default'])
  // A list of fixed length has items as well, and a part that several calls share is described once.
  expect(JSON.stringify(body)).not.toContain('"items":false')
  expect(body.components.schemas.Policy.properties.policyNumber).toEqual({ type: 'string' })
})

test('the API page lists every call, and obeys the page policy', async () => {
  const { text, status, headers: sent } = await app.ask('/api/docs')
  expect([status, sent['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
  for (const { path, method } of app.context.served) expect(text).toContain(`<code>${method} ${path}</code>`)
  expect(text).toContain('<code>GET /geo/countries/cities/{state}</code>')
  expect(text).not.toMatch(/<script|style=|onclick/)
  expect((await app.ask('/api/docs.css')).status).toBe(200)
})
