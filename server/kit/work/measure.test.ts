import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openApp } from '#server/app.ts'
import { inProcess, type TestApp, testApp, testConfig, testDatabase } from '#server/kit/testing.ts'
import { openJobs } from './measure.ts'

let app: TestApp
let now: Date
beforeAll(async () => {
  now = new Date('2026-11-20T10:00:00Z')
  app = await testApp({}, { clock: { now: () => now } })
})
afterAll(() => app.stop())

const metrics = async (of = app) => (await of.ask('/metrics')).text.split('\n')

/** Inserts mail jobs in a given state. */
const insertJobs = (many: number, state: string, runAt: Date, finishedAt: Date | null = null) =>
  sql`insert into jobs (business_unit_id, id, topic, subscriber, payload, state, run_at, created_at, finished_at)
    select id, gen_random_uuid(), 'mail.written', 'mail.send', '{}', ${state}, ${runAt}, ${now}::timestamptz - n * interval '1 second', ${finishedAt}
    from business_units, generate_series(1, ${many}) as n where key = 'azahar'`.execute(app.world.database.kysely)

test('all waiting jobs are counted, postponed ones too, with the age of the oldest', async () => {
  await insertJobs(148, 'waiting', new Date(now.getTime() + 3_600_000))
  await insertJobs(2, 'running', now)
  await insertJobs(3, 'failed', now, now)
  await insertJobs(5, 'done', now, now)
  now = new Date(now.getTime() + 60_000)
  const lines = await metrics()
  expect(lines).toContain('portolan_jobs_waiting{subscriber="mail.send"} 150')
  expect(lines).toContain('portolan_jobs_oldest_seconds{subscriber="mail.send"} 208')
  expect(lines).toContain('portolan_jobs_failed{subscriber="mail.send"} 3')
  expect(lines).toContain('portolan_jobs_waiting{subscriber="policies.purchased"} 0')
  expect(lines).toContain('portolan_jobs_oldest_seconds{subscriber="policies.purchased"} 0')
})

test('finished jobs are not counted', async () => {
  await sql`update jobs set state = 'done', finished_at = now()`.execute(app.world.database.kysely)
  const lines = await metrics()
  expect(lines).toContain('portolan_jobs_waiting{subscriber="mail.send"} 0')
  expect(lines).toContain('portolan_jobs_failed{subscriber="mail.send"} 0')
})

test('jobs are counted from an index alone', async () => {
  const { kysely } = app.world.database
  await sql`insert into jobs (business_unit_id, id, topic, subscriber, payload, state, run_at, created_at, finished_at)
    select id, gen_random_uuid(), 'mail.written', 'mail.send', '{}', 'done', now(), now(), now()
    from business_units, generate_series(1, 20000) as n where key = 'azahar'`.execute(kysely)
  await sql`vacuum analyze jobs`.execute(kysely)
  const plan = await openJobs(kysely).explain()
  expect(JSON.stringify(plan)).toContain('Index Only Scan using jobs_open')
})

test('the metrics name the running version', async () => {
  const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../../package.json'), 'utf8'))
  expect(await metrics()).toContain(`portolan_build_info{version="${version}",node="${process.versions.node}"} 1`)
})

test('connections in use and requests that wait for one are counted', async () => {
  const { pool } = app.world.database
  const busy = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()))
  const waiting = pool.connect()
  app.world.metrics.countConnections(pool)
  for (const client of busy) client.release()
  ;(await waiting).release()
  const text = await app.world.metrics.registry.metrics()
  expect(text).toContain(`portolan_database_connections{state="in_use"} ${pool.options.max}`)
  expect(text).toContain('portolan_database_connections{state="waiting"} 1')
})

test('without the database the metrics have figures of the process, and none of jobs', async () => {
  const database = await testDatabase()
  const alone = inProcess(await openApp(testConfig(), { ...database, close: () => Promise.resolve() }))
  expect(await metrics(alone)).toContain('portolan_database_up 1')
  await database.close()
  const reply = await alone.ask('/metrics')
  expect(reply.status, reply.text).toBe(200)
  const lines = reply.text.split('\n')
  expect(lines).toContain('portolan_database_up 0')
  expect(lines.some(line => line.startsWith('portolan_process_resident_memory_bytes '))).toBe(true)
  expect(lines.filter(line => /^portolan_(?:jobs_(?:waiting|oldest|failed|held)|payments_to_review)/.test(line))).toEqual([])
  await alone.stop()
})
