import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '#server/kit/testing.ts'
import { begin, cookiesOf, demoPassword, type SignedIn, signIn } from '#server/session/testing.ts'
import { codeAt, stepAt } from './totp.ts'

let app: TestApp
let now: Date
let agent: SignedIn
const email = 'agent@azahar.example'

beforeAll(async () => {
  app = await testApp({ PUBLIC_URL: 'http://portal.example' }, { clock: { now: () => now } })
})
afterAll(() => app.stop())

beforeEach(async () => {
  now = new Date('2026-11-20T10:00:00Z')
  const { kysely } = app.world.database
  for (const table of ['recovery_codes', 'second_factors', 'sign_in_failures', 'sessions', 'wrong_codes', 'known_devices'] as const)
    await kysely.deleteFrom(table).execute()
  agent = await signIn(app, email)
})

const wait = (seconds: number) => {
  now = new Date(now.getTime() + seconds * 1000)
}
const path = '/api/users/me/two-factor'
const ask = (suffix: string, body: unknown, { headers = agent.headers, method = 'POST' } = {}) =>
  app.ask(path + suffix, { method, body, headers })
const state = async () => (await app.ask(path, { headers: agent.headers })).body.data
const login = (code?: string, password = demoPassword, remoteAddress = '127.0.0.1') =>
  app.ask('/api/auth/login', { body: { email, password, ...(code === undefined ? {} : { code }) }, remoteAddress })

/** Turned on; the secret gives the codes of any moment. */
async function turnOn() {
  const { secret } = (await ask('', { password: demoPassword })).body.data
  const bytes = fromBase32(secret)
  const code = (offset = 0) => codeAt(bytes, stepAt(now) + offset)
  const { recoveryCodes } = (await ask('/confirm', { code: code() })).body.data
  wait(30)
  return { code, recoveryCodes: recoveryCodes as string[] }
}

