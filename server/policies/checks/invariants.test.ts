import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { takeRole, type Tx } from '#server/kit/database.ts'
import { type TestApp, testApp } from '#server/kit/testing.ts'
import { brokenInvariants } from './invariants.ts'
import { deleteAs, registerAs, type Seller, sellAs, sellerOf } from '../testing.ts'

// Tests the checker itself. Each case writes a violation by SQL in a transaction that is rolled back, and the checker must name it.

let app: TestApp
let seller: Seller
const ids = { sold: '', cancelled: '', pending: '', saved: '', deleted: '', restored: '' }

beforeAll(async () => {
  app = await testApp()
  seller = await sellerOf(app)
  const saved = async (): Promise<string> => (await registerAs(seller, { saveBudget: true })).body.data.policyUuid
  const sell = async (): Promise<string> => (await sellAs(seller)).body.data.policyData.policyUuid
  ids.sold = await sell()
  ids.cancelled = await sell()
  ids.pending = (await registerAs(seller)).body.data.policyUuid
  ids.saved = await saved()
  ids.deleted = await saved()
  ids.restored = await saved()
  for (const id of [ids.deleted, ids.restored]) await deleteAs(seller, id)
  await app.ask('/api/policy/restore', { headers: seller.headers, body: { policyUuid: ids.restored } })
  // Simulates a cancelled policy.
  await app.world.database.asService(async tx => {
    await run(tx, `update policies set status = 'cancelled' where id = $cancelled`)
    await run(tx, insertEvent('cancelled', 'cancelled', 'now()', 'fffffffe'))
    await run(
      tx,
      `update policy_counts set purchased = purchased - 1, cancelled = cancelled + 1 where ctid = (select min(ctid) from policy_counts)`,
    )
  })
})
afterAll(() => app.stop())

type PolicyName = keyof typeof ids

/** Events are ordered by the timestamp in their ids. The default sorts the new event last. */
const insertEvent = (policy: PolicyName, what: string, at = 'now()', moment = 'ffffffff') => `
  insert into policy_history (business_unit_id, policy_id, id, at, what, details)
  select business_unit_id, id, ('${moment}-ffff-7000-8000-' || right(gen_random_uuid()::text, 12))::uuid, ${at}, '${what}', '{}' from policies where id = $${policy}`

/** Runs SQL in which `$sold` and the like stand for the ids of those policies. */
const run = (tx: Tx, text: string) => sql.raw(text.replaceAll(/\$(\w+)/g, (_, name: string) => `'${ids[name as PolicyName]}'`)).execute(tx)

async function violationsAfter(statements: string[]): Promise<string[]> {
  const undo = new Error('undone')
  let violations: string[] = []
  const { database } = app.world
  await database
    .asService(async tx => {
      await takeRole(tx, 'none')
      for (const text of statements) await run(tx, text)
      violations = await brokenInvariants({ asService: work => work(tx) })
      throw undo
    })
    .catch((error: unknown) => {
      if (error !== undo) throw error
    })
  return violations
}

it('accepts the rows that the program writes for policies of every status', async () => {
  expect(await violationsAfter([])).toEqual([])
})

const loose = [
  'alter table policies drop constraint purchased_is_settled',
  'alter table payments drop constraint settled_is_purchased',
  'alter table payments drop constraint settled_is_booked',
]
const card = (policy: PolicyName, changes: string) => [
  ...loose,
  `update payments set gateway = 'StripeV2', intent_id = 'pi_' || id, state = 'open', settled_at = null where policy_id = $${policy}`,
  `update payments set ${changes} where policy_id = $${policy}`,
]
/** A refund and the booking of what was received for it. One that is done leaves nothing in the book. */
const refund = (policy: PolicyName, cents: number, state: 'due' | 'done' | 'refused') =>
  `with booked as (
     insert into money_book (business_unit_id, id, at, kind, policy_id, policy_version, payment_id, currency, card_clearing, refunds_payable, taxes)
     select business_unit_id, gen_random_uuid(), now(), 'unwanted', policy_id, policy_version, id, currency, ${cents}, -${cents}, '{}'
     from payments where policy_id = $${policy} and '${state}' <> 'done')
   insert into refunds (business_unit_id, id, payment_id, amount_cents, currency, reason, state, idempotency_key, provider_refund_id, created_at, done_at)
   select business_unit_id, gen_random_uuid(), id, ${cents}, currency, 'late', '${state}', 'refund-' || id,
     ${state === 'done' ? `'re_1', now(), now()` : 'null, now(), null'} from payments where policy_id = $${policy}`

const review = (policy: PolicyName) =>
  `insert into payment_reviews (business_unit_id, id, at, payment_id, reason, details)
   select business_unit_id, gen_random_uuid(), now(), id, 'refund_refused', '{}' from payments where policy_id = $${policy}`

