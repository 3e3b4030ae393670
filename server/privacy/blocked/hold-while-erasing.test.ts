import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { addDays, today } from '#common/kit/dates.ts'
import { admin } from '#server/administration/testing.ts'
import { type PrivacyUnitTx, within } from '#server/kit/database.ts'
import { type TestApp, testApp, type TestReply } from '#server/kit/testing.ts'
import { sellerOf } from '#server/policies/testing.ts'
import { demoScope } from '#server/session/testing.ts'
import { steps } from '../retention/batches.ts'
import { takeDue } from '../retention/due.ts'
import { runRetention } from '../retention/run.ts'
import { leaveTraces } from '../testing.ts'

// A hold and the retention at once, in both orders. The embedded database has one connection, so there they run one after the other.

const dayMs = 86_400_000
const [blockedAfter, erasedAfter] = [500, 7 * 366]

let app: TestApp
let headers: Record<string, string>
let left: Awaited<ReturnType<typeof leaveTraces>>
let ahead = 0
beforeEach(async () => {
  ahead = 0
  app = await testApp({}, { clock: { now: () => new Date(Date.now() + ahead) } })
  left = await leaveTraces(app, await sellerOf(app))
  await sql`update tickets set status = 'closed'`.execute(app.world.database.kysely)
  for (const after of [blockedAfter, blockedAfter + 1]) await night(after)
  ahead = erasedAfter * dayMs
  headers = (await admin(app)).headers
})
afterEach(async () => {
  await app.world.outbox.drain()
  await app.stop()
})

const now = () => today(new Date(Date.now() + ahead), 'Europe/Madrid')
async function night(after: number): Promise<void> {
  ahead = after * dayMs
  await runRetention(app.world, now())
}
const hold = (kind: 'policy' | 'ticket', uuid: string): Promise<TestReply> =>
  app.ask('/api/privacy/hold', { body: { kind, uuid, until: addDays(now(), 90), reason: 'Juicio 12/26' }, headers })
const unit = () => ({ country: 724, timeZone: 'Europe/Madrid', today: now() })
const inBatch = <T>(work: (tx: PrivacyUnitTx) => Promise<T>): Promise<T> =>
  app.world.database.asPrivacy(tx => work(within(tx, demoScope('azahar'))))
const waiting = async (type: string) =>
  (
    await sql`
      select from pg_locks join pg_stat_activity as session using (pid)
      where not granted and locktype = ${type} and session.datname = current_database()`.execute(app.world.database.kysely)
  ).rows.length
const blocked = async () =>
  (await app.world.database.kysely.selectFrom('blocked_data').select('object_id').execute()).map(({ object_id: id }) => id)
const rowsOf = (table: 'holds' | 'tickets') => app.world.database.kysely.selectFrom(table).select('id').execute()

test.each(['policy', 'ticket'] as const)('a hold of a %s that comes during its erasure waits, and finds nothing', async kind => {
  if (app.world.database.embedded) return
  const uuid = kind === 'policy' ? left.sold : left.claim
  const held = await inBatch(async tx => {
    const { ids } = await takeDue(tx, 'blocked', unit(), 100)
    expect(ids.length).toBe(4)
    const asked = hold(kind, uuid)
    await expect.poll(() => waiting('transactionid')).toBe(1)
    await steps.blocked.work(app.world, tx, ids, unit())
    return { asked }
  })
  expect((await held.asked).status).toBe(404)
  expect([await blocked(), await rowsOf('holds'), await rowsOf('tickets')]).toEqual([[], [], []])
})

test.each(['policy', 'ticket'] as const)('a hold of a %s that is set while the nightly run searches prevents its erasure', async kind => {
  if (app.world.database.embedded) return
  const { kysely, pool } = app.world.database
  const uuid = kind === 'policy' ? left.sold : left.claim
  // Pauses between the search of the nightly run and its locks.
  await sql`create function pause() returns boolean language plpgsql as $$ begin
    if current_setting('portolan.pauses', true) = 'yes' then perform pg_advisory_xact_lock_shared(1); end if; return true; end $$`.execute(
    kysely,
  )
  await sql`create policy pauses on blocked_data as restrictive to portolan_privacy using (pause())`.execute(kysely)
  const gate = await pool.connect()
  await gate.query('select pg_advisory_lock(1)')
  const work = inBatch(async tx => {
    await sql`select set_config('portolan.pauses', 'yes', true)`.execute(tx)
    const { ids } = await takeDue(tx, 'blocked', unit(), 100)
    await steps.blocked.work(app.world, tx, ids, unit())
    return ids
  })
  await expect.poll(() => waiting('advisory')).toBe(1)
  const reply = await hold(kind, uuid)
  await gate.query('select pg_advisory_unlock(1)')
  gate.release()
  expect(reply.status, reply.text).toBe(200)
  expect((await work).length).toBe(3)
  expect(await blocked()).toEqual([uuid])
})

test('the nightly run skips an object whose hold is being set, and takes the others', async () => {
  if (app.world.database.embedded) return
  const { kysely, pool } = app.world.database
  // Delays the commit of the hold.
  const gate = await pool.connect()
  await gate.query('begin')
  await gate.query('lock table audit in exclusive mode')
  const asked = hold('policy', left.sold)
  await expect.poll(() => waiting('relation')).toBe(1)
  const taken = await inBatch(async tx => {
    // Fails instead of waiting for the hold, which waits for this test.
    await sql`set local lock_timeout = '2s'`.execute(tx)
    const { ids } = await takeDue(tx, 'blocked', unit(), 100)
    await steps.blocked.work(app.world, tx, ids, unit())
    return ids.length
  }).catch(String)
  await gate.query('commit')
  gate.release()
  expect(taken).toBe(3)
  expect((await asked).status).toBe(200)
  expect(await blocked()).toEqual([left.sold])
  await runRetention(app.world, now())
  expect(await blocked()).toEqual([left.sold])
  await kysely.updateTable('holds').set({ lifted_at: new Date() }).execute()
  await runRetention(app.world, addDays(now(), 1))
  expect(await blocked()).toEqual([])
})
