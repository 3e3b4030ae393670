import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { Tx } from '#server/kit/database.ts'
import type { Scope } from '#server/kit/scope.ts'
import type { PaymentTables, ReviewReason } from './tables.ts'

export type PaymentRow = Selectable<PaymentTables['payments']>
export type RefundRow = Selectable<PaymentTables['refunds']>
export type NewPayment = Omit<Insertable<PaymentTables['payments']>, 'business_unit_id'>

const own = (scope: Scope, tx: Tx) => tx.selectFrom('payments').selectAll().where('business_unit_id', '=', scope.businessUnitId)

export const findPayment = (scope: Scope, tx: Tx, id: string): Promise<PaymentRow | undefined> =>
  own(scope, tx).where('id', '=', id).executeTakeFirst()

/** The row's version, which every change of the row makes another one. */
const version = sql<string>`payments.xmin::text`

/** With its version: an answer from outside is written only if nobody has written one since it was asked for (`takeTurn`). */
export const findPaymentVersion = (scope: Scope, tx: Tx, id: string): Promise<(PaymentRow & { version: string }) | undefined> =>
  own(scope, tx).select(version.as('version')).where('id', '=', id).executeTakeFirst()

/** The payment as it is, under a new version; undefined if its version is another one meanwhile. */
export const takeTurn = (scope: Scope, tx: Tx, id: string, found: string): Promise<PaymentRow | undefined> =>
  tx
    .updateTable('payments')
    .set(eb => ({ check_at: eb.ref('check_at') }))
    .where('business_unit_id', '=', scope.businessUnitId)
    .where('id', '=', id)
    .where(version, '=', found)
    .returningAll()
    .executeTakeFirst()

export const findPaymentOfIntent = (scope: Scope, tx: Tx, intentId: string): Promise<PaymentRow | undefined> =>
  own(scope, tx).where('intent_id', '=', intentId).executeTakeFirst()

export const findPaymentOfRequest = (scope: Scope, tx: Tx, requestKey: string): Promise<PaymentRow | undefined> =>
  own(scope, tx).where('request_key', '=', requestKey).executeTakeFirst()

export const openPaymentsOf = (scope: Scope, tx: Tx, policyId: string): Promise<PaymentRow[]> =>
  own(scope, tx).where('policy_id', '=', policyId).where('state', '=', 'open').orderBy('created_at').execute()

export const paymentsOf = (scope: Scope, tx: Tx, policyId: string): Promise<PaymentRow[]> =>
  own(scope, tx).where('policy_id', '=', policyId).orderBy('created_at').execute()

export const insertPayment = (scope: Scope, tx: Tx, payment: NewPayment): Promise<PaymentRow> =>
  tx
    .insertInto('payments')
    .values({ business_unit_id: scope.businessUnitId, ...payment })
    .returningAll()
    .executeTakeFirstOrThrow()

export const changePayment = (scope: Scope, tx: Tx, id: string, changes: Updateable<PaymentTables['payments']>) =>
  tx.updateTable('payments').set(changes).where('business_unit_id', '=', scope.businessUnitId).where('id', '=', id).execute()

export const insertLedgerEntry = (scope: Scope, tx: Tx, entry: Omit<Insertable<PaymentTables['agency_ledger']>, 'business_unit_id'>) =>
  tx
    .insertInto('agency_ledger')
    .values({ business_unit_id: scope.businessUnitId, ...entry })
    .execute()

export const closePayment = (scope: Scope, tx: Tx, id: string) => changePayment(scope, tx, id, { state: 'closed', check_at: null })

export const insertRefund = (scope: Scope, tx: Tx, refund: Omit<Insertable<PaymentTables['refunds']>, 'business_unit_id'>) =>
  tx
    .insertInto('refunds')
    .values({ business_unit_id: scope.businessUnitId, ...refund })
    .execute()

/** The same payment is put before somebody once for each reason. */
export const insertReview = (scope: Scope, tx: Tx, review: Omit<Insertable<PaymentTables['payment_reviews']>, 'business_unit_id'>) =>
  tx
    .insertInto('payment_reviews')
    .values({ business_unit_id: scope.businessUnitId, ...review })
    .onConflict(conflict => conflict.columns(['business_unit_id', 'payment_id', 'reason']).doNothing())
    .execute()

/** The same entry again with what is so now: put before somebody anew, if that is something else than before. */
export async function renewReview(
  scope: Scope,
  tx: Tx,
  review: Omit<Insertable<PaymentTables['payment_reviews']>, 'business_unit_id'>,
): Promise<boolean> {
  const { at, details } = review
  const kept = await tx
    .insertInto('payment_reviews')
    .values({ business_unit_id: scope.businessUnitId, ...review })
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
export const installationOf = async (tx: Tx): Promise<string> =>
  (await tx.selectFrom('installation').select('id').executeTakeFirstOrThrow()).id

/** What somebody was to look at has come right by itself. */
export const withdrawReview = (scope: Scope, tx: Tx, paymentId: string, reason: ReviewReason, now: Date) =>
  tx
    .updateTable('payment_reviews')
    .set({ resolved_at: now })
    .where('business_unit_id', '=', scope.businessUnitId)
    .where('payment_id', '=', paymentId)
    .where('reason', '=', reason)
    .where('resolved_at', 'is', null)
    .execute()

/** True for whoever keeps it first. */
export async function keepEvent(
  scope: Scope,
  tx: Tx,
  event: Omit<Insertable<PaymentTables['payment_events']>, 'business_unit_id'>,
): Promise<boolean> {
  const kept = await tx
    .insertInto('payment_events')
    .values({ business_unit_id: scope.businessUnitId, ...event })
    .onConflict(conflict => conflict.columns(['business_unit_id', 'event_id']).doNothing())
    .returning('event_id')
    .executeTakeFirst()
  return kept !== undefined
}

export const refundsOf = (scope: Scope, tx: Tx, paymentId: string, states: RefundRow['state'][]): Promise<RefundRow[]> =>
  tx
    .selectFrom('refunds')
    .selectAll()
    .where('business_unit_id', '=', scope.businessUnitId)
    .where('payment_id', '=', paymentId)
    .where('state', 'in', states)
    .execute()

/** From the state that it was found in; undefined where it is in another meanwhile. */
export const changeRefund = (scope: Scope, tx: Tx, { id, state }: RefundRow, changes: Updateable<PaymentTables['refunds']>) =>
  tx
    .updateTable('refunds')
    .set(changes)
    .where('business_unit_id', '=', scope.businessUnitId)
    .where('id', '=', id)
    .where('state', '=', state)
    .returning('id')
    .executeTakeFirst()

/** Of all units: what is to be asked about by now. Taken by one node, for until then. */
export const takePaymentsToCheck = (tx: Tx, now: Date, until: Date, most: number): Promise<PaymentRow[]> =>
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
