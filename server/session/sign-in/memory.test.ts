import { type CompiledQuery, sql } from 'kysely'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { openApp } from '#server/app.ts'
import { type Database, openDatabase } from '#server/kit/database.ts'
import { announced, type Change } from '#server/kit/notices/changes.ts'
import type { Listener } from '#server/kit/notices/notices.ts'
import { inProcess, type TestApp, testApp, testConfig } from '#server/kit/testing.ts'
import { openSessionMemory } from './memory.ts'
import { openSessionQuery } from '#server/session/queries.ts'
import { demoPassword, signIn, type SignedIn } from '#server/session/testing.ts'
import { hashToken } from '#server/session/tokens.ts'

let here: TestApp
let there: TestApp
/** Counts the other node's queries on connections of its own: in these tests, only those for sessions. */
let reads = 0
let now = new Date('2026-11-27T10:00:00Z')
const clock = { now: () => now }

beforeAll(async () => {
  here = await testApp({}, { clock })
  const { database } = here.world
  // On a server, the other node hears over the network. The embedded database has one process, in which both use the same notices.
  const other = database.embedded ? { ...database, close: () => Promise.resolve() } : await openAgain(database)
  const counting: Database = { ...other, onConnection: work => other.onConnection(alone => work(query => (reads++, alone(query)))) }
  there = inProcess(await openApp(testConfig(), counting, { clock }))
  await vi.waitUntil(() => other.notices.areHeard())
})
afterAll(async () => {
  await there.stop()
  await here.stop()
})

const openAgain = ({ pool }: Database) => openDatabase({ DATABASE_URL: pool.options.connectionString, DATABASE_POOL: 2, DATA_DIR: '' })

const statusFor = async ({ headers }: SignedIn) => (await there.ask('/api/business-unit/settings', { headers })).status

/** Returns a user whom the other node knows. */
async function known(email: string): Promise<SignedIn> {
  const user = await signIn(here, email)
  expect(await statusFor(user)).toBe(200)
  const before = reads
  expect(await statusFor(user)).toBe(200)
  expect(reads).toBe(before)
  return user
}

const { asService }: Pick<Database, 'asService'> = { asService: work => here.world.database.asService(work) }
/** Signs in a second time. */
const again = async (name: string) => (await signIn(here, `${name}@azahar.example`)).headers
const suspend = (suspended: boolean) =>
  asService(tx => tx.updateTable('business_units').set({ suspended }).where('key', '=', 'azahar').execute())

test.each<[string, string, number, (user: SignedIn) => Promise<unknown>]>([
  ['signs out', 'agent', 401, ({ headers }) => here.ask('/api/auth/session', { method: 'DELETE', headers })],
  [
    'ends all other sessions',
    'agent',
    401,
    async () => here.ask('/api/users/me/sessions', { method: 'DELETE', headers: await again('agent') }),
  ],
  [
    'chooses another password',
    'manager',
    401,
    async () => {
      const body = { current: demoPassword, password: 'quite another one' }
      return here.ask('/api/users/me/password', { method: 'PUT', body, headers: await again('manager') })
    },
  ],
  [
    'is suspended',
    'accounts',
    401,
    ({ user }) => asService(tx => tx.updateTable('users').set({ active: false }).where('id', '=', user.uuid).execute()),
  ],
  [
    'is no member any more',
    'viewer',
    403,
    ({ user }) => asService(tx => tx.deleteFrom('memberships').where('user_id', '=', user.uuid).execute()),
  ],
  [
    'works for an agency that is suspended',
    'agent',
    403,
    () => {
      onTestFinished(() => suspend(false).then(() => {}))
      return suspend(true)
    },
  ],
])('another node refuses the next call of a user who %s', async (_way, name, status, act) => {
  const user = await known(`${name}@azahar.example`)
  await act(user)
  await expect.poll(() => statusFor(user)).toBe(status)
})

test('another node asks for a second factor as soon as the agency does', async () => {
  const user = await known('agent@rotta.example')
  await asService(tx => sql`update business_units set settings = settings || '{"twoFactorRequired": true}' where key = 'rotta'`.execute(tx))
  await expect.poll(() => statusFor(user)).toBe(403)
  await asService(tx => sql`update business_units set settings = settings - 'twoFactorRequired' where key = 'rotta'`.execute(tx))
  await expect.poll(() => statusFor(user)).toBe(200)
})

test('a session in use is read and marked once a minute', async () => {
  const user = await known('agent@rotta.example')
  const seen = async () => {
    const [last] = await here.world.database.kysely
      .selectFrom('sessions')
      .select('last_seen_at')
      .where('token_hash', '=', hashToken(user.accessToken))
      .execute()
    return last?.last_seen_at.getTime()
  }
  now = new Date(now.getTime() + 60_000)
  const before = reads
  await statusFor(user)
  expect([reads - before, await seen()]).toEqual([0, now.getTime() - 60_000])
  now = new Date(now.getTime() + 1)
  for (let call = 0; call < 3; call++) await statusFor(user)
  // One to read it, and one to mark it.
  expect([reads - before, await seen()]).toEqual([2, now.getTime()])
})

