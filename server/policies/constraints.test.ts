import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Tx } from '#server/kit/database.ts'
import { type TestApp, testApp } from '#server/kit/testing.ts'
import { registerAs, type Seller, sellAs, sellerOf } from './testing.ts'

// The schema itself enforces invariants of sales (checks/invariants.ts). Each test writes what a faulty program might write.

let app: TestApp
let seller: Seller
let sold: string
let open: { policyUuid: string; purchaseUUID: string }

beforeAll(async () => {
  app = await testApp()
  seller = await sellerOf(app)
  sold = (await sellAs(seller)).body.data.policyData.policyUuid
  open = (await registerAs(seller)).body.data
})
afterAll(() => app.stop())

/** Returns whether the transaction could commit, and rolls it back. */
async function allowed(work: (tx: Tx) => Promise<unknown>): Promise<boolean> {
  const undo = new Error('undone')
  try {
    await app.world.database.asService(async tx => {
      await work(tx)
      await sql`set constraints all immediate`.execute(tx)
      throw undo
    })
  } catch (error) {
    if (error === undo) return true
    expect(String(error)).toMatch(/violates (?:foreign key|unique|check) constraint/)
  }
  return false
}

const now = new Date()
const purchased = { status: 'purchased' as const, number: '9-X', purchased_at: now, sold_version: 1, sold_cents: 3376 }
const change = (table: 'policies' | 'payments', id: string, values: Record<string, unknown>) => (tx: Tx) =>
  tx
    .updateTable(table)
    // Safe: the database checks the columns.
    .set(values as never)
    .where('id', '=', id)
    .execute()

describe('invariant I1: the schema', () => {
  it('refuses a purchase without a payment', async () => expect(await allowed(change('policies', open.policyUuid, purchased))).toBe(false))

  it('refuses a settled payment that is not booked', async () =>
    expect(await allowed(change('payments', open.purchaseUUID, { state: 'settled', settled_at: now }))).toBe(false))

  const book = async (tx: Tx, account: 'agency_account' | 'card_clearing', cents: number, payment_id = open.purchaseUUID) => {
    const { business_unit_id, product_id, seller_id, currency } = await tx
      .selectFrom('policies')
      .selectAll()
      .where('id', '=', open.policyUuid)
      .executeTakeFirstOrThrow()
    const about = { payment_id, policy_id: open.policyUuid, policy_version: 1, product_id, seller_id }
    const sale = { business_unit_id, id: crypto.randomUUID(), at: now, kind: 'sale' as const, ...about, currency }
    await tx
      .insertInto('money_book')
      .values({ ...sale, [account]: cents, insurer_premium: -cents, taxes: '{}' })
      .execute()
  }

  it('refuses a settled payment without a purchase or of another amount', async () => {
    const settlePayment = async (tx: Tx, cents = 3376) => {
      await book(tx, 'agency_account', cents)
      await change('payments', open.purchaseUUID, { state: 'settled', settled_at: now })(tx)
    }
    expect(await allowed(tx => settlePayment(tx))).toBe(false)
    const both = async (tx: Tx, cents?: number) => {
      await settlePayment(tx, cents)
      await change('policies', open.policyUuid, purchased)(tx)
    }
    expect(await allowed(tx => both(tx))).toBe(true)
    expect(await allowed(tx => both(tx, 3375))).toBe(false)
  })

  it('refuses another amount, currency or earlier status for a sold policy', async () => {
    for (const values of [
      { sold_cents: 1 },
      { sold_version: null },
      { currency: 'USD' },
      { status: 'budgeted', number: null, purchased_at: null, sold_version: null, sold_cents: null },
    ])
      expect(await allowed(change('policies', sold, values))).toBe(false)
    expect(await allowed(change('policies', sold, { reference: 'changed' }))).toBe(true)
  })

  it('refuses a second settled payment', async () => {
    const second = (state: 'settled' | 'closed') => async (tx: Tx) => {
      const id = crypto.randomUUID()
      await book(tx, 'card_clearing', 3376, id)
      await sql`insert into payments (business_unit_id, id, policy_id, policy_version, gateway, gateway_id, user_id, amount_cents, currency, state,
          idempotency_key, intent_id, received_cents, created_at, settled_at)
          select business_unit_id, ${id}, policy_id, policy_version, 'StripeV2', gateway_id, user_id, amount_cents, currency, ${state},
          'other', 'pi_other', amount_cents, created_at, case when ${state} = 'settled' then now() end from payments where policy_id = ${sold}`.execute(
        tx,
      )
    }
    expect(await allowed(second('closed'))).toBe(true)
    expect(await allowed(second('settled'))).toBe(false)
  })

  it('refuses a settled card payment without its intent or of another amount', async () => {
    const card = { gateway: 'StripeV2', state: 'settled', settled_at: now }
    const pay = (values: Record<string, unknown>) => async (tx: Tx) => {
      await book(tx, 'card_clearing', 3376)
      await change('payments', open.purchaseUUID, { ...card, ...values })(tx)
      await change('policies', open.policyUuid, purchased)(tx)
    }
    expect(await allowed(pay({ received_cents: 3376 }))).toBe(false)
    expect(await allowed(pay({ intent_id: 'pi_1', received_cents: 3375 }))).toBe(false)
    expect(await allowed(pay({ intent_id: 'pi_1', received_cents: 3376 }))).toBe(true)
  })
})

describe('invariant I2: the schema', () => {
  it.each([
    ['payments', 'intent_id', 'pi_same'],
    ['payments', 'idempotency_key', 'same'],
    ['payments', 'request_key', 'same'],
  ] as const)('refuses a duplicate %s.%s', async (_, column, value) =>
    expect(await allowed(tx => sql`update payments set ${sql.ref(column)} = ${value}`.execute(tx))).toBe(false),
  )

  it('refuses a duplicate policy number', async () => {
    await sellAs(seller)
    expect(await allowed(tx => sql`update policies set number = 'same' where status = 'purchased'`.execute(tx))).toBe(false)
  })
})

describe('invariant I6: the schema', () => {
  it('refuses to record a larger refund than the payment', async () => {
    expect(await allowed(change('payments', open.purchaseUUID, { received_cents: 100, refunded_cents: 100 }))).toBe(true)
    expect(await allowed(change('payments', open.purchaseUUID, { received_cents: 100, refunded_cents: 101 }))).toBe(false)
  })
})
