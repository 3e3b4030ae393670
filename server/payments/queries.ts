import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import { leadingTo, mayFollow } from '#common/kit/states.ts'
import { paymentLife, type PaymentState, refundLife, refundMarginMs, type RefundState } from '#common/payments/states.ts'
import type { Ids } from '#server/kit/clock.ts'
import type { ServiceTx, UnitTx } from '#server/kit/database.ts'
import type { PaymentTables, ReviewReason } from './tables.ts'

export type PaymentRow = Selectable<PaymentTables['payments']>
export type NewPayment = Omit<Insertable<PaymentTables['payments']>, 'business_unit_id'>

const own = (tx: UnitTx) => tx.selectFrom('payments').selectAll()

export const findPayment = (tx: UnitTx, id: string): Promise<PaymentRow | undefined> => own(tx).where('id', '=', id).executeTakeFirst()

/** The row's version, which changes with every update. */
const version = sql<string>`payments.xmin::text`

/** Finds a payment with its version. A response from outside is stored only if the version is still the same (`touchIfUnchanged`). */
export const findPaymentVersion = (tx: UnitTx, id: string): Promise<(PaymentRow & { version: string }) | undefined> =>
  own(tx).select(version.as('version')).where('id', '=', id).executeTakeFirst()

/** Returns the payment under a new version; undefined if another transaction has changed it. */
export const touchIfUnchanged = (tx: UnitTx, id: string, knownVersion: string): Promise<PaymentRow | undefined> =>
  tx
    .updateTable('payments')
    .set(eb => ({ check_at: eb.ref('check_at') }))
    .where('id', '=', id)
    .where(version, '=', knownVersion)
    .returningAll()
    .executeTakeFirst()

export const openPaymentsOf = (tx: UnitTx, policyId: string): Promise<PaymentRow[]> =>
  own(tx).where('policy_id', '=', policyId).where('state', '=', 'open').orderBy('created_at').execute()

/** Returns the open payments of policies whose money may be on its way: those that the reconciler asks the card network about. */
export const begunPaymentsOf = (tx: UnitTx, policyIds: readonly string[]): Promise<PaymentRow[]> =>
  own(tx).where('policy_id', 'in', policyIds).where('state', '=', 'open').where('check_at', 'is not', null).orderBy('created_at').execute()

export const paymentsOf = (tx: UnitTx, policyId: string): Promise<PaymentRow[]> =>
  own(tx).where('policy_id', '=', policyId).orderBy('created_at').execute()

type Transfer = { cents: number; at: string; reference: string }

/** Refunds of a payment that went by bank transfer, the oldest first. */
const transfers = sql<Transfer[]>`(
  select coalesce(jsonb_agg(jsonb_build_object('cents', refund.amount_cents, 'at', refund.transferred_at, 'reference', refund.transfer_reference)
    order by refund.transferred_at, refund.id), '[]')
  from refunds refund
  where refund.business_unit_id = payments.business_unit_id and refund.payment_id = payments.id and refund.state = 'transferred')`

/** Returns the payments of a policy with the refunds that went by bank transfer, by one statement. */
export const paymentsWithTransfers = (tx: UnitTx, policyId: string): Promise<(PaymentRow & { transfers: Transfer[] })[]> =>
  own(tx).select(transfers.as('transfers')).where('policy_id', '=', policyId).orderBy('created_at').execute()

export const insertPayment = (tx: UnitTx, payment: NewPayment): Promise<PaymentRow> =>
  tx.insertInto('payments').values(payment).returningAll().executeTakeFirstOrThrow()

type Details = Omit<Updateable<PaymentTables['payments']>, 'state'>

export const changePayment = (tx: UnitTx, id: string, changes: Details) =>
  tx.updateTable('payments').set(changes).where('id', '=', id).execute()

