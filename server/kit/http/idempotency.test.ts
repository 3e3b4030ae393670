import { createHash } from 'node:crypto'
import * as z from 'zod/mini'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Call } from '#common/kit/call.ts'
import { Refusal } from '#common/kit/refusals.ts'
import { signIn } from '#server/session/testing.ts'
import { serve } from '#server/kit/serve.ts'
import { type TestApp, testApp } from '#server/kit/testing.ts'

const schemas = {
  summary: 'A call that may be repeated',
  request: z.strictObject({ n: z.number(), parts: z.optional(z.array(z.strictObject({ a: z.number(), b: z.number() }))) }),
  response: z.object({ count: z.number(), n: z.number() }),
}
const repeatable: Call<typeof schemas> = { method: 'POST', path: '/api/test/repeatable', needs: 'unit', idempotent: true }

const another = { ...repeatable, path: '/api/test/another' }

let app: TestApp
let headers: Record<string, string>
let others: Record<string, string>
let now = new Date('2026-11-20T10:00:00Z')
let count = 0
let behave: () => Promise<void> = () => Promise.resolve()

beforeAll(async () => {
  app = await testApp(
    { SESSION_IDLE_HOURS: '720' },
    {
      clock: { now: () => now },
      alsoServe: context => {
        for (const each of [repeatable, another])
          serve(context, each, schemas, async ({ ask }) => {
            count += 1
            const mine = count
            await behave()
            return { count: mine, n: ask.n }
          })
      },
    },
  )
  headers = (await signIn(app, 'agent@azahar.example')).headers
  others = (await signIn(app, 'agent@rotta.example')).headers
})
afterAll(() => app.stop())

const later = (seconds: number) => {
  now = new Date(now.getTime() + seconds * 1000)
}
const ask = (key: string, n: number, as = headers) =>
  app.ask('/api/test/repeatable', { body: { n }, headers: { ...as, 'idempotency-key': key } })

test('a key of one call is refused for another call', async () => {
  expect((await ask('of one call', 1)).status).toBe(200)
  const reply = await app.ask('/api/test/another', { body: { n: 1 }, headers: { ...headers, 'idempotency-key': 'of one call' } })
  expect([reply.status, reply.body.error]).toEqual([422, 'idempotency.mismatch'])
})

test('the same key with the same request gets the first reply again, byte for byte', async () => {
  const [first, again] = [await ask('k1', 1), await ask('k1', 1)]
  expect(first.status).toBe(200)
  expect(again.text).toBe(first.text)
  expect((await ask('k2', 1)).text).not.toBe(first.text)
})

test('a request whose first reply an older version stored gets that reply again', async () => {
  const first = await ask('of an older version', 1)
  const question = JSON.stringify(['POST', '/api/test/repeatable', {}, { n: 1 }])
  await app.world.database.kysely
    .updateTable('idempotency')
    .set({ question_hash: createHash('sha256').update(question).digest() })
    .where('key', '=', 'of an older version')
    .execute()
  expect((await ask('of an older version', 1)).text).toBe(first.text)
  expect((await ask('of an older version', 2)).body.error).toBe('idempotency.mismatch')
})

test('a key with another request is refused; another unit’s equal key is independent', async () => {
  await ask('k3', 1)
  const other = await ask('k3', 2)
  expect([other.status, other.body.error]).toEqual([422, 'idempotency.mismatch'])
  expect((await ask('k3', 2, others)).status).toBe(200)
})

test('requests count as equal in any order of fields, but not of list items', async () => {
  const send = (payload: string) =>
    app.ask('/api/test/repeatable', { payload, headers: { ...headers, 'content-type': 'application/json', 'idempotency-key': 'k-order' } })
  const first = await send('{"n":1,"parts":[{"a":1,"b":2},{"a":3,"b":4}]}')
  expect(first.status).toBe(200)
  expect((await send('{ "parts": [{"b":2,"a":1}, {"b":4,"a":3}], "n": 1 }')).text).toBe(first.text)
  for (const other of ['{"n":1,"parts":[{"a":3,"b":4},{"a":1,"b":2}]}', '{"n":1,"parts":[{"a":2,"b":1},{"a":3,"b":4}]}', '{"n":1}'])
    expect((await send(other)).status, other).toBe(422)
})

