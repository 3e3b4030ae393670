import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type TestApp, testApp } from '#server/kit/testing.ts'
import { cookiesOf, demoPassword, signIn } from '#server/session/testing.ts'
import { codeAt, stepAt } from './totp.ts'

// attack case B113

let app: TestApp
let now = new Date('2026-11-20T10:00:00Z')
let secret: Buffer
const email = 'agent@azahar.example'
const dayMs = 86_400_000

beforeAll(async () => {
  app = await testApp({}, { clock: { now: () => now } })
})
afterAll(() => app.stop())

beforeEach(async () => {
  now = new Date(now.getTime() + 2 * dayMs)
  const { kysely } = app.world.database
  for (const table of ['known_devices', 'wrong_codes', 'second_factors', 'sign_in_failures'] as const)
    await kysely.deleteFrom(table).execute()
  secret = Buffer.from('12345678901234567890')
  const { id } = await kysely.selectFrom('users').select('id').where('email', '=', email).executeTakeFirstOrThrow()
  const sealed = app.world.secrets.seal(id, secret)
  await kysely
    .insertInto('second_factors')
    .values({ user_id: id, secret: sealed.secret, sealed_by: sealed.sealedBy, created_at: now, confirmed_at: now })
    .execute()
})

/** Returns a right code of a time step that no earlier code has used. */
function right(): string {
  now = new Date(now.getTime() + 60_000)
  return codeAt(secret, stepAt(now))
}
const wrong = () => (codeAt(secret, stepAt(now)) === '000000' ? '111111' : '000000')

type From = { network?: string; device?: string | undefined; password?: string }

async function login(code: string | undefined, { network = '198.51.100.1', device, password = demoPassword }: From = {}) {
  const reply = await app.ask('/api/auth/login', {
    body: { email, password, ...(code === undefined ? {} : { code }) },
    headers: device ? { cookie: `device=${device}` } : {},
    remoteAddress: network,
  })
  return { status: reply.status, error: reply.body.error, device: cookiesOf(reply)['device'], reply }
}
const guess = async (many: number, device?: string) => {
  const statuses = []
  for (let index = 0; index < many; index++) statuses.push((await login(wrong(), { network: `203.0.113.${index}`, device })).status)
  return statuses
}
const times = (many: number, status: number) => Array.from({ length: many }, () => status)

test('a right code makes a browser known by a cookie for this host only', async () => {
  const { reply, device } = await login(right())
  expect([reply.headers['set-cookie']].flat()).toContainEqual(
    expect.stringMatching(/^device=[\w-]{43}; Max-Age=31536000; Path=\/; HttpOnly; SameSite=Lax$/),
  )
  const kept = JSON.stringify(await app.world.database.kysely.selectFrom('known_devices').selectAll().execute())
  expect(kept).not.toContain(device)
  expect((await login(wrong())).device).toBeUndefined()
  expect((await login(undefined)).device).toBeUndefined()
})

test('after 20 wrong codes from any network, only known browsers get in', async () => {
  const { device } = await login(right())
  expect(await guess(150)).toEqual([...times(20, 401), ...times(130, 429)])
  const unknown = await login(right(), { network: '192.0.2.1' })
  expect([unknown.status, unknown.error]).toEqual([429, 'session.codes_spent'])
  expect(Number(unknown.reply.headers['retry-after'])).toBeGreaterThan(80_000)
  const known = await login(right(), { network: '192.0.2.1', device })
  expect(known.status).toBe(200)
  expect(known.device).not.toBe(device)
  expect((await login(right(), { network: '192.0.2.1', device })).status).toBe(429)
  expect((await login(right(), { network: '192.0.2.1', device: known.device })).status).toBe(200)
  now = new Date(now.getTime() + dayMs)
  expect((await login(right(), { network: '192.0.2.1' })).status).toBe(200)
})

test('concurrent wrong codes cannot exceed the limit', async () => {
  const replies = await Promise.all(Array.from({ length: 40 }, (_, index) => login(wrong(), { network: `203.0.113.${index}` })))
  expect(replies.filter(({ status }) => status === 401)).toHaveLength(20)
})