/** Moves a payment to its next state, under the policy's lock. A sale or a step settles it with what it writes. */
export async function movePayment(tx: UnitTx, id: string, to: Exclude<PaymentState, 'settled'>, details: Details = {}): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable('payments')
    .set({ ...details, state: to })
    .where('id', '=', id)
    .where('state', 'in', leadingTo(paymentLife, to))
    .executeTakeFirstOrThrow()
  if (numUpdatedRows !== 1n) throw new Error(`payment ${id} cannot become ${to}`)
}

export const closePayment = (tx: UnitTx, id: string): Promise<void> => movePayment(tx, id, 'closed', { check_at: null })

/** Inserts a review, at most one per payment and reason. */
export const insertReview = (tx: UnitTx, review: Omit<Insertable<PaymentTables['payment_reviews']>, 'business_unit_id'>) =>
  tx
    .insertInto('payment_reviews')
    .values(review)
    .onConflict(conflict => conflict.columns(['business_unit_id', 'payment_id', 'reason']).doNothing())
    .execute()

/** Inserts a review, or reopens the existing one with new details. Returns false if the details are unchanged. */
export async function renewReview(
  tx: UnitTx,
  review: Omit<Insertable<PaymentTables['payment_reviews']>, 'business_unit_id'>,
): Promise<boolean> {
  const { at, details } = review
  const stored = await tx
    .insertInto('payment_reviews')
    .values(review)
    .onConflict(conflict =>
      conflict
        .columns(['business_unit_id', 'payment_id', 'reason'])
        .doUpdateSet({ at, details, resolved_at: null, resolved_by: null, resolution: null })
        .whereRef('payment_reviews.details', 'is distinct from', eb => eb.ref('excluded.details')),
    )
    .returning('id')
    .executeTakeFirst()
  return stored !== undefined
}

/** Returns the id of this installation, which may share its card network account with others. */
export const installationOf = async (tx: UnitTx): Promise<string> =>
  (await tx.selectFromShared('installation').select('id').executeTakeFirstOrThrow()).id

type Resolution = { resolved_by: string; resolution: string }

/** Resolves an open review whose cause is gone; `by`: the person who removed it. */
export const withdrawReview = (tx: UnitTx, paymentId: string, reason: ReviewReason, now: Date, by?: Resolution) =>
  tx
    .updateTable('payment_reviews')
    .set({ resolved_at: now, ...by })
    .where('payment_id', '=', paymentId)
    .where('reason', '=', reason)
    .where('resolved_at', 'is', null)
    .execute()

/** Stores an event. Returns false if it was stored before. */
export async function insertEvent(
  tx: UnitTx,
  event: Omit<Insertable<PaymentTables['payment_events']>, 'business_unit_id'>,
): Promise<boolean> {
  const stored = await tx
    .insertInto('payment_events')
    .values(event)
    .onConflict(conflict => conflict.columns(['business_unit_id', 'event_id']).doNothing())
    .returning('event_id')
    .executeTakeFirst()
  return stored !== undefined
}

/**
 * Takes payments of all units whose check is due. Postpones their next check, so that only one node checks them. They are found across all units, and
 * taken unit by unit: a distributed table locks no others.
 */
export async function takePaymentsToCheck(
  tx: ServiceTx,
  { now, until, limit }: { now: Date; until: Date; limit: number },
): Promise<PaymentRow[]> {
  const taken: PaymentRow[] = []
  const passed: string[] = []
  while (taken.length === 0) {
    const due = tx.selectFrom('payments').where('check_at', '<=', now)
    const found = await due
      .select(['business_unit_id', 'id'])
      .where('id', '<>', sql<string>`all(${passed}::uuid[])`)
      .orderBy('check_at')
      .limit(limit)
      .execute()
    if (found.length === 0) break
    for (const [unit, rows] of Map.groupBy(found, row => row.business_unit_id)) {
      const ids = rows.map(({ id }) => id)
      passed.push(...ids)
      const free = due.select('id').where('business_unit_id', '=', unit).where('id', 'in', ids).forUpdate().skipLocked()
      const take = tx.updateTable('payments').set({ check_at: until }).where('business_unit_id', '=', unit).where('id', 'in', free)
      taken.push(...(await take.returningAll().execute()))
    }
  }
  return taken
}

