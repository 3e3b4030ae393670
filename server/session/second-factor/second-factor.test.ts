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

/** Turns the second factor on. Returns a function for the code of the present step, and the recovery codes. */
async function turnOn() {
  const { secret } = (await ask('', { password: demoPassword })).body.data
  const bytes = fromBase32(secret)
  const code = (offset = 0) => codeAt(bytes, stepAt(now) + offset)
  const { recoveryCodes }: { recoveryCodes: string[] } = (await ask('/confirm', { code: code() })).body.data
  wait(30)
  return { code, recoveryCodes }
}

function fromBase32(text: string): Buffer {
  const fives = Array.from(text, letter => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'))
  return Buffer.from((fives.join('').match(/.{8}/g) ?? []).map(byte => Number.parseInt(byte, 2)))
}

describe('turning the second factor on', () => {
  test('needs password and code, and ends all other sessions', async () => {
    const other = await signIn(app, email)
    expect((await ask('', { password: 'wrong' })).body).toMatchObject({ code: 422, fields: [{ path: 'password' }] })
    const begin = (await ask('', { password: demoPassword })).body.data
    expect(begin.uri).toBe(`otpauth://totp/Portolan:${encodeURIComponent(email)}?secret=${begin.secret}&issuer=Portolan`)
    expect((await login()).status).toBe(200)
    expect((await ask('/confirm', { code: '000000' })).body).toMatchObject({ code: 422, error: 'session.wrong_code' })
    expect(await state()).toMatchObject({ on: false, recoveryCodesLeft: 0 })
    const confirmed = await ask('/confirm', { code: codeAt(fromBase32(begin.secret), stepAt(now)) })
    expect(new Set(confirmed.body.data.recoveryCodes).size).toBe(10)
    expect(await state()).toEqual({ on: true, since: now.toISOString(), required: false, recoveryCodesLeft: 10 })
    expect((await app.ask('/api/users/me', { headers: other.headers })).status).toBe(401)
    expect((await app.ask('/api/users/me', { headers: agent.headers })).body.data.twoFactor).toBe(true)
    expect((await ask('', { password: demoPassword })).body.error).toBe('session.two_factor_on')
  })

  test('stores neither the secret nor a recovery code in plain text', async () => {
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

describe('signing in with a second factor', () => {
  test('needs a code, but does not reveal that before the password is right', async () => {
    const { code } = await turnOn()
    expect((await login(code(), 'wrong')).body.error).toBe('session.bad_credentials')
    expect((await login(undefined, 'wrong')).body.error).toBe('session.bad_credentials')
    const withoutCode = await login()
    expect([withoutCode.status, withoutCode.body.error, withoutCode.headers['set-cookie']]).toEqual([401, 'session.code_needed', undefined])
    const reply = await login(` ${code().slice(0, 3)} ${code().slice(3)}`)
    expect(reply.status).toBe(200)
    const token = new URLSearchParams(reply.body.data.callback.split('?')[1]).get('token')
    const opened = await app.ask('/api/auth/session', { body: { token }, headers: { cookie: `flow=${cookiesOf(reply)['flow']}` } })
    expect(opened.body.data.user.twoFactor).toBe(true)
  })

  test('accepts a code once, and no earlier code after it (attack B31)', async () => {
    const { code } = await turnOn()
    const both = await Promise.all([login(code()), login(code())])
    expect(both.map(reply => String(reply.status)).toSorted()).toEqual(['200', '401'])
    expect((await login(code(-1))).body.error).toBe('session.bad_code')
    wait(30)
    expect((await login(code())).status).toBe(200)
  })

  test('refuses a code that is five steps off (attack B31)', async () => {
    const { code } = await turnOn()
    for (const offset of [-5, 5]) expect((await login(code(offset))).body.error).toBe('session.bad_code')
  })

  test('checks ten guesses and refuses the rest for fifteen minutes (attack B31)', async () => {
    const { code } = await turnOn()
    const wrong = code() === '123456' ? '654321' : '123456'
    const statuses = []
    for (let count = 0; count < 12; count++) statuses.push((await login(wrong, demoPassword, '198.51.100.9')).status)
    expect(statuses).toEqual([...Array(10).fill(401), 429, 429])
    expect((await login(code(), demoPassword, '198.51.100.9')).status).toBe(429)
    wait(15 * 60 + 30)
    expect((await login(code(), demoPassword, '198.51.100.9')).status).toBe(200)
  })

  test('accepts each recovery code once in place of the app’s code', async () => {
    const { recoveryCodes } = await turnOn()
    const [first = '', second = ''] = recoveryCodes
    const both = await Promise.all([login(first), login(first)])
    expect(both.map(reply => String(reply.status)).toSorted()).toEqual(['200', '401'])
    expect((await login(second.toLowerCase().replaceAll('-', ' '))).status).toBe(200)
    expect((await state()).recoveryCodesLeft).toBe(8)
  })

  test('still needs the code after a password reset', async () => {
    await turnOn()
    await app.ask('/api/auth/password/forgot', { body: { email } })
    await app.world.outbox.drain()
    const mails: { text: string }[] = (await app.ask('/dev/mail.json')).body
    const token = mails.map(({ text }) => /#token=([\w-]+)/.exec(text)?.[1]).find(Boolean)
    expect((await app.ask('/api/auth/password/reset', { body: { token, password: `${demoPassword}-2` } })).status).toBe(200)
    expect((await begin(app, email, `${demoPassword}-2`)).reply.body.error).toBe('session.code_needed')
    const old = app.world.database.kysely.selectFrom('users').select('password_hash').where('email', '=', 'viewer@azahar.example')
    await app.world.database.kysely.updateTable('users').set({ password_hash: old }).where('email', '=', email).execute()
  })
})

describe('the second factor', () => {
  test('replaces the old recovery codes by new ones', async () => {
    const { code, recoveryCodes } = await turnOn()
    expect((await ask('/recovery-codes', { code: '000000' })).status).toBe(422)
    const renewed = (await ask('/recovery-codes', { code: code() })).body.data.recoveryCodes
    expect(renewed).toHaveLength(10)
    expect((await login(recoveryCodes[0])).status).toBe(401)
    expect((await login(renewed[0])).status).toBe(200)
  })

  test('turns off with password and code, with limited guesses of either', async () => {
    const { code } = await turnOn()
    const off = (password: string, code: string) => ask('', { password, code }, { method: 'DELETE' })
    expect((await off('wrong', code())).body.error).toBe('session.wrong_password')
    for (let count = 0; count < 10; count++) expect((await off(demoPassword, '000000')).body.error).toBe('session.wrong_code')
    expect((await off(demoPassword, code())).status).toBe(429)
    wait(15 * 60 + 30)
    expect((await off(demoPassword, code())).body.data).toEqual({ on: false })
    expect((await login()).status).toBe(200)
    expect((await off(demoPassword, code(1))).body.error).toBe('session.two_factor_off')
  })

  test('cannot be missing or turned off in a unit that requires it', async () => {
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
