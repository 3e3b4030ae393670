import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type TestApp, testApp } from '#server/kit/testing.ts'
import { codeAt, stepAt } from '#server/session/second-factor/totp.ts'
import { demoPassword, type SignedIn, signIn } from '#server/session/testing.ts'

let app: TestApp
let now: Date
let agent: SignedIn
const email = 'agent@azahar.example'
const browser = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/153.0.0.0 Safari/537.36'

beforeAll(async () => {
  now = new Date('2026-11-20T10:00:00Z')
  app = await testApp({ PUBLIC_URL: 'http://portal.example' }, { clock: { now: () => now } })
})
afterAll(() => app.stop())
beforeEach(async () => {
  now = new Date(now.getTime() + 3_600_000)
  const { kysely } = app.world.database
  for (const table of ['mails', 'jobs', 'recovery_codes', 'second_factors', 'sign_in_failures', 'sessions'] as const)
    await kysely.deleteFrom(table).execute()
  await kysely.updateTable('users').set({ locale: null }).where('email', '=', email).execute()
  agent = await signIn(app, email)
})

const ask = (path: string, body: unknown, method = 'POST', { headers } = agent) =>
  app.ask(path, { method, body, headers: { ...headers, 'user-agent': browser }, remoteAddress: '203.0.113.7' })
const otherPassword = 'quite another one'
const changePassword = (current: string, password: string) => ask('/api/users/me/password', { current, password }, 'PUT')
const factor = '/api/users/me/two-factor'
const pendingJobs = () =>
  app.world.database.kysely.selectFrom('jobs').select('topic').where('topic', '=', 'session.access_changed').execute()
async function mails(): Promise<{ to: string; subject: string; text: string; html: string }[]> {
  now = new Date(now.getTime() + 1000)
  await app.world.outbox.drain()
  return (await app.ask('/dev/mail.json')).body
}
const subjects = async () => (await mails()).map(({ subject }) => subject)

async function turnOn() {
  const { secret }: { secret: string } = (await ask(factor, { password: demoPassword })).body.data
  const fives = Array.from(secret, letter => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'))
  const bytes = Buffer.from((fives.join('').match(/.{8}/g) ?? []).map(byte => Number.parseInt(byte, 2)))
  const code = () => codeAt(bytes, stepAt(now))
  await ask(`${factor}/confirm`, { code: code() })
  now = new Date(now.getTime() + 30_000)
  return code
}

test('each change of the second factor is emailed with time, network and device', async () => {
  const code = await turnOn()
  expect(await subjects()).toEqual(['Viajes Azahar: verificación en dos pasos activada'])
  expect((await ask(`${factor}/recovery-codes`, { code: code() })).status).toBe(200)
  expect((await subjects())[0]).toBe('Viajes Azahar: códigos de recuperación nuevos')
  now = new Date(now.getTime() + 30_000)
  expect((await ask(factor, { password: demoPassword, code: code() }, 'DELETE')).status).toBe(200)
  const [mail] = await mails()
  expect([mail?.to, mail?.subject]).toEqual([email, 'Viajes Azahar: verificación en dos pasos desactivada'])
  expect(mail?.text).toContain(`Se ha desactivado la verificación en dos pasos de su cuenta ${email}.`)
  expect(mail?.text).toContain('desde la red 203.0.113.7 (Chrome, Windows).')
  expect(mail?.html).toContain('href="http://portal.example/auth/forgot"')
})

test('a notice is written with its change, and not for refused or pending changes', async () => {
  await changePassword('wrong', 'a much better one')
  await ask(factor, { password: demoPassword })
  await ask(`${factor}/confirm`, { code: '000000' })
  expect(await pendingJobs()).toHaveLength(0)
  expect((await changePassword(demoPassword, otherPassword)).status).toBe(200)
  expect(await pendingJobs()).toHaveLength(1)
  await changePassword(otherPassword, demoPassword)
})

test('a password changed by an emailed link is notified in the user’s language', async () => {
  await ask('/api/users/me', { locale: 'fr-FR' }, 'PUT')
  await app.ask('/api/auth/password/forgot', { body: { email } })
  const token = /#token=([\w-]+)/.exec((await mails())[0]?.text ?? '')?.[1]
  expect((await app.ask('/api/auth/password/reset', { body: { token, password: demoPassword } })).status).toBe(200)
  const [mail] = await mails()
  expect(mail?.subject).toBe('Viajes Azahar : votre mot de passe a changé')
  expect(mail?.text).toMatch(/Cela s’est produit le 20 novembre 2026 à \d\d:\d\d, depuis le réseau 127\.0\.0\.1/)
  expect(mail?.text).toContain('grâce à un lien envoyé à cette adresse')
})

test('a second factor reset by a manager is notified with the manager’s name', async () => {
  await turnOn()
  await mails()
  const manager = await signIn(app, 'manager@azahar.example')
  const reset = () => ask(`/api/agency/users/${agent.user.uuid}/reset-two-factor`, {}, 'POST', manager)
  expect((await reset()).status).toBe(200)
  const all = await mails()
  expect(all[0]?.subject).toBe('Viajes Azahar: verificación en dos pasos retirada')
  expect(all[0]?.text).toContain(`Andrés Molina ha retirado la verificación en dos pasos de su cuenta ${email}`)
  expect((await reset()).status).toBe(200)
  expect(await mails()).toHaveLength(all.length)
})

test('a user without units can change the password, and gets no notice', async () => {
  const { kysely } = app.world.database
  const units = await kysely.selectFrom('memberships').selectAll().where('user_id', '=', agent.user.uuid).execute()
  await kysely.deleteFrom('memberships').where('user_id', '=', agent.user.uuid).execute()
  expect((await changePassword(demoPassword, otherPassword)).status).toBe(200)
  expect((await changePassword(otherPassword, demoPassword)).status).toBe(200)
  expect(await pendingJobs()).toHaveLength(0)
  await kysely.insertInto('memberships').values(units).execute()
})
