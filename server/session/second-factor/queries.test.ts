import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { World } from '#server/kit/app-context.ts'
import { openSecrets, type Secrets, SecretsKeyError } from '#server/kit/store/secrets.ts'
import { type TestApp, testApp } from '#server/kit/testing.ts'
import { demoPassword, signIn } from '#server/session/testing.ts'
import { sealStored } from './queries.ts'
import { base32, codeAt, stepAt } from './totp.ts'

let app: TestApp
const now = new Date('2026-11-20T10:00:00Z')
const email = 'agent@azahar.example'

beforeAll(async () => {
  app = await testApp({}, { clock: { now: () => now } })
})
afterAll(() => app.stop())
beforeEach(async () => {
  await app.world.database.kysely.deleteFrom('second_factors').execute()
})

const worldWith = (secrets: Secrets): World => ({ ...app.world, secrets })
const keyed = (...keys: string[]) => openSecrets({ SECRETS_KEY: keys, DATA_DIR: '' })
const aKey = () => randomBytes(32).toString('base64')
const stored = () => app.world.database.kysely.selectFrom('second_factors').selectAll().executeTakeFirstOrThrow()

/** Stores a secret unencrypted, as an older version did. */
async function storeUnencrypted(): Promise<Buffer> {
  const secret = randomBytes(20)
  const { id } = await app.world.database.kysely.selectFrom('users').select('id').where('email', '=', email).executeTakeFirstOrThrow()
  await app.world.database.kysely
    .insertInto('second_factors')
    .values({ user_id: id, secret, sealed_by: null, created_at: now, confirmed_at: now })
    .execute()
  return secret
}

const login = (code: string) => app.ask('/api/auth/login', { body: { email, password: demoPassword, code } })

test('a new secret is stored encrypted', async () => {
  const { headers } = await signIn(app, email)
  const { secret } = (await app.ask('/api/users/me/two-factor', { body: { password: demoPassword }, headers })).body.data
  const { secret: kept, user_id, sealed_by } = await stored()
  expect(base32(app.world.secrets.open(user_id, { secret: kept, sealedBy: sealed_by }))).toBe(secret)
  const everything = JSON.stringify(await app.world.database.kysely.selectFrom('second_factors').selectAll().execute())
  expect(everything).not.toContain(secret)
  expect([sealed_by, kept.length]).toEqual([app.world.secrets.sealedBy, 48])
})

test('an unencrypted secret signs in and is encrypted at the next start', async () => {
  const secret = await storeUnencrypted()
  expect((await login(codeAt(secret, stepAt(now) - 1))).status).toBe(200)
  await sealStored(app.world)
  const sealed = await stored()
  expect([sealed.sealed_by, sealed.secret.includes(secret)]).toEqual([app.world.secrets.sealedBy, false])
  expect((await login(codeAt(secret, stepAt(now)))).status).toBe(200)
  await sealStored(app.world)
  expect((await stored()).secret.equals(sealed.secret)).toBe(true)
})

test('an unknown key stops the start, and a known former key is replaced', async () => {
  const secret = await storeUnencrypted()
  const [former, present] = [aKey(), aKey()]
  await sealStored(worldWith(keyed(former)))
  const before = await stored()
  await expect(sealStored(worldWith(keyed(present)))).rejects.toThrow(SecretsKeyError)
  expect(await stored()).toEqual(before)
  await sealStored(worldWith(keyed(present, former)))
  const { user_id, secret: kept, sealed_by } = await stored()
  expect(keyed(present).open(user_id, { secret: kept, sealedBy: sealed_by }).equals(secret)).toBe(true)
})
