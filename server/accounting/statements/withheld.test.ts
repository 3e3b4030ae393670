import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { roundedRatio } from '#common/kit/money.ts'
import { type TestApp, testApp } from '#server/kit/testing.ts'
import { withheld } from './queries.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app.stop())

test('the duty on earned or returned commission is rounded half up, like any amount', async () => {
  const earned = [0, 1, 24, 25, 26, 74, 75, 17_132, -24, -25, -26, -75, -2740, 123_456_789_012]
  const { rows } = await sql<{ duty: number }>`
    select ${withheld(sql`earned`, 200)} as duty from unnest(${earned}::bigint[]) with ordinality as each (earned, place) order by place`.execute(
    app.world.database.kysely,
  )
  expect(rows.map(({ duty }) => duty)).toEqual(earned.map(cents => roundedRatio([cents, 200], [10_000])))
})