// All refunds by card: here they are owed, and here their state changes (common/payments/states.ts), under the policy's lock.

export type RefundRow = Selectable<PaymentTables['refunds']>

export const refundsOf = (tx: UnitTx, paymentId: string, states: RefundState[]): Promise<RefundRow[]> =>
  tx.selectFrom('refunds').selectAll().where('payment_id', '=', paymentId).where('state', 'in', states).execute()

/** Returns the states of a movement's refunds by card. */
export const refundStatesOf = async (tx: UnitTx, movementId: string): Promise<RefundState[]> =>
  (await tx.selectFrom('refunds').select('state').where('deed_id', '=', movementId).execute()).map(({ state }) => state)

/** Returns the refunds of a movement that have neither left nor are about to. */
export const unsentRefunds = (tx: UnitTx, movementId: string, now: Date): Promise<RefundRow[]> =>
  tx
    .selectFrom('refunds')
    .selectAll()
    .where('deed_id', '=', movementId)
    .where('state', '=', 'due')
    .where('leave_at', '>', new Date(now.getTime() + refundMarginMs))
    .execute()

/** The part of a payment that is owed. A movement's refund leaves at a set time, and the next movement can stop it before then. Any other leaves at once. */
type Owed = { cents: number; reason: string; at: Date; movement?: { id: string; leaveAt: Date } }

/** Owes a part of a payment by card, which counts as refunded from now on. The reconciler sends it once it leaves. */
export async function oweRefund(
  { ids }: { ids: Ids },
  tx: UnitTx,
  { id: payment_id, currency }: Pick<PaymentRow, 'id' | 'currency'>,
  { cents, reason, at, movement }: Owed,
): Promise<void> {
  const id = ids.next()
  const refund: Omit<Insertable<PaymentTables['refunds']>, 'business_unit_id'> = {
    id,
    payment_id,
    amount_cents: cents,
    currency,
    reason,
    state: 'due',
    idempotency_key: `refund-${id}`,
    created_at: at,
    deed_id: movement?.id ?? null,
    leave_at: movement?.leaveAt ?? null,
  }
  await tx.insertInto('refunds').values(refund).execute()
  // A refund that leaves later does not keep an earlier one waiting.
  await tx
    .updateTable('payments')
    .set(eb => ({
      refunded_cents: eb('refunded_cents', '+', cents),
      check_at: sql<Date>`least(check_at, ${movement?.leaveAt ?? at}::timestamptz)`,
    }))
    .where('id', '=', payment_id)
    .execute()
}

type RefundDetails = Omit<Updateable<PaymentTables['refunds']>, 'state'>

/** Notes something about a refund whose state is still the one read; returns false otherwise. */
export const noteOnRefund = (tx: UnitTx, refund: RefundRow, details: RefundDetails): Promise<boolean> => changed(tx, refund, details)

/**
 * Moves a refund to its next state; returns false if it has another one by now, or the next may not follow. A refund that is refused or stopped no longer
 * counts as refunded: its money is the payment's again.
 */
export async function moveRefund(tx: UnitTx, refund: RefundRow, to: RefundState, details: RefundDetails = {}): Promise<boolean> {
  if (!mayFollow(refundLife, refund.state, to) || !(await changed(tx, refund, { ...details, state: to }))) return false
  if (to === 'refused' || to === 'stopped')
    await tx
      .updateTable('payments')
      .set(eb => ({ refunded_cents: eb('refunded_cents', '-', refund.amount_cents) }))
      .where('id', '=', refund.payment_id)
      .execute()
  return true
}

async function changed(tx: UnitTx, { id, state }: RefundRow, changes: Updateable<PaymentTables['refunds']>): Promise<boolean> {
  const change = tx.updateTable('refunds').set(changes).where('id', '=', id).where('state', '=', state)
  return (await change.returning('id').executeTakeFirst()) !== undefined
}
