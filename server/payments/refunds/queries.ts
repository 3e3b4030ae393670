import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import { mayFollow } from '#common/kit/states.ts'
import { refundLife, refundMarginMs, type RefundState } from '#common/payments/states.ts'
import type { Ids } from '#server/kit/clock.ts'
import type { UnitTx } from '#server/kit/database.ts'
import type { PaymentRow } from '../queries.ts'
import type { PaymentTables } from '../tables.ts'

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

type Details = Omit<Updateable<PaymentTables['refunds']>, 'state'>

/** Notes something about a refund whose state is still the one read; returns false otherwise. */
export const noteOnRefund = (tx: UnitTx, refund: RefundRow, details: Details): Promise<boolean> => changed(tx, refund, details)

/**
 * Moves a refund to its next state; returns false if it has another one by now, or the next may not follow. A refund that is refused or stopped no longer
 * counts as refunded: its money is the payment's again.
 */
export async function moveRefund(tx: UnitTx, refund: RefundRow, to: RefundState, details: Details = {}): Promise<boolean> {
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