/** Opens a memory whose database answers on demand, and whose notices the test sends. */
function openMemory(most?: number) {
  const answers: (() => void)[] = []
  const listeners: Listener[] = []
  const state = { isHeard: true, reads: 0 }
  const database = {
    notices: { listen: (listener: Listener) => void listeners.push(listener), areHeard: () => state.isHeard },
    onConnection: <T>(work: (alone: (query: CompiledQuery) => Promise<object[]>) => Promise<T>) =>
      work(async ({ parameters }) => {
        state.reads += 1
        await new Promise<void>(resolve => answers.push(resolve))
        const tokenHashes: Buffer[] = parameters.filter(value => Array.isArray(value)).flat()
        return tokenHashes.map(tokenHash => ({ tokenHash, sessionId, userId, roles: null }))
      }),
  }
  // Safe: the memory uses only these parts of a database.
  const memory = openSessionMemory({ database: database as never, elapsed: () => 0 }, most)
  return {
    ...memory,
    state,
    answer: () => answers.splice(0).map(answer => answer()),
    hear: (change: Change) => listeners.map(listener => listener.heard(change)),
    miss: () => listeners.map(listener => listener.missed()),
    async learn(token: string) {
      const read = memory.read(hashToken(token))
      await expect.poll(() => answers.length).toBe(1)
      this.answer()
      await read
    },
  }
}
const sessionId = '0a0f6f57-6fa4-4b0d-9b55-ec6a9f3bd001'
const userId = '8a0f6f57-6fa4-4b0d-9b55-ec6a9f3bd001'

test('a session is known until a change of it, of its user, or of any row', async () => {
  const memory = openMemory()
  for (const [table, rows, isForgotten] of [
    ['sessions', `id=${sessionId}`, true],
    ['sessions', `id=${userId}`, false],
    ['sessions', `user_id=${userId}`, true],
    ['users', `id=${userId}`, true],
    ['users', `id=${sessionId}`, false],
    ['memberships', `user_id=${userId}`, true],
    ['memberships', `user_id=${sessionId}`, false],
    ['second_factors', `user_id=${userId}`, true],
    ['business_units', '', true],
    ['sessions', '', true],
    ['proof', '', false],
  ] as const) {
    await memory.learn('a')
    memory.hear({ table, rows })
    expect([table, rows, memory.known(hashToken('a')) === undefined]).toEqual([table, rows, isForgotten])
  }
  await memory.learn('a')
  memory.miss()
  expect(memory.known(hashToken('a'))).toBeUndefined()
})

test('a session that was being read while it changed is not remembered', async () => {
  const memory = openMemory()
  const read = memory.read(hashToken('a'))
  await expect.poll(() => memory.state.reads).toBe(1)
  memory.hear({ table: 'sessions', rows: `id=${sessionId}` })
  memory.answer()
  expect(await read).toMatchObject({ sessionId })
  expect(memory.known(hashToken('a'))).toBeUndefined()
})

test('nothing is known or remembered while changes might not be heard', async () => {
  const memory = openMemory()
  await memory.learn('a')
  memory.state.isHeard = false
  expect(memory.known(hashToken('a'))).toBeUndefined()
  await memory.learn('b')
  memory.state.isHeard = true
  expect(memory.known(hashToken('a'))).toBeDefined()
  expect(memory.known(hashToken('b'))).toBeUndefined()
})

test('the oldest sessions are forgotten when there are too many', async () => {
  const memory = openMemory(2)
  for (const token of ['a', 'b', 'a', 'c']) await memory.learn(token)
  expect(['a', 'b', 'c'].map(token => memory.known(hashToken(token)) !== undefined)).toEqual([true, false, true])
})

test('every table and column that a session is read from is announced', async () => {
  let text = ''
  const onConnection = (work: (alone: (query: CompiledQuery) => Promise<object[]>) => Promise<unknown>) =>
    work(query => {
      text = query.sql
      return Promise.resolve([])
    })
  // Safe: the query uses only this part of a database.
  await openSessionQuery({ database: { onConnection } as never, elapsed: () => 0 })(hashToken('a'))
  const tables = [...text.matchAll(/(?:from|join) "(\w+)"/g)].map(([, table]) => String(table))
  expect(tables.toSorted()).toEqual(Object.keys(announced).toSorted())
  const unheard = Object.entries(announced).flatMap(([table, rules]) => rules.unheard.map(column => `"${table}"."${column}"`))
  // A last use is written once a minute, and read as often.
  expect(unheard.filter(column => text.includes(column))).toEqual(['"sessions"."last_seen_at"'])
})

test('no function of the database writes these tables, which no statement would show', async () => {
  const writes = `\\y(update|into|delete\\s+from|truncate)\\s+(only\\s+)?(${Object.keys(announced).join('|')})\\y`
  const { rows } = await sql`select proname from pg_proc where pronamespace = 'public'::regnamespace and prosrc ~* ${writes}`.execute(
    here.world.database.kysely,
  )
  expect(rows).toEqual([])
})
