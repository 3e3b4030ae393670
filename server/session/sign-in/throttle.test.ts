import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '#server/kit/testing.ts'
import { begin, signIn } from '#server/session/testing.ts'

let app: TestApp
let now = new Date('2026-11-20T10:00:00Z')

beforeAll(async () => {
  app = await testApp({}, { clock: { now: () => now } })
})
afterAll(() => app.stop())

const attempt = async (email: string, remoteAddress: string, password = 'wrong') =>
  (await app.ask('/api/auth/login', { body: { email, password }, remoteAddress })).status

test('an unknown address and a wrong password get the same response', async () => {
  const [known, unknown] = await Promise.all(
    ['agent@azahar.example', 'unknown@azahar.example'].map(email =>
      app.ask('/api/auth/login', { body: { email, password: 'wrong' }, headers: { 'accept-language': 'es' } }),
    ),
  )
  const { requestId: _, ...body } = known?.body ?? {}
  expect(body).toEqual({
    code: 401,
    error: 'session.bad_credentials',
    errorMessage: 'El correo electrónico o la contraseña no son correctos.',
  })
  expect(unknown?.body).toMatchObject(body)
})

test('after ten failures an address is refused until the window has passed', async () => {
  const statuses = []
  for (let count = 0; count < 10; count++) statuses.push(await attempt('manager@azahar.example', '198.51.100.1'))
  expect(new Set(statuses)).toEqual(new Set([401]))
  expect(await attempt('manager@azahar.example', '198.51.100.1')).toBe(429)
  expect(await attempt('MANAGER@azahar.example', '198.51.100.1', 'portolan-demo')).toBe(429)
  expect(await attempt('manager@azahar.example', '198.51.100.2', 'portolan-demo')).toBe(200)
  now = new Date(now.getTime() + 15 * 60_000 + 1)
  expect(await attempt('manager@azahar.example', '198.51.100.1', 'portolan-demo')).toBe(200)
})

test('concurrent attempts cannot exceed the limit', async () => {
  const statuses = await Promise.all(Array.from({ length: 30 }, () => attempt('viewer@azahar.example', '198.51.100.3')))
  expect(statuses.filter(status => status === 401)).toHaveLength(10)
})

test('a network is limited across addresses and spellings of its own (attack B29)', async () => {
  const spellings = ['2001:db8:7:7::1', '2001:db8:7:7:ffff::2', '2001:0db8:0007:0007:0:0:0:3']
  const statuses: number[] = []
  while (statuses.length < 120) {
    const some = Array.from({ length: 12 }, (_, index) => `unknown${statuses.length + index}@azahar.example`)
    statuses.push(...(await Promise.all(some.map((email, index) => attempt(email, spellings[index % 3] ?? '')))))
  }
  expect(statuses.filter(status => status === 401)).toHaveLength(100)
  expect(statuses.filter(status => status === 429)).toHaveLength(20)
})

test('a user under attack still gets in from a known network (attack B29)', async () => {
  await signIn(app, 'agent@rotta.example')
  for (let count = 0; count < 100; count++) await attempt('agent@rotta.example', `203.0.113.${count}`)
  expect(await attempt('agent@rotta.example', '203.0.113.200', 'portolan-demo')).toBe(429)
  expect((await begin(app, 'agent@rotta.example')).reply.status).toBe(200)
})

test('a forgotten password gets the same response for every address', async () => {
  const [known, unknown] = await Promise.all(
    ['agent@azahar.example', 'unknown@azahar.example'].map(email => app.ask('/api/auth/password/forgot', { body: { email } })),
  )
  expect(known?.text).toBe(unknown?.text)
})
