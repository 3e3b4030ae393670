import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { addDays, today } from '#common/kit/dates.ts'
import { type TestApp, testApp } from '#server/kit/testing.ts'
import { brokenInvariants } from '#server/policies/checks/invariants.ts'
import { sellAs, sellerOf } from '#server/policies/testing.ts'
import { signIn } from '#server/session/testing.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
  const seller = await sellerOf(app)
  const { policyUuid } = (await sellAs(seller)).body.data.policyData
  const endDate = addDays(today(new Date(), 'Europe/Madrid'), 22)
  const body = { policyUuid, version: 1, change: { endDate }, expectedDifference: 17.08 }
  expect((await app.ask('/api/policy/change', { body, headers: seller.headers })).status).toBe(200)
  expect(await brokenInvariants(app.world.database)).toEqual([])
})
afterAll(() => app.stop())

/** Moves a cent of the change to another account of the book, and back. */
const moved = (from: string, to: string): [string, string] => {
  const move = (cents: number) => `update money_book set ${from} = ${from} - ${cents}, ${to} = ${to} + ${cents} where kind = 'change'`
  return [move(1), move(-1)]
}

/** An open change of a policy whose change was made and settled already. */
const openChange = (state: string, endedAt: string, content: string) => `
  insert into open_changes (business_unit_id, id, policy_id, kind, from_version, state, asked, step, at, until, ended_at, user_id, user_name, payment_id,
    difference_cents)
  select business_unit_id, gen_random_uuid(), policy_id, 'change', 1, '${state}', ${content}::jsonb, ${content}::jsonb, now(), now(), ${endedAt}, user_id, '', id, 1708
  from payments where purpose = 'change'`

/** An offer of a version that the policy has no longer. */
const oldOffer = `
  insert into open_changes (business_unit_id, id, policy_id, kind, from_version, state, asked, step, at, until, user_id, user_name, offered_to, difference_cents)
  select business_unit_id, gen_random_uuid(), policy_id, 'change', 1, 'offered', '{}', '{}', now(), now(), user_id, '', 'x', 1708
  from payments where purpose = 'change'`

