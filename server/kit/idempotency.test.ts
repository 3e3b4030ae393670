import * as z from 'zod/mini'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { call } from '#common/kit/call.ts'
import { Refusal } from '#common/kit/refusals.ts'
import { signIn } from '#server/session/testing.ts'
import { serve } from './serve.ts'
import { type TestApp, testApp } from './testing.ts'

const repeatable = call({
  method: 'POST',
  path: '/api/test/repeatable',
  summary: 'A call that may be repeated',
  needs: 'unit',
  idempotent: true,
  ask: z.strictObject({ n: z.number() }),
  answer: z.object({ count: z.number(), n: z.number() }),
})

let app: TestApp
let headers: Record<string, string>
let others: Record<string, string>
let now = new Date('2026-11-20T10:00:00Z')
let count = 0
let behave: () => Promise<void> = () => Promise.resolve()

beforeAll(async () => {
  app = await testApp(
    {},
    {
      clock: { now: () => now },
      alsoServe: front =>
        serve(front, repeatable, async ({ ask }) => {
          count += 1
          await behave()
          return { count, n: ask.n }
        }),
    },
  )
  headers = (await signIn(app, 'agent@azahar.example')).headers
  others = (await signIn(app, 'agent@rotta.example')).headers
})
afterAll(() => app.stop())

const ask = (key: string, n: number, as = headers) =>
  app.ask('/api/test/repeatable', { body: { n }, headers: { ...as, 'idempotency-key': key } })

test('the same key with the same question gives the first reply again, byte for byte', async () => {
  const [first, again] = [await ask('k1', 1), await ask('k1', 1)]
  expect(first.status).toBe(200)
  expect(again.text).toBe(first.text)
  expect((await ask('k2', 1)).text).not.toBe(first.text)
})

test('with another question it is refused; another unit’s key is another key', async () => {
  await ask('k3', 1)
  const other = await ask('k3', 2)
  expect([other.status, other.body.error]).toEqual([422, 'idempotency.mismatch'])
  expect((await ask('k3', 2, others)).status).toBe(200)
})

test('while the first is running the second is told to wait, and it is carried out once', async () => {
  const [entered, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  behave = () => {
    entered.resolve()
    return gate.promise
  }
  const before = count
  const first = ask('k4', 1)
  await entered.promise
  const second = await ask('k4', 1)
  expect([second.status, second.body.error, second.headers['retry-after']]).toEqual([409, 'idempotency.running', '1'])
  gate.resolve()
  behave = () => Promise.resolve()
  expect((await first).status).toBe(200)
  expect(count).toBe(before + 1)
  expect((await ask('k4', 1)).text).toBe((await first).text)
})

test('a refusal is kept, a failure of ours is not', async () => {
  behave = () => Promise.reject(new Refusal('request.conflict'))
  const refused = await ask('k5', 1)
  behave = () => Promise.reject(new Error('broken'))
  expect((await ask('k6', 1)).status).toBe(500)
  behave = () => Promise.resolve()
  expect((await ask('k5', 1)).text).toBe(refused.text)
  expect((await ask('k6', 1)).status).toBe(200)
})

test('a claim left behind by a crash is taken over after a minute; a day later the key is free', async () => {
  const unit = await app.world.database.kysely
    .selectFrom('business_units')
    .select('id')
    .where('key', '=', 'azahar')
    .executeTakeFirstOrThrow()
  const first = await ask('k7', 1)
  await app.world.database.kysely
    .updateTable('idempotency')
    .set({ reply: null, status: null })
    .where('key', '=', 'k7')
    .where('business_unit_id', '=', unit.id)
    .execute()
  expect((await ask('k7', 1)).status).toBe(409)
  now = new Date(now.getTime() + 61_000)
  const second = await ask('k7', 1)
  expect(second.status).toBe(200)
  expect(second.text).not.toBe(first.text)
  now = new Date(now.getTime() + 6 * 3_600_000)
  expect((await ask('k7', 1)).text).toBe(second.text)
  expect((await ask('k7', 2)).status).toBe(422)
})

test('a key is one to 255 characters', async () => {
  expect((await ask('x'.repeat(255), 1)).status).toBe(200)
  expect((await ask('x'.repeat(256), 1)).status).toBe(422)
})