describe.each<[policy: PolicyName]>([['sold'], ['cancelled']])('I1: a policy that is %s', policy => {
  it.each([
    ['has another amount than its payment', [...loose, `update policies set sold_cents = 1 where id = $${policy}`], 'I1 sold without'],
    ['has another currency than its payment', [...loose, `update policies set currency = 'USD' where id = $${policy}`], 'I1 sold without'],
    ['has no payment', card(policy, `state = 'closed'`), 'I1 sold without'],
    ['has an open payment', card(policy, `state = 'open'`), 'I1 may still be paid'],
    ['has no job for its subscribers', [`delete from jobs where payload->>'policyId' = $${policy}`], 'a sale whose subscribers'],
  ])('is reported when it %s', async (_, statements, violation) => {
    expect((await violationsAfter(statements)).filter(each => each.startsWith(violation))).toHaveLength(1)
  })
})

describe('invariant I1: a deleted policy', () => {
  it.each([
    [
      'has a settled payment',
      [
        ...loose,
        `update payments set state = 'settled', settled_at = now(), gateway = 'StripeV2', intent_id = 'x',
      received_cents = amount_cents where policy_id = $deleted`,
      ],
      'I1 settled, but not sold',
    ],
    ['has an open payment', [`update payments set state = 'open' where policy_id = $deleted`], 'I1 may still be paid'],
  ])('is reported when it %s', async (_, statements, violation) => {
    expect((await violationsAfter(statements)).filter(each => each.startsWith(violation))).toHaveLength(1)
  })
})

it('an entry of the bank that is booked nowhere is reported', async () => {
  const entry = `insert into bank_entries select gen_random_uuid(), gen_random_uuid(), business_unit_id, now() from policies where id = $sold`
  expect((await violationsAfter([entry])).filter(each => each.startsWith('an entry of the bank'))).toHaveLength(1)
})

it('a payment without its facts, and a reversal of another amount, are reported', async () => {
  const pay = (id: string, cents: number) => `insert into money_book (business_unit_id, id, at, kind, currency, bank, agency_account, taxes)
    select business_unit_id, '${id}', now(), 'payment', currency, ${cents}, ${-cents}, '{}' from policies where id = $sold`
  const know = (
    id: string,
    cents: number,
    reverses: string,
  ) => `insert into account_bookings (business_unit_id, id, way, cents, currency, paid_on, reference,
    from_file, taken_back, reverses) select business_unit_id, '${id}', 'received', ${cents}, currency, now(), '', false, false, ${reverses} from policies where id = $sold`
  const [first, second] = ['00000000-0000-7000-8000-000000000001', '00000000-0000-7000-8000-000000000002']
  const found = async (statements: string[]) => (await violationsAfter(statements)).filter(each => /^a (?:payment|reversal)/.test(each))
  expect(await found([pay(first, 100)])).toEqual([expect.stringMatching(/^a payment or write-off whose facts/)])
  const both = [pay(first, 100), know(first, 100, 'null'), pay(second, -99), know(second, 99, `'${first}'`)]
  expect(await found(both)).toEqual([expect.stringMatching(/^a reversal that is not the opposite/)])
})

it('invariant I2: duplicate numbers and keys are reported', async () => {
  const uniques = [
    'alter table policies drop constraint policies_business_unit_id_number_key',
    'alter table payments drop constraint payments_business_unit_id_idempotency_key_key',
  ]
  const violations = await violationsAfter([
    ...uniques,
    `update policies set number = 'same' where number is not null`,
    `update payments set idempotency_key = 'same'`,
  ])
  expect(violations.filter(violation => violation.startsWith('I2'))).toEqual([
    'I2 more than once: number same',
    'I2 more than once: key same',
  ])
})

describe('invariant I2: a number that two agencies sold', () => {
  const clash = (sharedFrom: number) => [
    ...loose,
    `alter table payments drop constraint payments_business_unit_id_policy_id_policy_version_fkey`,
    `update policy_numbering set shared_from = ${sharedFrom}`,
    `set local session_replication_role = replica`,
    `update policies set business_unit_id = (select id from business_units where key = 'rotta') where id = $cancelled`,
    `update policies set number = (select number from policies where id = $sold) where id = $cancelled`,
  ]
  it.each([
    [0, ['I2 more than once: number']],
    [1, []],
  ])('is reported from the first shared number on, here %i', async (sharedFrom, expected) => {
    const violations = await violationsAfter(clash(sharedFrom))
    expect(violations.filter(each => each.startsWith('I2')).map(each => each.slice(0, 25))).toEqual(expected)
  })
})