/** Each pair breaks one fact of the changed policy, and restores it. */
it.each([
  ['I7', 'update policies set sold_version = 2', 'update policies set sold_version = 1'],
  [
    'I7 a movement',
    `update jobs set subscriber = 'none' where subscriber = 'policies.changed'`,
    `update jobs set subscriber = 'policies.changed' where subscriber = 'none'`,
  ],
  [
    'I8 the total',
    'update policy_deeds set difference_cents = difference_cents + 1, charge_cents = charge_cents + 1',
    'update policy_deeds set difference_cents = difference_cents - 1, charge_cents = charge_cents - 1',
  ],
  [
    'I8 the lines',
    `update policy_price_lines set amount_cents = amount_cents + 1 where version = 2 and kind = 'tax' and code = 'IPS'`,
    `update policy_price_lines set amount_cents = amount_cents - 1 where version = 2 and kind = 'tax' and code = 'IPS'`,
  ],
  [
    'I8 the money',
    `update payments set refunded_cents = 1 where purpose = 'change'`,
    `update payments set refunded_cents = 0 where purpose = 'change'`,
  ],
  [
    'I1 a movement',
    `update payments set policy_version = 1 where purpose = 'change'`,
    `update payments set policy_version = 2 where purpose = 'change'`,
  ],
  [
    'I1 settled for a change',
    `update payments set policy_version = 1 where purpose = 'change'`,
    `update payments set policy_version = 2 where purpose = 'change'`,
  ],
  ['I1 an open change', openChange('awaiting_payment', 'null', `'{}'`), 'delete from open_changes'],
  ['I1 an open change', oldOffer, 'delete from open_changes'],
  ['I1 done as a change', openChange('done', 'now()', 'null'), 'delete from open_changes'],
  ['I9', 'update policy_segments set premium_cents = premium_cents + 1', 'update policy_segments set premium_cents = premium_cents - 1'],
  ['I10', 'update policies set commission_cents = commission_cents + 1', 'update policies set commission_cents = commission_cents - 1'],
  [
    'I11 a document',
    `update files set policy_version = 3 where policy_version = 2 and kind = 'receipt'`,
    `update files set policy_version = 2 where policy_version = 3`,
  ],
  [
    'I11 not exactly one',
    `update files set replaced_by = null where kind = 'certificate' and policy_version = 1`,
    `update files set replaced_by = 2 where kind = 'certificate' and policy_version = 1`,
  ],
  [
    'I11 not exactly one',
    `update files set replaced_by = 2 where kind = 'certificate' and policy_version = 2`,
    `update files set replaced_by = null where kind = 'certificate' and policy_version = 2`,
  ],
  [
    'I11 the certificate',
    `update files set replaced_by = case policy_version when 1 then null else 1 end where kind = 'certificate'`,
    `update files set replaced_by = case policy_version when 1 then 2 end where kind = 'certificate'`,
  ],
  [
    'a booking that does not add up',
    'alter table money_book drop constraint balanced; update money_book set bank = 1',
    'update money_book set bank = 0',
  ],
  [
    'a movement that is not booked',
    `update money_book set kind = 'undo' where kind = 'change'`,
    `update money_book set kind = 'change' where kind = 'undo'`,
  ],
  [
    'I1 settled, but not booked',
    `update money_book set card_clearing = agency_account, agency_account = 0 where kind = 'sale'`,
    `update money_book set agency_account = card_clearing, card_clearing = 0 where kind = 'sale'`,
  ],
  [
    'I1 booked, but not settled',
    `insert into money_book (business_unit_id, id, at, kind, policy_id, policy_version, payment_id, product_id, seller_id, currency, taxes)
     select business_unit_id, gen_random_uuid(), at, 'sale', policy_id, policy_version, gen_random_uuid(), product_id, seller_id, currency, '{}' from money_book where kind = 'sale'`,
    `delete from money_book where kind = 'sale' and paid = 0`,
  ],
  ['I8 the book is not what is charged', ...moved('insurer_premium', 'bank')],
  ['I8 the book is not what the account owes', ...moved('agency_account', 'card_clearing')],
  ['I8 the book is not what the card network has', ...moved('agency_account', 'card_clearing')],
  ['I8 the book is not what is owed to clients', ...moved('refunds_payable', 'bank')],
  ['I8 the book is not what was waived', ...moved('write_off', 'bank')],
  ['I10 the book', ...moved('commission_payable', 'commission_expense')],
  ['I12', `update policy_deeds set kind = 'cancellation'`, `update policy_deeds set kind = 'change'`],
])('%s is reported when it is broken', async (invariant, breaks, takesBack) => {
  const { kysely } = app.world.database
  await sql.raw(breaks).execute(kysely)
  const violations = await brokenInvariants(app.world.database)
  await sql.raw(takesBack).execute(kysely)
  expect(violations).toContainEqual(expect.stringMatching(new RegExp(`^${invariant}`)))
  expect(await brokenInvariants(app.world.database)).toEqual([])
})

it('the part of a refund that no payment can take back is reviewed', async () => {
  // Its sums break the invariants, so it has an app of its own.
  const apart = await testApp()
  onTestFinished(() => apart.stop())
  const seller = await sellerOf(apart)
  const id: string = (await sellAs(seller)).body.data.policyData.policyUuid
  await sql`update payments set refunded_cents = 1000 where policy_id = ${id}`.execute(apart.world.database.kysely)
  const body = { policyUuid: id, version: 1, expectedRefund: 33.76, reason: 'other' }
  const { data } = (await apart.ask('/api/policy/cancel', { body, headers: seller.headers })).body
  expect(data).toMatchObject({ refund: { amount: 33.76, routes: [{ amount: 23.76 }] } })
  const { headers } = await signIn(apart, 'admin@portolan.example')
  const listed = await apart.ask('/api/administration/payments/list', { headers, body: {} })
  expect(listed.body.data.reviews).toMatchObject([
    { reason: 'refund_without_way', policyUuid: id, details: { owed: { cents: 1000, currency: 'EUR' } } },
  ])
})
