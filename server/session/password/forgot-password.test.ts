import type { PoolClient } from 'pg'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type TestApp, testApp } from '#server/kit/testing.ts'

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
const told = (outcome: 'done' | 'refused') =>
  app.world.database.kysely
    .selectFrom('audit')
    .leftJoin('audit_repeats', 'audit_id', 'audit.id')
    .select(['audit.network', 'audit.reason', 'times'])
    .where('audit.action', '=', 'session.forgot_password')
    .where('outcome', '=', outcome)
    .where('at', '>=', now)
    .orderBy('audit.reason')
    .execute()

/** The text of every statement that goes to the database while the work goes on. */
async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
  const { pool } = app.world.database
  const statements: string[] = []
  const connect = pool.connect.bind(pool) as () => Promise<PoolClient>
  const watched = async () => {
    const client = await connect()
    const query = client.query.bind(client) as (...given: unknown[]) => unknown
    const release = client.release.bind(client)
    const textOf = (given: unknown) => (typeof given === 'string' ? given : (given as { text: string }).text)
    Object.assign(client, {
      query: (...given: unknown[]) => {
        statements.push(textOf(given[0]))
        return query(...given)
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

test('a known and an unknown address cost the same statements before the reply, and the rest comes after it', async () => {
  const before = await mails()
  const known = await statementsOf(() => forget('agent@azahar.example', '198.51.100.2'))
  const unknown = await statementsOf(() => forget('nobody@azahar.example', '198.51.100.2'))
  expect(known.filter(text => text === 'commit')).toHaveLength(1)
  expect(known.filter(text => text.includes('insert into "jobs"'))).toHaveLength(1)
  expect(unknown).toEqual(known)
  expect(await mails()).toBe(before + 1)
})

test('one address from one network is put off after ten, whether or not anybody has it; signing in is counted apart', async () => {
  for (const email of ['agent@azahar.example', 'nobody@azahar.example']) {
    const statuses = []
    for (let time = 0; time < 12; time++) statuses.push((await forget(email)).status)
    expect(statuses, email).toEqual([...Array(10).fill(200), 429, 429])
  }
  const refused = await forget('agent@azahar.example')
  expect([refused.body.error, refused.headers['retry-after']]).toEqual(['session.too_many', '900'])
  const body = { email: 'agent@azahar.example', password: 'portolan-demo' }
  expect((await app.ask('/api/auth/login', { body, remoteAddress: '198.51.100.1' })).status).toBe(200)
})

test('one network is put off after a hundred addresses, and one address after a hundred networks', async () => {
  const network = await Promise.all(Array.from({ length: 120 }, (_, place) => forget(`n${place}@e.example`, '198.51.100.3')))
  expect(network.filter(({ status }) => status === 200)).toHaveLength(100)
  const address = await Promise.all(Array.from({ length: 120 }, (_, place) => forget('viewer@azahar.example', `203.0.113.${place}`)))
  expect(address.filter(({ status }) => status === 200)).toHaveLength(100)
})

test('an owner gets five mails an hour, however often somebody asks', async () => {
  const before = await mails()
  for (let place = 0; place < 9; place++) await forget('manager@azahar.example', `203.0.113.${place}`)
  expect(await mails()).toBe(before + 5)
  expect(await told('done')).toHaveLength(5)
})

test('what is refused of the anonymous is one row of the audit for each network and hour, which says how many it stands for', async () => {
  for (let time = 0; time < 40; time++) await forget(`x${time % 2}@e.example`, '198.51.100.4')
  expect(await mails()).toBeGreaterThan(0)
  expect(await told('refused')).toEqual([
    { network: '198.51.100.4', reason: 'session.too_many', times: 20 },
    { network: '198.51.100.4', reason: 'unknown', times: 20 },
  ])
})

test('of many networks a hundred are told apart, and the others are one row', async () => {
  for (let place = 0; place < 130; place++)
    await app.ask('/api/auth/session', { body: { token: 'no such token' }, remoteAddress: `203.0.${place}.1` })
  const rows = await app.world.database.kysely.selectFrom('audit_repeats').selectAll().where('action', '=', 'session.open').execute()
  expect(rows).toHaveLength(101)
  expect(rows.find(({ network }) => network === 'others')?.times).toBe(30)
  const { kysely } = app.world.database
  expect(await kysely.selectFrom('audit').select('id').where('action', '=', 'session.open').execute()).toHaveLength(101)
})