function fromBase32(text: string): Buffer {
  const fives = Array.from(text, letter => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'))
  return Buffer.from((fives.join('').match(/.{8}/g) ?? []).map(byte => Number.parseInt(byte, 2)))
}

describe('turning it on', () => {
  test('asks for the password, counts from the first code on, and ends the other sessions', async () => {
    const elsewhere = await signIn(app, email)
    expect((await ask('', { password: 'wrong' })).body).toMatchObject({ code: 422, fields: [{ path: 'password' }] })
    const begun = (await ask('', { password: demoPassword })).body.data
    expect(begun.uri).toBe(`otpauth://totp/Portolan:${encodeURIComponent(email)}?secret=${begun.secret}&issuer=Portolan`)
    expect((await login()).status).toBe(200)
    expect((await ask('/confirm', { code: '000000' })).body).toMatchObject({ code: 422, error: 'session.wrong_code' })
    expect(await state()).toMatchObject({ on: false, recoveryCodesLeft: 0 })
    const confirmed = await ask('/confirm', { code: codeAt(fromBase32(begun.secret), stepAt(now)) })
    expect(new Set(confirmed.body.data.recoveryCodes).size).toBe(10)
    expect(await state()).toEqual({ on: true, since: now.toISOString(), required: false, recoveryCodesLeft: 10 })
    expect((await app.ask('/api/users/me', { headers: elsewhere.headers })).status).toBe(401)
    expect((await app.ask('/api/users/me', { headers: agent.headers })).body.data.twoFactor).toBe(true)
    expect((await ask('', { password: demoPassword })).body.error).toBe('session.two_factor_on')
  })

  test('neither the secret nor a recovery code is written where it could be read', async () => {
    const { recoveryCodes } = await turnOn()
    const { kysely } = app.world.database
    const stored = JSON.stringify([
      await kysely.selectFrom('recovery_codes').selectAll().execute(),
      await kysely.selectFrom('audit').selectAll().execute(),
    ])
    expect(stored).not.toContain((recoveryCodes[0] ?? '').replaceAll('-', ''))
    expect(stored).not.toContain(recoveryCodes[0])
  })
})

describe('signing in', () => {
  test('needs the code beside the password, and tells nothing of it to whoever has no password', async () => {
    const { code } = await turnOn()
    expect((await login(code(), 'wrong')).body.error).toBe('session.bad_credentials')
    expect((await login(undefined, 'wrong')).body.error).toBe('session.bad_credentials')
    const asked = await login()
    expect([asked.status, asked.body.error, asked.headers['set-cookie']]).toEqual([401, 'session.code_needed', undefined])
    const reply = await login(` ${code().slice(0, 3)} ${code().slice(3)}`)
    expect(reply.status).toBe(200)
    const token = new URLSearchParams(reply.body.data.callback.split('?')[1]).get('token')
    const opened = await app.ask('/api/auth/session', { body: { token }, headers: { cookie: `flow=${cookiesOf(reply)['flow']}` } })
    expect(opened.body.data.user.twoFactor).toBe(true)
  })

  test('B31: a code is taken once, of two at once by one, and not the one before it afterwards', async () => {
    const { code } = await turnOn()
    const both = await Promise.all([login(code()), login(code())])
    expect(both.map(reply => String(reply.status)).toSorted()).toEqual(['200', '401'])
    expect((await login(code(-1))).body.error).toBe('session.bad_code')
    wait(30)
    expect((await login(code())).status).toBe(200)
  })

  test('B31: five steps off is no code', async () => {
    const { code } = await turnOn()
    for (const offset of [-5, 5]) expect((await login(code(offset))).body.error).toBe('session.bad_code')
  })

  test('B31: of a hundred guesses ten are looked at', async () => {
    const { code } = await turnOn()
    const wrong = code() === '123456' ? '654321' : '123456'
    const statuses = []
    for (let count = 0; count < 12; count++) statuses.push((await login(wrong, demoPassword, '198.51.100.9')).status)
    expect(statuses).toEqual([...Array(10).fill(401), 429, 429])
    expect((await login(code(), demoPassword, '198.51.100.9')).status).toBe(429)
    wait(15 * 60 + 30)
    expect((await login(code(), demoPassword, '198.51.100.9')).status).toBe(200)
  })

  test('a recovery code stands in for the telephone, once', async () => {
    const { recoveryCodes } = await turnOn()
    const [first = '', second = ''] = recoveryCodes
    const both = await Promise.all([login(first), login(first)])
    expect(both.map(reply => String(reply.status)).toSorted()).toEqual(['200', '401'])
    expect((await login(second.toLowerCase().replaceAll('-', ' '))).status).toBe(200)
    expect((await state()).recoveryCodesLeft).toBe(8)
  })

  test('a forgotten password does not get around it', async () => {
    await turnOn()
    await app.ask('/api/auth/password/forgot', { body: { email } })
    await app.world.outbox.drain()
    const mails = (await app.ask('/dev/mail.json')).body
    const token = /#token=([\w-]+)/.exec(mails[0].text)?.[1]
    expect((await app.ask('/api/auth/password/reset', { body: { token, password: `${demoPassword}-2` } })).status).toBe(200)
    expect((await begin(app, email, `${demoPassword}-2`)).reply.body.error).toBe('session.code_needed')
    const old = app.world.database.kysely.selectFrom('users').select('password_hash').where('email', '=', 'viewer@azahar.example')
    await app.world.database.kysely.updateTable('users').set({ password_hash: old }).where('email', '=', email).execute()
  })
})

describe('later', () => {
  test('new recovery codes take the place of the old ones', async () => {
    const { code, recoveryCodes } = await turnOn()
    expect((await ask('/recovery-codes', { code: '000000' })).status).toBe(422)
    const renewed = (await ask('/recovery-codes', { code: code() })).body.data.recoveryCodes
    expect(renewed).toHaveLength(10)
    expect((await login(recoveryCodes[0])).status).toBe(401)
    expect((await login(renewed[0])).status).toBe(200)
  })

  test('it is turned off with password and code, and guessing either is put off', async () => {
    const { code } = await turnOn()
    const off = (password: string, given: string) => ask('', { password, code: given }, { method: 'DELETE' })
    expect((await off('wrong', code())).body.error).toBe('session.wrong_password')
    for (let count = 0; count < 10; count++) expect((await off(demoPassword, '000000')).body.error).toBe('session.wrong_code')
    expect((await off(demoPassword, code())).status).toBe(429)
    wait(15 * 60 + 30)
    expect((await off(demoPassword, code())).body.data).toEqual({ on: false })
    expect((await login()).status).toBe(200)
    expect((await off(demoPassword, code(1))).body.error).toBe('session.two_factor_off')
  })

  test('a unit that asks for it lets nobody in without, and nobody turns it off', async () => {
    const { kysely } = app.world.database
    const unit = await kysely.selectFrom('business_units').select(['id', 'settings']).where('key', '=', 'azahar').executeTakeFirstOrThrow()
    const settings = (more: object) =>
      kysely
        .updateTable('business_units')
        .set({ settings: JSON.stringify({ ...unit.settings, ...more }) })
        .where('id', '=', unit.id)
        .execute()
    await settings({ twoFactorRequired: true })
    const inUnit = () => app.ask('/api/business-unit/settings', { headers: agent.headers })
    expect((await inUnit()).body).toMatchObject({ code: 403, error: 'session.two_factor_needed' })
    expect((await state()).required).toBe(true)
    const { code } = await turnOn()
    expect((await inUnit()).status).toBe(200)
    expect((await ask('', { password: demoPassword, code: code() }, { method: 'DELETE' })).body.error).toBe('session.two_factor_required')
    expect((await state()).on).toBe(true)
    await settings({})
  })
})
