import type { PoolClient } from 'pg'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type TestApp, testApp } from '#server/kit/testing.ts'
import { purge } from '#server/session/purge.ts'

let app: TestApp
let now = new Date('2026-11-20T10:00:00Z')

beforeAll(async () => {
  app = await testApp({}, { clock: { now: () => now } })
})
beforeEach(async () => {
  await app.world.outbox.drain()
  now = new Date(now.getTime() + 2 * 3_600_000)
})
afterAll(() => app.stop())

const forget = (email: string, remoteAddress = '198.51.100.1') => app.ask('/api/auth/password/forgot', { body: { email }, remoteAddress })
const mails = async () => {
  await app.world.outbox.drain()
  const { kysely } = app.world.database
  return (await kysely.selectFrom('mails').select('recipient_address').where('template', '=', 'password_reset').execute()).length
}
const audited = (outcome: 'done' | 'refused') =>
  app.world.database.kysely
    .selectFrom('audit')
    .leftJoin('audit_repeats', 'audit_id', 'audit.id')
    .select(['audit.network', 'audit.reason', 'times'])
    .where('audit.action', '=', 'session.forgot_password')
    .where('outcome', '=', outcome)
    .where('at', '>=', now)
    .orderBy('audit.reason')
    .execute()

/** Returns the text of a query, which is a text or an object that has one. */
function textOf(query: unknown): string {
  if (typeof query === 'object' && query !== null && 'text' in query) return String(query.text)
  return String(query)
}

/** Records the text of every statement sent to the database during the work. */
async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
  const { pool } = app.world.database
  const statements: string[] = []
  // Safe: the database calls connect without a callback, and query with a text or an object that has one.
  const connect = pool.connect.bind(pool) as () => Promise<PoolClient>
  const watched = async () => {
    const client = await connect()
    // Safe: as above.
    const query = client.query.bind(client) as (...parameters: unknown[]) => unknown
    const release = client.release.bind(client)
    Object.assign(client, {
      query: (...parameters: unknown[]) => {
        const text = textOf(parameters[0])
        // This row is read at most every 200 ms, by any request.
        if (!text.includes('"business_clock"')) statements.push(text)
        return query(...parameters)
      },
      release: () => {
        Object.assign(client, { query, release })
        release()
      },
    })
    return client
  }
  Object.assign(pool, { connect: watched })
  await work()
  Object.assign(pool, { connect })
  return statements
}

test('known and unknown addresses cost the same statements before the response', async () => {
  const before = await mails()
  const known = await statementsOf(() => forget('agent@azahar.example', '198.51.100.2'))
  const unknown = await statementsOf(() => forget('unknown@azahar.example', '198.51.100.2'))
  expect(known.filter(text => text === 'commit')).toHaveLength(1)
  expect(known.filter(text => text.includes('insert into "jobs"'))).toHaveLength(1)
  expect(unknown).toEqual(known)
  expect(await mails()).toBe(before + 1)
})

test('ten resets per address and network are allowed, apart from sign-ins', async () => {
  for (const email of ['agent@azahar.example', 'unknown@azahar.example']) {
    const statuses = []
    for (let time = 0; time < 12; time++) statuses.push((await forget(email)).status)
    expect(statuses, email).toEqual([...Array(10).fill(200), 429, 429])
  }
  const refused = await forget('agent@azahar.example')
  expect([refused.body.error, refused.headers['retry-after']]).toEqual(['session.too_many', '900'])
  const body = { email: 'agent@azahar.example', password: 'portolan-demo' }
  expect((await app.ask('/api/auth/login', { body, remoteAddress: '198.51.100.1' })).status).toBe(200)
})

test('a network is limited after a hundred addresses', async () => {
  const network = await Promise.all(Array.from({ length: 120 }, (_, index) => forget(`n${index}@e.example`, '198.51.100.3')))
  expect(network.filter(({ status }) => status === 200)).toHaveLength(100)
})

