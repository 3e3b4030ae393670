import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../database.ts'
import { testDatabase } from '../testing.ts'
import { demoScope } from '#server/session/testing.ts'
import { freeLeases, holdJobs, type Take, takeAtOnce, takeByUnit } from './jobs.ts'

// A distributed database locks rows of one unit only, so jobs are taken there in another way. Both ways take the same jobs.

let database: Database
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.close())

const now = new Date('2026-11-20T10:00:00Z')
const leaseUntil = new Date('2026-11-20T10:02:00Z')
const first = (subscriber: string, free = 8) => [{ subscriber, free }]

/** Writes jobs of two agencies in turn, each due a second after the one before. */
async function publish(subscriber: string, many: number, runAt = now): Promise<string[]> {
  const ids = Array.from({ length: many }, () => crypto.randomUUID())
  for (const [index, id] of ids.entries()) {
    const at = new Date(runAt.getTime() - (many - index) * 1000)
    await database.inScope(demoScope(index % 2 ? 'azahar' : 'rotta'), tx =>
      tx
        .insertInto('jobs')
        .values({ id, topic: 'test', subscriber, payload: '{}', state: 'waiting', run_at: at, created_at: at })
        .execute(),
    )
  }
  return ids
}

const ways: [string, Take][] = [
  ['at once', takeAtOnce],
  ['by unit', takeByUnit],
]

describe.each(ways)('jobs taken %s', (way, take) => {
  const taken = async (...[capacities, most]: [Parameters<Take>[1], number]) =>
    (await database.asService(tx => take(tx, capacities, most, now, leaseUntil))).map(({ id }) => id)

  test('are leased, and are those of all agencies that have been due for longest', async () => {
    const ids = await publish(`${way} oldest`, 5)
    expect((await taken(first(`${way} oldest`), 3)).toSorted()).toEqual(ids.slice(0, 3).toSorted())
    expect((await taken(first(`${way} oldest`), 3)).toSorted()).toEqual(ids.slice(3).toSorted())
    expect(await taken(first(`${way} oldest`), 3)).toEqual([])
  })

  test('fill the room of each subscriber, however long the others have waited', async () => {
    const crowd = await publish(`${way} crowd`, 6, new Date('2026-11-20T09:00:00Z'))
    const [lone = ''] = await publish(`${way} lone`, 1)
    const both = [...first(`${way} crowd`, 2), ...first(`${way} lone`)]
    expect((await taken(both, 4)).toSorted()).toEqual([...crowd.slice(0, 2), lone].toSorted())
  })

  test('are only those that were due by the time that a subscriber names', async () => {
    const old = await publish(`${way} patient`, 2, new Date('2026-11-20T09:00:00Z'))
    const young = await publish(`${way} patient`, 2)
    const [other = ''] = await publish(`${way} impatient`, 1)
    const patient = { subscriber: `${way} patient`, free: 8, dueBy: new Date('2026-11-20T09:30:00Z') }
    expect((await taken([patient, ...first(`${way} impatient`)], 8)).toSorted()).toEqual([...old, other].toSorted())
    expect((await taken(first(`${way} patient`), 8)).toSorted()).toEqual(young.toSorted())
  })

  test('that another worker has locked are passed over for the next ones', async () => {
    const ids = await publish(`${way} locked`, 4)
    await database.asService(async tx => {
      await tx.selectFrom('jobs').select('id').where('id', 'in', ids.slice(0, 2)).forUpdate().execute()
      if (!database.embedded) expect((await taken(first(`${way} locked`), 2)).toSorted()).toEqual(ids.slice(2).toSorted())
    })
  })

  test('do not exist while jobs are held', async () => {
    await publish(`${way} held`, 1)
    await database.asService(async tx => {
      await holdJobs(tx)
      expect(await take(tx, first(`${way} held`), 3, now, leaseUntil)).toEqual([])
      await tx.deleteFrom('held_jobs').execute()
    })
  })
})

test('are due at once if their process died, and later each time, up to two minutes', async () => {
  const ids = await publish('freed', 4)
  const taken = await database.asService(tx => takeAtOnce(tx, first('freed'), 4, now, leaseUntil))
  const attempts = [1, 2, 4, 9]
  for (const [index, id] of ids.entries())
    await database.kysely
      .updateTable('jobs')
      .set({ attempts: attempts[index] ?? 0 })
      .where('id', '=', id)
      .execute()
  const died = taken.map(job => ({ ...job, attempts: attempts[ids.indexOf(job.id)] ?? 0 }))
  await freeLeases(database, died, now)
  const rows = await database.kysely.selectFrom('jobs').where('subscriber', '=', 'freed').select(['attempts', 'run_at']).execute()
  const waits = rows.map(({ attempts, run_at }) => `${attempts}: ${(run_at.getTime() - now.getTime()) / 1000} s`)
  expect(waits.toSorted()).toEqual(['1: 0 s', '2: 30 s', '4: 90 s', '9: 120 s'])
})