test('while the first request is running a second gets 409, and one is carried out', async () => {
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

test('only one of several concurrent requests with a key is carried out', async () => {
  const before = count
  const replies = await Promise.all([ask('k8', 1), ask('k8', 1), ask('k8', 1)])
  expect(count).toBe(before + 1)
  const done = replies.filter(({ status }) => status === 200)
  expect(done.length).toBeGreaterThan(0)
  expect(new Set(done.map(({ text }) => text)).size).toBe(1)
  expect(replies.every(({ status }) => status === 200 || status === 409)).toBe(true)
  expect((await ask('k8', 1)).text).toBe(done[0]?.text)
})

test.each(['request.conflict', 'request.not_found', 'session.forbidden'] as const)(
  'the refusal %s is stored, with its request id',
  async code => {
    behave = () => Promise.reject(new Refusal(code))
    const refused = await ask(`k5 ${code}`, 1)
    behave = () => Promise.resolve()
    const again = await ask(`k5 ${code}`, 1)
    expect([again.status, again.text]).toEqual([refused.status, refused.text])
  },
)

test.each([
  ['an unforeseen error', new Error('broken'), 500],
  ['an outage', new Refusal('service.unavailable', { retryAfter: 5 }), 503],
  ['a limit', new Refusal('session.too_many', { retryAfter: 60, params: { minutes: 1 } }), 429],
  ['a temporary conflict', new Refusal('request.conflict', { retryAfter: 2 }), 409],
])('%s is not stored', async (name, thrown, status) => {
  behave = () => Promise.reject(thrown)
  const failed = await ask(`k6 ${name}`, 1)
  expect(failed.status).toBe(status)
  behave = () => Promise.resolve()
  expect((await ask(`k6 ${name}`, 1)).status).toBe(200)
})

test('a lock left by a crash is free after 20 seconds, for the same request only', async () => {
  await leaveLock('k7')
  expect((await ask('k7', 1)).status).toBe(409)
  later(19)
  expect((await ask('k7', 1)).status).toBe(409)
  later(2)
  expect((await ask('k7', 2)).status).toBe(422)
  const second = await ask('k7', 1)
  expect(second.status).toBe(200)
  expect((await ask('k7', 1)).text).toBe(second.text)
})

test('a running handler keeps its lock, however long it takes', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const [entered, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  behave = () => {
    entered.resolve()
    return gate.promise
  }
  const before = count
  const slow = ask('k-long', 1)
  await entered.promise
  behave = () => Promise.resolve()
  for (let times = 0; times < 3; times++) {
    later(15)
    vi.advanceTimersByTime(3_000)
    await expect
      .poll(() => app.world.database.kysely.selectFrom('idempotency').select('claimed_at').where('key', '=', 'k-long').executeTakeFirst())
      .toEqual({ claimed_at: now })
    expect((await ask('k-long', 1)).status).toBe(409)
  }
  gate.resolve()
  vi.useRealTimers()
  const { text } = await slow
  expect((await ask('k-long', 1)).text).toBe(text)
  expect(count).toBe(before + 1)
})

test('a key is free again after a day', async () => {
  const first = await ask('k9', 1)
  later(23 * 3600)
  expect((await ask('k9', 1)).text).toBe(first.text)
  later(3601)
  const other = await ask('k9', 2)
  expect(other.body.data.n).toBe(2)
})

/** Leaves a lock as a node does that dies during the call. */
async function leaveLock(key: string): Promise<void> {
  await ask(key, 1)
  await app.world.database.kysely
    .updateTable('idempotency')
    .set({ reply: null, sealed: null, sealed_by: null, status: null })
    .where('key', '=', key)
    .execute()
}

test('a handler that lost its lock cannot overwrite the reply of the next one', async () => {
  const [entered, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  behave = () => {
    entered.resolve()
    return gate.promise
  }
  const slow = ask('k10', 1)
  await entered.promise
  behave = () => Promise.resolve()
  later(21)
  const second = await ask('k10', 1)
  expect(second.status).toBe(200)
  gate.resolve()
  await slow
  expect((await ask('k10', 1)).text).toBe(second.text)

  const failing = Promise.withResolvers<void>()
  const [started, before] = [Promise.withResolvers<void>(), count]
  behave = () => {
    started.resolve()
    return failing.promise
  }
  const lost = ask('k11', 1)
  await started.promise
  behave = () => Promise.resolve()
  later(21)
  const kept = await ask('k11', 1)
  failing.reject(new Error('broken'))
  expect((await lost).status).toBe(500)
  expect((await ask('k11', 1)).text).toBe(kept.text)
  expect(count).toBe(before + 2)
})

test('a reply that cannot be stored is still sent, and the call not repeated at once', async () => {
  const before = count
  const { database } = app.world
  behave = async () => void vi.spyOn(database, 'inScope').mockRejectedValueOnce(new Error('the disk is full'))
  const first = await ask('k12', 1)
  behave = () => Promise.resolve()
  vi.restoreAllMocks()
  expect(first.status).toBe(200)
  expect((await ask('k12', 1)).status).toBe(409)
  expect(count).toBe(before + 1)
})

test('a key has at most 255 characters', async () => {
  expect((await ask('x'.repeat(255), 1)).status).toBe(200)
  expect((await ask('x'.repeat(256), 1)).status).toBe(422)
})
