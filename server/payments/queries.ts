import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { ServiceTx, UnitTx } from '#server/kit/database.ts'
import type { PaymentTables, ReviewReason } from './tables.ts'

export type PaymentRow = Selectable<PaymentTables['payments']>
export type RefundRow = Selectable<PaymentTables['refunds']>
export type NewPayment = Omit<Insertable<PaymentTables['payments']>, 'business_unit_id'>

const own = (tx: UnitTx) => tx.selectFrom('payments').selectAll()

export const findPayment = (tx: UnitTx, id: string): Promise<PaymentRow | undefined> => own(tx).where('id', '=', id).executeTakeFirst()

/** The row's version, which every change of the row makes another one. */
const version = sql<string>`payments.xmin::text`

/** With its version: an answer from outside is written only if nobody has written one since it was asked for (`takeTurn`). */
export const findPaymentVersion = (tx: UnitTx, id: string): Promise<(PaymentRow & { version: string }) | undefined> =>
  own(tx).select(version.as('version')).where('id', '=', id).executeTakeFirst()

/** The payment as it is, under a new version; undefined if its version is another one meanwhile. */
export const takeTurn = (tx: UnitTx, id: string, found: string): Promise<PaymentRow | undefined> =>
  tx
    .updateTable('payments')
    .set(eb => ({ check_at: eb.ref('check_at') }))
    .where('id', '=', id)
    .where(version, '=', found)
    .returningAll()
    .executeTakeFirst()

export const findPaymentOfIntent = (tx: UnitTx, intentId: string): Promise<PaymentRow | undefined> =>
  own(tx).where('intent_id', '=', intentId).executeTakeFirst()

export const findPaymentOfRequest = (tx: UnitTx, requestKey: string): Promise<PaymentRow | undefined> =>
  own(tx).where('request_key', '=', requestKey).executeTakeFirst()

export const openPaymentsOf = (tx: UnitTx, policyId: string): Promise<PaymentRow[]> =>
  own(tx).where('policy_id', '=', policyId).where('state', '=', 'open').orderBy('created_at').execute()

export const paymentsOf = (tx: UnitTx, policyId: string): Promise<PaymentRow[]> =>
  own(tx).where('policy_id', '=', policyId).orderBy('created_at').execute()

export const insertPayment = (tx: UnitTx, payment: NewPayment): Promise<PaymentRow> =>
  tx.insertInto('payments').values(payment).returningAll().executeTakeFirstOrThrow()

export const changePayment = (tx: UnitTx, id: string, changes: Updateable<PaymentTables['payments']>) =>
  tx.updateTable('payments').set(changes).where('id', '=', id).execute()

export const insertLedgerEntry = (tx: UnitTx, entry: Omit<Insertable<PaymentTables['agency_ledger']>, 'business_unit_id'>) =>
  tx.insertInto('agency_ledger').values(entry).execute()

export const closePayment = (tx: UnitTx, id: string) => changePayment(tx, id, { state: 'closed', check_at: null })

export const insertRefund = (tx: UnitTx, refund: Omit<Insertable<PaymentTables['refunds']>, 'business_unit_id'>) =>
  tx.insertInto('refunds').values(refund).execute()

/** The same payment is put before somebody once for each reason. */
export const insertReview = (tx: UnitTx, review: Omit<Insertable<PaymentTables['payment_reviews']>, 'business_unit_id'>) =>
  tx
    .insertInto('payment_reviews')
    .values(review)
    .onConflict(conflict => conflict.columns(['business_unit_id', 'payment_id', 'reason']).doNothing())
    .execute()

/** The same entry again with what is so now: put before somebody anew, if that is something else than before. */
export async function renewReview(
  tx: UnitTx,
  review: Omit<Insertable<PaymentTables['payment_reviews']>, 'business_unit_id'>,
): Promise<boolean> {
  const { at, details } = review
  const kept = await tx
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
  return kept !== undefined
}

/** Which installation this is, at a card network whose account others may share. */
export const installationOf = async (tx: UnitTx): Promise<string> =>
  (await tx.selectFromShared('installation').select('id').executeTakeFirstOrThrow()).id

/** What somebody was to look at has come right by itself. */
export const withdrawReview = (tx: UnitTx, paymentId: string, reason: ReviewReason, now: Date) =>
  tx
    .updateTable('payment_reviews')
    .set({ resolved_at: now })
    .where('payment_id', '=', paymentId)
    .where('reason', '=', reason)
    .where('resolved_at', 'is', null)
    .execute()

/** True for whoever keeps it first. */
export async function keepEvent(
  tx: UnitTx,
  event: Omit<Insertable<PaymentTables['payment_events']>, 'business_unit_id'>,
): Promise<boolean> {
  const kept = await tx
    .insertInto('payment_events')
    .values(event)
    .onConflict(conflict => conflict.columns(['business_unit_id', 'event_id']).doNothing())
    .returning('event_id')
    .executeTakeFirst()
  return kept !== undefined
}

export const refundsOf = (tx: UnitTx, paymentId: string, states: RefundRow['state'][]): Promise<RefundRow[]> =>
  tx.selectFrom('refunds').selectAll().where('payment_id', '=', paymentId).where('state', 'in', states).execute()

/** From the state that it was found in; undefined where it is in another meanwhile. */
export const changeRefund = (tx: UnitTx, { id, state }: RefundRow, changes: Updateable<PaymentTables['refunds']>) =>
  tx.updateTable('refunds').set(changes).where('id', '=', id).where('state', '=', state).returning('id').executeTakeFirst()

/** Of all units: what is to be asked about by now. Taken by one node, for until then. */
export const takePaymentsToCheck = (tx: ServiceTx, now: Date, until: Date, most: number): Promise<PaymentRow[]> =>
  tx
    .updateTable('payments')
    .set({ check_at: until })
    .where(eb =>
      eb(
        eb.refTuple('business_unit_id', 'id'),
        'in',
        eb
          .selectFrom('payments as due')
          .select(['due.business_unit_id', 'due.id'])
          .where('due.check_at', '<=', now)
          .orderBy('due.check_at')
          .limit(most)
          .forUpdate()
          .skipLocked()
          .$asTuple('business_unit_id', 'id'),
      ),
    )
    .returningAll()
    .execute()
