import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { takeRole, type Tx } from '#server/kit/database.ts'
import { type TestApp, testApp } from '#server/kit/testing.ts'
import { brokenInvariants } from './invariants.ts'
import { deleteAs, registerAs, type Seller, sellAs, sellerOf } from './testing.ts'

// The checker is checked: each fault is planted in a transaction that is undone, and it must name it. No fault is planted by the program itself.

let app: TestApp
let seller: Seller
const ids: Record<'sold' | 'cancelled' | 'pending' | 'saved' | 'deleted' | 'restored', string> = {} as never

beforeAll(async () => {
  app = await testApp()
  seller = await sellerOf(app)
  const saved = async () => (await registerAs(seller, { saveBudget: true })).body.data.policyUuid as string
  const sell = async () => (await sellAs(seller)).body.data.policyData.policyUuid as string
  ids.sold = await sell()
  ids.cancelled = await sell()
  ids.pending = (await registerAs(seller)).body.data.policyUuid
  ids.saved = await saved()
  ids.deleted = await saved()
  ids.restored = await saved()
  for (const id of [ids.deleted, ids.restored]) await deleteAs(seller, id)
  await app.ask('/api/policy/restore', { headers: seller.headers, body: { policyUuid: ids.restored } })
  // As a cancellation will leave it.
  await app.world.database.asService(async tx => {
    await run(tx, `update policies set status = 'cancelled' where id = $cancelled`)
    await run(tx, deed('cancelled', 'cancelled', 'now()', 'fffffffe'))
    await run(
      tx,
      `update policy_counts set purchased = purchased - 1, cancelled = cancelled + 1 where ctid = (select min(ctid) from policy_counts)`,
    )
  })
})
afterAll(() => app.stop())

type Name = keyof typeof ids

/** The first part of the id is the moment by which deeds are put in order: what is planted comes last. */
const deed = (whose: Name, what: string, at = 'now()', moment = 'ffffffff') => `
  insert into policy_history (business_unit_id, policy_id, id, at, what, details)
  select business_unit_id, id, ('${moment}-ffff-7000-8000-' || right(gen_random_uuid()::text, 12))::uuid, ${at}, '${what}', '{}' from policies where id = $${whose}`

/** `$sold` and its like stand for that policy's id. */
const run = (tx: Tx, text: string) => sql.raw(text.replaceAll(/\$(\w+)/g, (_, name: string) => `'${ids[name as Name]}'`)).execute(tx)

async function faultsWith(planted: string[]): Promise<string[]> {
  const undo = new Error('undone')
  let faults: string[] = []
  const { database } = app.world
  await database
    .asService(async tx => {
      await takeRole(tx, 'none')
      for (const text of planted) await run(tx, text)
      faults = await brokenInvariants({ asService: work => work(tx) })
      throw undo
    })
    .catch((error: unknown) => {
      if (error !== undo) throw error
    })
  return faults
}

it('finds nothing in what the program has written: sold, cancelled, pending, saved, deleted, restored', async () => {
  expect(await faultsWith([])).toEqual([])
})

const loose = ['alter table policies drop constraint purchased_is_settled', 'alter table payments drop constraint settled_is_purchased']
const card = (whose: Name, changes: string) => [
  ...loose,
  `update payments set gateway = 'StripeV2', intent_id = 'pi_' || id, state = 'open', settled_at = null, ledger_entry_id = null where policy_id = $${whose}`,
  `update payments set ${changes} where policy_id = $${whose}`,
]
const refund = (whose: Name, cents: number, state: 'due' | 'done' | 'refused') =>
  `insert into refunds (business_unit_id, id, payment_id, amount_cents, currency, reason, state, idempotency_key, provider_refund_id, created_at, done_at)
   select business_unit_id, gen_random_uuid(), id, ${cents}, currency, 'late', '${state}', 'refund-' || id,
     ${state === 'done' ? `'re_1', now(), now()` : 'null, now(), null'} from payments where policy_id = $${whose}`

const review = (whose: Name) =>
  `insert into payment_reviews (business_unit_id, id, at, payment_id, reason, details)
   select business_unit_id, gen_random_uuid(), now(), id, 'refund_refused', '{}' from payments where policy_id = $${whose}`

describe.each<[whose: Name]>([['sold'], ['cancelled']])('I1: what is %s', whose => {
  it.each([
    ['has another amount than was paid', [...loose, `update policies set total_cents = 1 where id = $${whose}`], 'I1 sold without'],
    ['was paid in another currency', [...loose, `update policies set currency = 'USD' where id = $${whose}`], 'I1 sold without'],
    ['was not paid at all', card(whose, `state = 'closed'`), 'I1 sold without'],
    ['may be paid again', card(whose, `state = 'open'`), 'I1 may still be paid'],
    ['is told to nobody', [`delete from jobs where payload->>'policyId' = $${whose}`], 'a sale of which the listeners'],
  ])('%s', async (_, planted, fault) => {
    expect((await faultsWith(planted)).filter(each => each.startsWith(fault))).toHaveLength(1)
  })
})

describe('I1: what was deleted', () => {
  it.each([
    [
      'was paid',
      [
        ...loose,
        `update payments set state = 'settled', settled_at = now(), gateway = 'StripeV2', intent_id = 'x',
      received_cents = amount_cents where policy_id = $deleted`,
      ],
      'I1 settled, but not sold',
    ],
    ['may still be paid', [`update payments set state = 'open' where policy_id = $deleted`], 'I1 may still be paid'],
  ])('%s', async (_, planted, fault) => {
    expect((await faultsWith(planted)).filter(each => each.startsWith(fault))).toHaveLength(1)
  })
})

