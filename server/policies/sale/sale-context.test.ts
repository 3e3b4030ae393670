import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { firstNumber, policyNumber } from '#common/policies/number.ts'
import { migrate } from '#server/database/migrate.ts'
import { type TestApp, testApp } from '#server/kit/testing.ts'
import { fromItaly, sellAs, type Seller, sellerOf } from '../testing.ts'
import { openNumbers } from './sale-context.ts'

let app: TestApp
let azahar: Seller
let rotta: Seller
beforeAll(async () => {
  app = await testApp()
  azahar = await sellerOf(app)
  rotta = await sellerOf(app, 'agent@rotta.example')
})
afterAll(() => app.stop())

const numberSold = async (seller: Seller): Promise<string> =>
  (await sellAs(seller, seller === rotta ? fromItaly : {})).body.data.policyData.policyNumber

it('two agencies never sell the same number', async () => {
  const sold = await Promise.all([azahar, rotta, azahar, rotta].map(numberSold))
  expect(new Set(sold).size).toBe(4)
})

it('two nodes use different blocks, and the number of a failed sale is used again', async () => {
  const [one, other] = [openNumbers(app.world), openNumbers(app.world)]
  const dealt = await Promise.all(Array.from({ length: 50 }, (_, turn) => (turn % 2 ? one : other).take()))
  expect(new Set(dealt).size).toBe(50)
  const last = await one.take()
  one.putBack(last)
  expect(await one.take()).toBe(last)
})

it('the migration keeps sold numbers, and the next blocks begin above all of them', async () => {
  const before = [await numberSold(azahar), await numberSold(rotta)]
  const { database } = app.world
  const above = 70_000
  // Numbers the policies as when each agency had numbers of its own.
  const numberAgain = async () => {
    await database.kysely.schema.dropTable('policy_numbering').execute()
    await sql`create table policy_numbers as select * from (values (${azahar.user.businessUnits[0].uuid}::uuid, ${above}),
      (${rotta.user.businessUnits[0].uuid}::uuid, 40)) each_unit (business_unit_id, next_number)`.execute(database.kysely)
    await sql`grant select on policy_numbers to portolan_service`.execute(database.kysely)
    await sql`delete from kysely_migration where name in ('0037-policy-numbers', '0043-one-numbering')`.execute(database.kysely)
    expect(await migrate(database)).toEqual(['0037-policy-numbers', '0043-one-numbering'])
  }
  await numberAgain()
  const { rows } = await sql<{ number: string }>`select number from policies where number = any(${before})`.execute(database.kysely)
  expect(rows.map(({ number }) => number).toSorted()).toEqual(before.toSorted())
  const next = await openNumbers(app.world).take()
  expect(next).toBeGreaterThanOrEqual(above)
  // Numbers that no block accounts for are respected, too.
  const restored = policyNumber(123_456)
  await database.asService(tx =>
    tx
      .updateTable('policies')
      .set({ number: restored })
      .where('number', '=', before[0] ?? '')
      .execute(),
  )
  await numberAgain()
  expect(firstNumber + (await openNumbers(app.world).take())).toBeGreaterThan(Number.parseInt(restored, 10))
})
