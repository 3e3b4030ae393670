import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '#server/kit/testing.ts'
import { begin, demoPassword, signIn } from '#server/session/testing.ts'
import { passwordLink } from './forgot-password.ts'
import { guessedBy } from './passwords.ts'

let app: TestApp

beforeAll(async () => {
  app = await testApp({ PUBLIC_URL: 'http://portal.example' })
})
afterAll(() => app.stop())

const names = ['Lucía Ferrer', 'l.ferrer@azahar.example', 'Viajes Azahar']

test.each([
  ['common', 'Password1234!'],
  ['common', 'qwertyuiop[123]'],
  ['common', 'Contraseña-2026'],
  ['common', '123456789012'],
  ['own', 'L.Ferrer@azahar.example'],
  ['own', 'lucia-FERRER-1984'],
  ['own', 'Viajes Azahar 2026!'],
  ['own', 'ferrer600123456'],
  ['few', 'aaaaaaaaaaaa'],
  ['few', 'ABCabcABCabc'],
  ['few', '----......----'],
] as const)('a password is refused as %s: %s', (rule, password) => {
  expect(guessedBy(password, names)).toBe(rule)
})

test.each([
  'a password of her own',
  'portolan-demo',
  'naranjos en flor junto a azahar',
  'lucia83920184726591',
  'a!$%&/()=?^abc',
  '839201847265',
])('a password that takes more than a list to guess is kept: %s', password => {
  expect(guessedBy(password, names)).toBeUndefined()
})

test('names without letters or of a single letter refuse nothing', () => {
  expect(guessedBy('correct battery staple', ['', '-', 'c o'])).toBeUndefined()
})

const guessed = (field: { message: string }) => expect.objectContaining({ path: 'password', ...field })

test('changing to an easy password is refused at its field, in the user’s language', async () => {
  const { headers } = await signIn(app, 'agent@azahar.example')
  const body = { current: demoPassword, password: 'Lucía Ferrer 2026' }
  const reply = await app.ask('/api/users/me/password', { method: 'PUT', body, headers: { ...headers, 'accept-language': 'it' } })
  expect([reply.status, reply.body.fields]).toEqual([422, [guessed({ message: expect.stringContaining('Suo nome') })]])
  expect((await begin(app, 'agent@azahar.example')).reply.status).toBe(200)
})

test('a link to choose a password survives the refusal of an easy one', async () => {
  const { database } = app.world
  const { id } = await database.kysely
    .selectFrom('users')
    .select('id')
    .where('email', '=', 'viewer@azahar.example')
    .executeTakeFirstOrThrow()
  const { path } = await database.asService(tx => passwordLink(app.world, tx, id))
  const token = path.split('#token=')[1]
  const reset = (password: string) => app.ask('/api/auth/password/reset', { body: { token, password } })
  const reply = await reset('viajes-azahar-1')
  expect([reply.status, reply.body.fields]).toEqual([422, [guessed({ message: expect.stringContaining('agency’s name') })]])
  expect((await reset('a password of her own')).status).toBe(200)
})

test('an invitation survives the refusal of a common password', async () => {
  const { headers } = await signIn(app, 'manager@azahar.example')
  await app.ask('/api/agency/users', { body: { name: 'Marta Gil', email: 'marta@azahar.example', roles: ['seller'] }, headers })
  await app.world.outbox.drain()
  const mail = (await app.ask('/dev/mail.json')).body.find(({ to }: { to: string }) => to === 'marta@azahar.example')
  const token = /invitation#token=([\w-]+)/.exec(mail.text)?.[1]
  const accept = (password: string) => app.ask('/api/auth/invitation/accept', { body: { token, password } })
  const replies = [await accept('iloveyou2026'), await accept('Marta Gil 1990'), await accept('a password of her own')]
  expect(replies.map(({ status, body }) => [status, body.fields?.[0].rule])).toEqual([
    [422, 'common'],
    [422, 'own'],
    [200, undefined],
  ])
})
