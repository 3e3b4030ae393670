import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '#server/kit/testing.ts'
import { signIn } from '#server/session/testing.ts'
import { routesOf } from './not-found.ts'

// What is read of a body before it is known who sends it, of every call that is served.

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

/** The answer to a request of which only the head is sent, with a body announced that never comes. */
function answerToHead(method: string, path: string, headers: Record<string, string>): Promise<{ status: number; head: string }> {
  const head = [`${method} ${path} HTTP/1.1`, 'Host: x', ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)]
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(`${head.join('\r\n')}\r\n\r\n`))
    sockets.push(socket)
    let answer = ''
    socket.on('data', data => {
      answer += String(data)
      const status = Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1])
      if (answer.includes('\r\n\r\n')) resolve({ status, head: answer.split('\r\n\r\n')[0] ?? '' })
    })
    socket.on('error', reject)
    socket.on('close', () => reject(new Error(`no answer to ${method} ${path}`)))
  })
}

const announce = (length: number, type = 'application/json') => ({ 'content-type': type, 'content-length': String(length) })
const statusOf = async (route: { method: string; path: string }, length: number) =>
  (await answerToHead(route.method, route.path.replaceAll(/:\w+/g, '00000000-0000-4000-8000-000000000000'), announce(length))).status
const nameOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`
const bringsBody = () => routesOf(app.context.http).filter(({ method }) => !['GET', 'HEAD', 'OPTIONS'].includes(method))

/** Calls that no header authenticates, and how much of a body each reads: all of them are here because somebody meant them to be. */
const anonymous: Record<string, number> = {
  'POST /api/auth/login': 16 * 1024,
  'POST /api/auth/session': 16 * 1024,
  'POST /api/auth/password/forgot': 16 * 1024,
  'POST /api/auth/password/reset': 16 * 1024,
  'POST /api/auth/invitation': 16 * 1024,
  'POST /api/auth/invitation/accept': 16 * 1024,
  'POST /api/verify': 16 * 1024,
  'POST /api/payments/webhook': 256 * 1024,
}
/** The stand-in's form, never in production. */
const ofTrials = (path: string) => path.startsWith('/dev/')

test('every call but a few knows from its headers who asks, before a byte of its body is read', async () => {
  const routes = bringsBody().filter(({ path }) => !ofTrials(path))
  const answers = await Promise.all(routes.map(async route => ({ name: nameOf(route), status: await statusOf(route, 40_000_000) })))
  expect(answers.length).toBeGreaterThan(50)
  expect(answers.filter(({ status }) => status !== 401)).toEqual(
    answers.filter(({ name }) => name in anonymous).map(({ name }) => ({ name, status: 413 })),
  )
  expect(Object.keys(anonymous).filter(name => !answers.some(answer => answer.name === name))).toEqual([])
})

test.each(Object.entries(anonymous))('%s reads %i bytes at most', async (name, most) => {
  const [method = '', path = ''] = name.split(' ')
  const send = async (length: number) =>
    (await app.ask(path, { method, payload: `"${'x'.repeat(length - 2)}"`, headers: announce(length) })).status
  expect([await send(most), await send(most + 1)]).toEqual([400, 413])
})

test('the line of a long body that is not read is cut; a short one keeps it', async () => {
  const long = await answerToHead('POST', '/api/quotes', announce(10_000_000))
  const short = await answerToHead('POST', '/api/quotes', announce(100))
  expect([long, short].map(({ status, head }) => [status, /^connection: close$/im.test(head)])).toEqual([
    [401, true],
    [401, false],
  ])
})

describe('mails that are handed over', () => {
  const path = '/api/tickets/mail'
  const authorization = `Bearer ${settings.INBOUND_MAIL_SECRET}`
  const hand = async () => (await app.ask(path, { body: { MessageID: '' }, headers: { authorization } })).status

  test('of more than forty megabytes are refused unread', async () => {
    expect((await answerToHead('POST', path, { authorization, ...announce(40 * 1024 * 1024 + 1) })).status).toBe(413)
  })

  test('are read four at once; who brings a fifth is asked to come again, until they are done', async () => {
    const lines: Socket[] = []
    // A question that waits for it takes a place itself, so that some line may come too late.
    const begin = () => {
      const head = ['Host: x', `Authorization: ${authorization}`, 'Content-Type: application/json', 'Content-Length: 100']
      const line = connect(port, '127.0.0.1', () => line.write(`POST ${path} HTTP/1.1\r\n${head.join('\r\n')}\r\n\r\n{`))
      lines.push(line.on('error', () => {}))
      sockets.push(line)
    }
    await expect
      .poll(() => {
        begin()
        return hand()
      })
      .toBe(503)
    const refused = await app.ask(path, { body: {}, headers: { authorization } })
    expect([refused.status, refused.headers['retry-after']]).toEqual([503, '5'])
    for (const line of lines) line.destroy()
    await expect.poll(hand).toBe(422)
  })

  test('with a byte order mark are refused', async () => {
    const payload = `\ufeff${JSON.stringify({ MessageID: 'm', From: 'a@b.example' })}`
    expect((await app.ask(path, { payload, headers: { authorization } })).status).toBe(400)
  })
})

test('a session that is known is asked for once, and a body without sense is refused after it', async () => {
  const { headers } = await signIn(app, 'viewer@azahar.example')
  const send = async (more: Record<string, string>, payload = '{"a":') => (await app.ask('/api/quotes', { payload, headers: more })).status
  expect([await send({}), await send(headers), await send(headers, '{}')]).toEqual([401, 400, 403])
})

test('a session that ends while a body is on its way does nothing with it', async () => {
  const manager = await signIn(app, 'manager@azahar.example')
  const socket = connect(port, '127.0.0.1')
  sockets.push(socket)
  const told: string[] = []
  socket.on('data', data => told.push(String(data)))
  const body = JSON.stringify({ contactInfo: { email: 'late@azahar.example' } })
  const headers = { Host: 'x', ...manager.headers, ...announce(body.length), Expect: '100-continue', Connection: 'close' }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  socket.write(`PUT /api/agency HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)
  // Its session is asked for before the next call is heard.
  await once(socket, 'data')
  expect((await app.ask('/api/auth/session', { method: 'DELETE', headers: manager.headers })).status).toBe(200)
  socket.write(body)
  await once(socket, 'close')
  expect(told.join('')).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 401 /)
})