test('requests from strangers do not lock out the owner, known address or not', async () => {
  for (const email of ['viewer@azahar.example', 'unknown@azahar.example']) {
    const networks = Array.from({ length: 100 }, (_, index) => forget(email, `203.0.113.${index % 10}`))
    expect(new Set((await Promise.all(networks)).map(({ status }) => status)), email).toEqual(new Set([200]))
    const own = await forget(email, '192.0.2.7')
    expect([own.status, own.body]).toEqual([200, { code: 200, data: { sent: true } }])
  }
})

test('an owner gets at most five reset mails an hour', async () => {
  const before = await mails()
  for (let index = 0; index < 9; index++) await forget('manager@azahar.example', `203.0.113.${index}`)
  expect(await mails()).toBe(before + 5)
  expect(await audited('done')).toHaveLength(5)
})

test('anonymous refusals are one counted audit entry per network and hour', async () => {
  const before = await mails()
  await forget('accounts@azahar.example', '198.51.100.5')
  for (let time = 0; time < 40; time++) await forget(`x${time % 2}@e.example`, '198.51.100.4')
  expect(await mails()).toBe(before + 1)
  expect(await audited('refused')).toEqual([
    { network: '198.51.100.4', reason: 'session.too_many', times: 20 },
    { network: '198.51.100.4', reason: 'unknown', times: 20 },
  ])
})

test('beyond a hundred networks, anonymous refusals share one audit entry', async () => {
  const open = (remoteAddress: string) => app.ask('/api/auth/session', { body: { token: 'no such token' }, remoteAddress })
  for (let index = 0; index < 150; index++) await open(`2001:db8:7:${index.toString(16)}::1`)
  for (let index = 0; index < 129; index++) await open(`203.0.${index}.1`)
  const { kysely } = app.world.database
  const rows = await kysely.selectFrom('audit_repeats').selectAll().where('action', '=', 'session.open').execute()
  expect(rows).toHaveLength(101)
  const timesOf = (name: string) => rows.find(({ network }) => network === name)?.times
  expect([timesOf('2001:db8:7::/48'), timesOf('others')]).toEqual([150, 30])
  expect(await kysely.selectFrom('audit').select('id').where('action', '=', 'session.open').execute()).toHaveLength(101)
})

test('an attack on an account has its own audit entries with its last moment', async () => {
  const { kysely } = app.world.database
  const attack = (email: string, remoteAddress: string) => app.ask('/api/auth/login', { body: { email, password: 'wrong' }, remoteAddress })
  for (let index = 0; index < 110; index++) await attack('unknown@e.example', `198.18.${index}.1`)
  for (let index = 0; index < 25; index++) {
    now = new Date(now.getTime() + 1000)
    await attack('admin@portolan.example', `198.19.${index}.1`)
  }
  const rows = await kysely
    .selectFrom('audit_repeats')
    .innerJoin('audit', 'audit.id', 'audit_id')
    .innerJoin('users', 'users.id', 'audit.user_id')
    .where('users.email', '=', 'admin@portolan.example')
    .select(['audit.network', 'audit_repeats.network as kept', 'times', 'last_at'])
    .orderBy('last_at', 'desc')
    .execute()
  expect(rows).toHaveLength(21)
  expect(rows[0]).toEqual({ network: '', kept: 'others', times: 5, last_at: now })
})

test('counts of refusals are kept for four hundred days', async () => {
  const count = async () => (await app.world.database.kysely.selectFrom('audit_repeats').select('audit_id').execute()).length
  for (let index = 0; index < 120; index++) await forget(`c${index}@e.example`, `198.20.${index}.1`)
  await app.world.outbox.drain()
  now = new Date(now.getTime() + 399 * 86_400_000)
  await purge(app.world)
  expect(await count()).toBeGreaterThan(100)
  now = new Date(now.getTime() + 2 * 86_400_000)
  await purge(app.world)
  expect(await count()).toBe(0)
})