describe('invariant I3: the checker', () => {
  it.each<[what: string, statements: string[], violation: string]>([
    ['a deleted quote that exists again without a restore', [`update policies set status = 'budgeted' where id = $deleted`], 'I3 not what'],
    [
      'a restored quote that is deleted again without an event',
      [`update policies set status = 'deleted' where id = $restored`],
      'I3 not what',
    ],
    ['a sale cancelled without an event', [`update policies set status = 'cancelled' where id = $sold`], 'I3 not what'],
    ['a cancelled sale that is sold again', [insertEvent('cancelled', 'purchased')], 'I3 a step'],
    ['a sale that is deleted', [insertEvent('sold', 'deleted')], 'I3 a step'],
    ['a sale that is sold again', [insertEvent('sold', 'purchased')], 'I3 a step'],
    ['a sale that is registered again', [insertEvent('sold', 'registered')], 'I3 a step'],
    ['a restore of a quote that was not deleted', [insertEvent('saved', 'restored')], 'I3 a step'],
    ['a restore after more than an hour', [insertEvent('deleted', 'restored', `now() + interval '61 minutes'`)], 'I3 a step'],
    ['a lapsed payment of a quote without payment', [insertEvent('saved', 'payment_lapsed')], 'I3 a step'],
    ['a policy without history', [`delete from policy_history where policy_id = $saved`], 'I3 not what'],
  ])('reports %s', async (_, statements, violation) => {
    expect((await violationsAfter(statements)).filter(each => each.startsWith(violation))).toHaveLength(1)
  })

  it('accepts a restore within the hour', async () => {
    const statements = [
      insertEvent('deleted', 'restored', `now() + interval '59 minutes'`),
      `update policies set status = 'budgeted' where id = $deleted`,
    ]
    expect((await violationsAfter(statements)).filter(each => each.startsWith('I3'))).toEqual([])
  })
})

describe('invariants I5 and I6: a payment for a deleted or restored policy', () => {
  const received = `state = 'unwanted', received_cents = amount_cents, refunded_cents = amount_cents`
  it.each<[what: string, statements: string[], violations: RegExp[]]>([
    ['received and refunded', [...card('deleted', received), refund('deleted', 3376, 'done')], []],
    ['received with a refund due', [...card('deleted', `${received}, check_at = now()`), refund('deleted', 3376, 'due')], []],
    [
      'received without a refund',
      card('deleted', received.replace('refunded_cents = amount_cents', 'refunded_cents = 0')),
      [/^I5 received/],
    ],
    [
      'received with a refund due that no check will make',
      [...card('restored', received), refund('restored', 3376, 'due')],
      [/^I5 a refund is due/],
    ],
    [
      'with a refused refund outside the review list',
      [...card('deleted', received.replace('refunded_cents = amount_cents', 'refunded_cents = 0')), refund('deleted', 3376, 'refused')],
      [/^I5 received/],
    ],
    [
      'with a refused refund recorded as made',
      [...card('deleted', received), refund('deleted', 3376, 'refused'), review('deleted')],
      [/^I6 the refunds/],
    ],
    [
      'with a refund retried for long outside the review list',
      [...card('deleted', `${received}, check_at = now() + interval '15 minutes'`), refund('deleted', 3376, 'due')],
      [/^I5 a refund is retried/],
    ],
    [
      'with a refund retried for long on the review list',
      [...card('deleted', `${received}, check_at = now() + interval '15 minutes'`), refund('deleted', 3376, 'due'), review('deleted')],
      [],
    ],
    ['refunded in part', [...card('deleted', received), refund('deleted', 3375, 'done')], [/^I5 received/, /^I6 the refunds/]],
    ['refunded twice', [...card('deleted', received), refund('deleted', 6752, 'done')], [/^I5 received/, /^I6 the refunds/]],
    ['perhaps paid without another check', card('pending', 'check_at = null'), [/^I5 perhaps paid/]],
  ])('%s: all violations are reported', async (_, statements, expected) => {
    const violations = await violationsAfter(statements)
    expect(violations.toSorted()).toEqual(expected.map(violation => expect.stringMatching(violation)))
  })

  it('a payment must not be credited above its charge, or otherwise than recorded', async () => {
    const credit = (cents: string) => `update payments set refunded_cents = ${cents} where policy_id = $cancelled`
    expect(await violationsAfter([credit('0')])).toEqual([])
    const broken = [/^I6 the credits differ/, /^I8 the book is not what the account owes/]
    expect((await violationsAfter([credit('1')])).toSorted()).toEqual(broken.map(violation => expect.stringMatching(violation)))
  })
})

it.each(['budgeted', 'pending', 'purchased', 'cancelled', 'deleted'])(
  'wrong or missing counts of %s policies are reported',
  async status => {
    const { length } = await violationsAfter([
      `update policy_counts set ${status} = ${status} + 1 where ctid = (select min(ctid) from policy_counts)`,
    ])
    expect(length).toBe(1)
    expect((await violationsAfter(['delete from policy_counts'])).filter(violation => violation.endsWith(` ${status}`))).toHaveLength(1)
  },
)

it.each([
  ['agency', `update policies set business_unit_id = gen_random_uuid() where id = $pending`],
  ['seller', `update policies set seller_id = gen_random_uuid() where id = $pending`],
  ['product', `update policies set product_id = gen_random_uuid() where id = $pending`],
])('a policy of an unknown %s is reported', async (_, ...statements) => {
  const unknown = (
    await violationsAfter([
      'alter table policy_versions drop constraint policy_versions_business_unit_id_policy_id_fkey',
      'alter table policy_history drop constraint policy_history_business_unit_id_policy_id_fkey',
      ...statements,
    ])
  ).filter(violation => violation.startsWith('of an unknown'))
  expect(unknown).toHaveLength(1)
})