it('I2: a number, a key or an event that comes twice', async () => {
  const uniques = [
    'alter table policies drop constraint policies_business_unit_id_number_key',
    'alter table payments drop constraint payments_business_unit_id_idempotency_key_key',
  ]
  const faults = await faultsWith([
    ...uniques,
    `update policies set number = 'same' where number is not null`,
    `update payments set idempotency_key = 'same'`,
  ])
  expect(faults.filter(fault => fault.startsWith('I2'))).toEqual(['I2 more than once: number same', 'I2 more than once: key same'])
})

describe('I3', () => {
  it.each<[what: string, planted: string[], fault: string]>([
    [
      'a deleted budget that is there again, and nobody took it back',
      [`update policies set status = 'budgeted' where id = $deleted`],
      'I3 not what',
    ],
    ['a restored one that is gone again', [`update policies set status = 'deleted' where id = $restored`], 'I3 not what'],
    ['a sale cancelled by nobody', [`update policies set status = 'cancelled' where id = $sold`], 'I3 not what'],
    ['a cancelled sale that is sold again', [deed('cancelled', 'purchased')], 'I3 a step'],
    ['a sale that was deleted', [deed('sold', 'deleted')], 'I3 a step'],
    ['a sale that was sold again', [deed('sold', 'purchased')], 'I3 a step'],
    ['a sale that was registered again', [deed('sold', 'registered')], 'I3 a step'],
    ['taken back what was not deleted', [deed('saved', 'restored')], 'I3 a step'],
    ['taken back after more than an hour', [deed('deleted', 'restored', `now() + interval '61 minutes'`)], 'I3 a step'],
    ['lapsed what nobody was paying for', [deed('saved', 'payment_lapsed')], 'I3 a step'],
    ['a policy without a past', [`delete from policy_history where policy_id = $saved`], 'I3 not what'],
  ])('%s', async (_, planted, fault) => {
    expect((await faultsWith(planted)).filter(each => each.startsWith(fault))).toHaveLength(1)
  })

  it('a deletion taken back within the hour is none', async () => {
    const planted = [
      deed('deleted', 'restored', `now() + interval '59 minutes'`),
      `update policies set status = 'budgeted' where id = $deleted`,
    ]
    expect((await faultsWith(planted)).filter(each => each.startsWith('I3'))).toEqual([])
  })
})

describe('I5 and I6: money for what is deleted or was restored', () => {
  const taken = `state = 'unwanted', received_cents = amount_cents, refunded_cents = amount_cents`
  it.each<[what: string, planted: string[], faults: RegExp[]]>([
    ['taken and given back', [...card('deleted', taken), refund('deleted', 3376, 'done')], []],
    ['taken and to be given back', [...card('deleted', `${taken}, check_at = now()`), refund('deleted', 3376, 'due')], []],
    [
      'taken, and nothing is given back',
      card('deleted', taken.replace('refunded_cents = amount_cents', 'refunded_cents = 0')),
      [/^I5 taken/],
    ],
    ['to be given back, and nobody will', [...card('restored', taken), refund('restored', 3376, 'due')], [/^I5 to be given back/]],
    [
      'refused by the card network, and nobody was told',
      [...card('deleted', taken.replace('refunded_cents = amount_cents', 'refunded_cents = 0')), refund('deleted', 3376, 'refused')],
      [/^I5 taken/],
    ],
    [
      'refused by the card network, and noted as given back',
      [...card('deleted', taken), refund('deleted', 3376, 'refused'), review('deleted')],
      [/^I6 given back/],
    ],
    [
      'asked for again and again, and nobody was told',
      [...card('deleted', `${taken}, check_at = now() + interval '15 minutes'`), refund('deleted', 3376, 'due')],
      [/^I5 asked for again/],
    ],
    [
      'asked for again and again, before somebody',
      [...card('deleted', `${taken}, check_at = now() + interval '15 minutes'`), refund('deleted', 3376, 'due'), review('deleted')],
      [],
    ],
    ['given back in part', [...card('deleted', taken), refund('deleted', 3375, 'done')], [/^I5 taken/, /^I6 given back/]],
    ['given back twice over', [...card('deleted', taken), refund('deleted', 6752, 'done')], [/^I5 taken/, /^I6 given back/]],
    ['perhaps paid, and nobody will ask', card('pending', 'check_at = null'), [/^I5 perhaps paid/]],
  ])('%s', async (_, planted, expected) => {
    const faults = await faultsWith(planted)
    expect(faults.toSorted()).toEqual(expected.map(fault => expect.stringMatching(fault)))
  })

  it('credited more than was charged, for a cancelled sale', async () => {
    const credit = (cents: string) => `
      insert into agency_ledger (business_unit_id, id, at, payment_id, policy_id, kind, amount_cents, currency)
      select business_unit_id, gen_random_uuid(), now(), payment_id, policy_id, 'cancellation', ${cents}, currency
      from agency_ledger where policy_id = $cancelled and kind = 'sale'`
    expect(await faultsWith([credit('amount_cents')])).toEqual([])
    expect(await faultsWith([credit('amount_cents + 1')])).toEqual([expect.stringMatching(/^I6 more credited/)])
  })
})

it.each(['budgeted', 'pending', 'purchased', 'cancelled', 'deleted'])(
  'counts of %s are looked at, also where nothing was counted',
  async status => {
    const { length } = await faultsWith([
      `update policy_counts set ${status} = ${status} + 1 where ctid = (select min(ctid) from policy_counts)`,
    ])
    expect(length).toBe(1)
    expect((await faultsWith(['delete from policy_counts'])).filter(fault => fault.endsWith(` ${status}`))).toHaveLength(1)
  },
)