test('a known browser has its own twenty wrong codes a day, for its own user only', async () => {
  const { device } = await login(right())
  expect(await guess(25, device)).toEqual([...times(20, 401), ...times(5, 429)])
  expect((await login(right(), { network: '192.0.2.2' })).status).toBe(200)
  await app.world.database.kysely
    .updateTable('known_devices')
    .set(eb => ({ user_id: eb.selectFrom('users').select('id').where('email', '=', 'viewer@azahar.example') }))
    .execute()
  await app.world.database.kysely.deleteFrom('wrong_codes').execute()
  expect(await guess(20)).toEqual(times(20, 401))
  expect((await login(right(), { network: '192.0.2.2', device })).status).toBe(429)
})

test('a mailed link lets an owner in, and mail readers share twenty guesses', async () => {
  expect(await guess(30)).toEqual([...times(20, 401), ...times(10, 429)])
  const byMail = async () => {
    await app.ask('/api/auth/password/forgot', { body: { email }, remoteAddress: '192.0.2.3' })
    await app.world.outbox.drain()
    const mails = await app.world.database.kysely
      .selectFrom('mails')
      .select('text_body')
      .orderBy('at', 'desc')
      .orderBy('id', 'desc')
      .execute()
    const token = /reset#token=([\w-]+)/.exec(mails.find(({ text_body }) => text_body?.includes('reset#token='))?.text_body ?? '')?.[1]
    const reply = await app.ask('/api/auth/password/reset', { body: { token, password: demoPassword }, remoteAddress: '192.0.2.3' })
    return cookiesOf(reply)['device']
  }
  const device = await byMail()
  expect((await login(right(), { network: '192.0.2.3' })).status).toBe(429)
  expect(await guess(5, device)).toEqual(times(5, 401))
  const again = await byMail()
  expect(await guess(20, again)).toEqual([...times(15, 401), ...times(5, 429)])
  await app.world.database.kysely.deleteFrom('wrong_codes').where('source', '=', 'mail').execute()
  const known = await login(right(), { network: '192.0.2.3', device: again })
  expect(known.status).toBe(200)
  expect(await guess(20, known.device)).toEqual(times(20, 401))
})

test('wrong passwords from elsewhere do not lock out a known browser', async () => {
  const { device } = await login(right())
  await app.world.database.kysely.deleteFrom('sessions').execute()
  for (let index = 0; index < 100; index++) await login(undefined, { network: `203.0.113.${index}`, password: 'wrong' })
  expect((await login(right(), { network: '192.0.2.4' })).error).toBe('session.too_many')
  expect((await login(right(), { network: '192.0.2.4', device })).status).toBe(200)
})

test('an open session has twenty guesses, and dropping the factor drops devices', async () => {
  const { kysely } = app.world.database
  const { headers, user } = await signIn(app, 'viewer@azahar.example')
  const sealed = app.world.secrets.seal(user.uuid, secret)
  const factor = { user_id: user.uuid, secret: sealed.secret, sealed_by: sealed.sealedBy, created_at: now, confirmed_at: now }
  await kysely.insertInto('second_factors').values(factor).execute()
  const ask = (code: string, index: number) =>
    app.ask('/api/users/me/two-factor/recovery-codes', { body: { code }, headers, remoteAddress: `203.0.113.${index}` })
  const statuses = []
  for (let index = 0; index < 25; index++) statuses.push((await ask(wrong(), index)).status)
  expect(statuses).toEqual([...times(20, 422), ...times(5, 429)])
  const { device } = await login(right())
  expect(device).toBeDefined()
  const body = { password: demoPassword, code: right() }
  const own = await kysely.selectFrom('known_devices').select('user_id').execute()
  expect(own).toHaveLength(1)
  await kysely.deleteFrom('wrong_codes').execute()
  await kysely.deleteFrom('sign_in_failures').execute()
  await kysely.updateTable('known_devices').set({ user_id: user.uuid }).execute()
  expect((await app.ask('/api/users/me/two-factor', { method: 'DELETE', body, headers })).status).toBe(200)
  expect(await kysely.selectFrom('known_devices').selectAll().execute()).toEqual([])
})

test('attempts after the code limit count for the network, not for the address', async () => {
  await guess(20)
  const errors = []
  for (let time = 0; time < 11; time++) errors.push((await login(wrong(), { network: '192.0.2.5' })).error)
  expect(errors).toEqual([...Array.from({ length: 10 }, () => 'session.codes_spent'), 'session.too_many'])
  const counted = await app.world.database.kysely.selectFrom('sign_in_failures').select(['network', 'kind']).execute()
  expect(counted.filter(({ network }) => network === '192.0.2.5')).toHaveLength(10)
  expect(new Set(counted.map(({ kind }) => kind))).toEqual(new Set(['code']))
})
