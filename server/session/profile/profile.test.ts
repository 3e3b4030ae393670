import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type TestApp, testApp } from '#server/kit/testing.ts'
import { auditRows, begin, demoPassword, type SignedIn, signIn } from '#server/session/testing.ts'

let app: TestApp
let now: Date
let agent: SignedIn
const email = 'agent@azahar.example'

beforeAll(async () => {
  app = await testApp({}, { clock: { now: () => now } })
})
afterAll(() => app.stop())
beforeEach(async () => {
  now = new Date('2026-11-20T10:00:00Z')
  for (const table of ['sign_in_failures', 'sessions'] as const) await app.world.database.kysely.deleteFrom(table).execute()
  agent = await signIn(app, email)
})

const put = (body: unknown, path = '/api/users/me') => {
  now = new Date(now.getTime() + 1)
  return app.ask(path, { method: 'PUT', body, headers: agent.headers })
}
const end = (suffix = '', { headers } = agent) => app.ask(`/api/users/me/sessions${suffix}`, { method: 'DELETE', headers })
const sessions = async ({ headers } = agent) => (await app.ask('/api/users/me/sessions', { headers })).body.data.sessions
const isIn = async ({ headers }: SignedIn) => (await app.ask('/api/users/me', { headers })).status === 200

test('a profile update keeps omitted fields and is audited', async () => {
  expect((await put({ locale: 'fr-FR', density: 'compact' })).body.data).toMatchObject({
    name: 'Lucía Ferrer',
    locale: 'fr-FR',
    density: 'compact',
  })
  expect((await put({ name: '  Lucía\u202e  Ferrer\r\nRuiz ' })).body.data).toMatchObject({ name: 'Lucía Ferrer Ruiz', locale: 'fr-FR' })
  expect((await put({ locale: null, density: null })).body.data).toMatchObject({ locale: null, density: null })
  expect((await put({ name: ' \u200b ' })).body.fields).toEqual([expect.objectContaining({ path: 'name', rule: 'required' })])
  for (const wrong of [{ email: 'x@y.example' }, { roles: ['admin'] }, { locale: 'xx-XX' }, { name: 'x'.repeat(101) }])
    expect((await put(wrong)).status, JSON.stringify(wrong)).toBe(422)
  const entries = await auditRows(app, 'session.profile_update')
  expect(entries.map(({ user_id, details }) => [user_id, details])).toEqual([
    [agent.user.uuid, { locale: 'fr-FR', density: 'compact' }],
    [agent.user.uuid, { name: 'Lucía Ferrer Ruiz' }],
    [agent.user.uuid, { locale: null, density: null }],
  ])
})

test('changing the password needs the current one and ends all other sessions', async () => {
  const other = await signIn(app, email)
  const next = 'a much better one'
  const change = (current: string, password = next) => put({ current, password }, '/api/users/me/password')
  expect((await change('wrong')).body).toMatchObject({ error: 'session.wrong_password', fields: [{ path: 'current' }] })
  expect((await change(demoPassword, 'short')).status).toBe(422)
  expect((await change(demoPassword, demoPassword)).body.fields).toMatchObject([{ path: 'password', rule: 'other' }])
  expect(await isIn(other)).toBe(true)
  expect((await change(demoPassword)).status).toBe(200)
  expect([await isIn(agent), await isIn(other)]).toEqual([true, false])
  await app.world.outbox.drain()
  const [mail] = (await app.ask('/dev/mail.json')).body
  expect([mail.to, mail.subject]).toEqual([email, 'Viajes Azahar: su contraseña ha cambiado'])
  expect(mail.text).toContain('Ocurrió el 20 de noviembre de 2026 a las 11:00, desde la red 127.0.0.1.')
  expect(mail.text).toContain('hola@azahar.example')
  expect(mail.text).toMatch(/Elegir una contraseña nueva\n\S+\/auth\/forgot/)
  expect((await begin(app, email)).reply.status).toBe(401)
  expect((await begin(app, email, next)).reply.status).toBe(200)
  expect((await change(next, demoPassword)).status).toBe(200)
})

test('guesses of the current password in an open session are limited', async () => {
  const statuses = []
  for (let count = 0; count < 12; count++)
    statuses.push((await put({ current: `guess ${count}`, password: 'a much better one' }, '/api/users/me/password')).status)
  expect(statuses).toEqual([...Array(10).fill(422), 429, 429])
})

test('sessions show device, network and start, and end one by one or together', async () => {
  const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0'
  const { token, flow } = await begin(app, email)
  const opened = await app.ask('/api/auth/session', { body: { token }, headers: { cookie: `flow=${flow}`, 'user-agent': firefox } })
  const other = { ...agent, headers: { authorization: `Bearer ${opened.body.data.accessToken}` } }
  const third = await signIn(app, email)
  const listed = await sessions()
  expect(listed).toHaveLength(3)
  expect(listed.filter((each: { current: boolean }) => each.current)).toHaveLength(1)
  const windows = listed.find((each: { device: { system: string } }) => each.device.system === 'Windows')
  expect(windows).toMatchObject({
    device: { browser: 'Firefox', kind: 'computer' },
    network: '127.0.0.1',
    createdAt: now.toISOString(),
    current: false,
  })
  expect((await end(`/${windows.uuid}`)).body.data).toEqual({ ended: 1 })
  expect([await isIn(other), await isIn(third)]).toEqual([false, true])
  expect((await end(`/${windows.uuid}`)).status).toBe(404)
  expect((await end()).body.data).toEqual({ ended: 1 })
  expect([await isIn(third), await isIn(agent)]).toEqual([false, true])
})

test('another user’s session returns 404, and expired sessions are not listed', async () => {
  const stranger = await signIn(app, 'agent@rotta.example')
  const [theirs] = await sessions(stranger)
  expect((await end(`/${theirs.uuid}`)).status).toBe(404)
  expect(await isIn(stranger)).toBe(true)
  const idle = await signIn(app, email)
  now = new Date(now.getTime() + 11 * 3_600_000)
  await app.ask('/api/users/me', { headers: agent.headers })
  now = new Date(now.getTime() + 2 * 3_600_000)
  expect([(await sessions()).length, await isIn(idle)]).toEqual([1, false])
})

test('ending the own session signs the user out', async () => {
  const [own] = await sessions()
  const reply = await end(`/${own.uuid}`)
  expect(reply.headers['set-cookie']).toMatch(/^session=; Max-Age=0/)
  expect(await isIn(agent)).toBe(false)
})

test('the time of the last sign-in is stored', async () => {
  const row = await app.world.database.kysely.selectFrom('users').select('last_sign_in_at').where('email', '=', email).executeTakeFirst()
  expect(row?.last_sign_in_at).toEqual(now)
})
