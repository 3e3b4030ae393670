import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '#server/kit/testing.ts'
import { signIn } from '#server/session/testing.ts'
import { routesOf } from './not-found.ts'

// These tests check, for every served call, how much of a body is read before the caller is authenticated.

const settings = {
  INBOUND_MAIL_ADDRESS: 'tickets@in.portolan.example',
  INBOUND_MAIL_SECRET: 'a secret of the provider',
  STRIPE_SECRET_KEY: 'sk_test_x',
  STRIPE_PUBLISHABLE_KEY: 'pk_test_x',
  STRIPE_API_URL: 'http://127.0.0.1:9',
  STRIPE_WEBHOOK_SECRET: 'whsec_of_the_tests_alone',
}

let app: TestApp
let port: number
const sockets: Socket[] = []

beforeAll(async () => {
  app = await testApp(settings)
  port = Number(new URL(await app.context.http.listen({ port: 0, host: '127.0.0.1' })).port)
})
afterAll(async () => {
  for (const socket of sockets) socket.destroy()
  await app.stop()
})

/** Returns the response to a request that announces a body and sends only its head. */
function responseToHead(method: string, path: string, headers: Record<string, string>): Promise<{ status: number; head: string }> {
  const head = [`${method} ${path} HTTP/1.1`, 'Host: x', ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)]
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(`${head.join('\r\n')}\r\n\r\n`))
    sockets.push(socket)
    let response = ''
    socket.on('data', data => {
      response += String(data)
      const status = Number(/^HTTP\/1\.1 (\d+)/.exec(response)?.[1])
      if (response.includes('\r\n\r\n')) resolve({ status, head: response.split('\r\n\r\n')[0] ?? '' })
    })
    socket.on('error', reject)
    socket.on('close', () => reject(new Error(`no response to ${method} ${path}`)))
  })
}

const announce = (length: number, type = 'application/json') => ({ 'content-type': type, 'content-length': String(length) })
const statusOf = async (route: { method: string; path: string }, length: number) =>
  (await responseToHead(route.method, route.path.replaceAll(/:\w+/g, '00000000-0000-4000-8000-000000000000'), announce(length))).status
const nameOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`
const routesWithBody = () => routesOf(app.context.http).filter(({ method }) => !['GET', 'HEAD', 'OPTIONS'].includes(method))

/** The calls that no header authenticates, with the bytes of a body that each reads. The list is complete: a new one must be added on purpose. */
const anonymous: Record<string, number> = {
  'POST /api/auth/login': 16 * 1024,
  'POST /api/auth/session': 16 * 1024,
  'POST /api/auth/password/forgot': 16 * 1024,
  'POST /api/auth/password/reset': 16 * 1024,
  'POST /api/auth/invitation': 16 * 1024,
  'POST /api/auth/invitation/accept': 16 * 1024,
  'POST /api/verify': 16 * 1024,
  'POST /api/client/policy': 16 * 1024,
  'POST /api/client/change': 16 * 1024,
  'POST /api/client/change/pay': 16 * 1024,
  'POST /api/client/change/decline': 16 * 1024,
  'POST /api/client/file': 16 * 1024,
  'POST /api/client/withdraw': 16 * 1024,
  'POST /api/client/request': 16 * 1024,
  'POST /api/client/find': 16 * 1024,
  'POST /api/client/quote': 16 * 1024,
  'POST /api/client/quote/complete': 16 * 1024,
  'POST /api/client/quote/pay': 16 * 1024,
  'POST /api/client/quote/decline': 16 * 1024,
  'POST /api/privacy/copy': 16 * 1024,
  'POST /api/payments/webhook': 256 * 1024,
}
/** True for the form of the fake card network, which production does not serve. */
const isDevelopmentOnly = (path: string) => path.startsWith('/dev/')

test('every call authenticates by headers before it reads a body, except those listed', async () => {
  const routes = routesWithBody().filter(({ path }) => !isDevelopmentOnly(path))
  const replies = await Promise.all(routes.map(async route => ({ name: nameOf(route), status: await statusOf(route, 40_000_000) })))
  expect(replies.length).toBeGreaterThan(50)
  expect(replies.filter(({ status }) => status !== 401)).toEqual(
    replies.filter(({ name }) => name in anonymous).map(({ name }) => ({ name, status: 413 })),
  )
  expect(Object.keys(anonymous).filter(name => !replies.some(reply => reply.name === name))).toEqual([])
})

test.each(Object.entries(anonymous))('%s reads at most %i bytes', async (name, most) => {
  const [method = '', path = ''] = name.split(' ')
  const send = async (length: number) =>
    (await app.ask(path, { method, payload: `"${'x'.repeat(length - 2)}"`, headers: announce(length) })).status
  expect([await send(most), await send(most + 1)]).toEqual([400, 413])
})

test('a long unread body closes its connection; a short one does not', async () => {
  const long = await responseToHead('POST', '/api/quotes', announce(10_000_000))
  const short = await responseToHead('POST', '/api/quotes', announce(100))
  expect([long, short].map(({ status, head }) => [status, /^connection: close$/im.test(head)])).toEqual([
    [401, true],
    [401, false],
  ])
})

describe('inbound mails', () => {
  const path = '/api/tickets/mail'
  const authorization = `Bearer ${settings.INBOUND_MAIL_SECRET}`
  const deliver = async () => (await app.ask(path, { body: { MessageID: '' }, headers: { authorization } })).status

  test('are refused unread above 40 MB', async () => {
    expect((await responseToHead('POST', path, { authorization, ...announce(40 * 1024 * 1024 + 1) })).status).toBe(413)
  })

  test('are read four at a time; a fifth gets 503 until one of them is done', async () => {
    const open: Socket[] = []
    // A request of the poll may take one of the four places itself, so connections are opened until all places are taken.
    const begin = () => {
      const head = ['Host: x', `Authorization: ${authorization}`, 'Content-Type: application/json', 'Content-Length: 100']
      const socket = connect(port, '127.0.0.1', () => socket.write(`POST ${path} HTTP/1.1\r\n${head.join('\r\n')}\r\n\r\n{`))
      open.push(socket.on('error', () => {}))
      sockets.push(socket)
    }
    await expect
      .poll(() => {
        begin()
        return deliver()
      })
      .toBe(503)
    const refused = await app.ask(path, { body: {}, headers: { authorization } })
    expect([refused.status, refused.headers['retry-after']]).toEqual([503, '5'])
    for (const socket of open) socket.destroy()
    await expect.poll(deliver).toBe(422)
  })

  test('with a byte order mark are refused', async () => {
    const payload = `\ufeff${JSON.stringify({ MessageID: 'm', From: 'a@b.example' })}`
    expect((await app.ask(path, { payload, headers: { authorization } })).status).toBe(400)
  })
})

test('a malformed body is refused after the session check and before the permission', async () => {
  const { headers } = await signIn(app, 'viewer@azahar.example')
  const send = async (more: Record<string, string>, payload = '{"a":') => (await app.ask('/api/quotes', { payload, headers: more })).status
  expect([await send({}), await send(headers), await send(headers, '{}')]).toEqual([401, 400, 403])
})

test('a session that ends while its request’s body arrives is refused', async () => {
  const manager = await signIn(app, 'manager@azahar.example')
  const socket = connect(port, '127.0.0.1')
  sockets.push(socket)
  const received: string[] = []
  socket.on('data', data => received.push(String(data)))
  const body = JSON.stringify({ contactInfo: { email: 'late@azahar.example' } })
  const headers = { Host: 'x', ...manager.headers, ...announce(body.length), Expect: '100-continue', Connection: 'close' }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  socket.write(`PUT /api/agency HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)
  // The first bytes of the response show that the session was checked, before the next call ends it.
  await once(socket, 'data')
  expect((await app.ask('/api/auth/session', { method: 'DELETE', headers: manager.headers })).status).toBe(200)
  socket.write(body)
  await once(socket, 'close')
  expect(received.join('')).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 401 /)
})
