import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ana, reach, sellAs } from '#server/policies/testing.ts'
import { demoScope } from '#server/session/testing.ts'
import { closeMonths } from '../statements/close.ts'
import { type November, playNovember } from '../testing.ts'
import { movementColumns } from './movement.ts'
import { batchesOfMonth, monthOfUnit } from './read.ts'

let november: November
beforeAll(async () => {
  november = await playNovember()
  const { app, at, seller } = november
  await at('2026-12-01T05:00:00Z')
  await closeMonths(app.world)
  // Late sales of November, and one of December, are on December's statement.
  for (const [instant, docNumber] of [
    ['2026-11-30T12:00:00Z', '22222222J'],
    ['2026-12-05T12:00:00Z', '33333333P'],
    ['2026-11-30T12:00:00Z', '11111111H'],
  ] as const) {
    await at(instant)
    await sellAs(seller, { users: [{ ...ana, ...reach, docNumber }], paxNumber: 1, startDate: '2027-02-10', endDate: '2027-02-17' })
  }
  await at('2027-01-02T12:00:00Z')
  await closeMonths(app.world)
})
afterAll(() => november.app.stop())

async function read(month: string, batch?: number) {
  const { world } = november.app
  const unit = await monthOfUnit(world, demoScope('azahar').businessUnitId, month)
  const batches: string[][][] = []
  for await (const { rows } of batchesOfMonth(world, unit, batch)) batches.push(rows.split('\n').map(line => line.split('\t')))
  const cell = (row: string[], name: (typeof movementColumns)[number]) => row[movementColumns.indexOf(name)]
  const rows = batches.flat()
  return {
    sizes: batches.map(({ length }) => length),
    deeds: rows.map(row => [cell(row, 'id'), cell(row, 'day')]),
    renewals: rows.filter(row => cell(row, 'renews') === 'true').map(row => cell(row, 'number')),
  }
}

test('batches of any size hold each movement of a month once, the oldest first', async () => {
  const whole = await read('2026-11')
  expect([whole.sizes, new Set(whole.deeds.map(([id]) => id)).size]).toEqual([[6], 6])
  for (const batch of [1, 2, 3, 4, 5, 6, 7]) expect((await read('2026-11', batch)).deeds, String(batch)).toEqual(whole.deeds)
  expect((await read('2026-11', 4)).sizes).toEqual([4, 2])
})

test('late movements come before those of the month, in batches of any size', async () => {
  const whole = await read('2026-12')
  expect(whole.deeds.map(([, day]) => day)).toEqual(['2026-11-30', '2026-11-30', '2026-12-05'])
  for (const batch of [1, 2, 3]) expect((await read('2026-12', batch)).deeds, String(batch)).toEqual(whole.deeds)
})

test('movements within one millisecond appear once each, also across batches', async () => {
  await sql`update money_book set at = at + interval '7 microseconds'`.execute(november.app.world.database.kysely)
  const whole = await read('2026-11')
  expect((await read('2026-11', 4)).deeds).toEqual(whole.deeds)
})

test('movements of a policy that renews another say so', async () => {
  const { database } = november.app.world
  const renewal = await database.asService(tx =>
    sql<{
      number: string
    }>`update policies set renews = gen_random_uuid() where id = (select policy_id from money_book where kind = 'sale' limit 1)
      returning number`.execute(tx),
  )
  const { renewals } = await read('2026-11')
  expect(new Set(renewals)).toEqual(new Set(renewal.rows.map(({ number }) => number)))
})
