import { sql } from 'kysely'
import type { AllUnitsTx } from '#server/kit/database.ts'
import { type Paging, offsetOf } from '#server/kit/paging.ts'

type RefusedRefund = {
  id: string
  cents: number
  currency: string
  state: 'refused' | 'transferred'
  reference: string | null
  transferredAt: string | null
}

/** The refunds of the review's payment that the network refused, also those that have gone by bank transfer since. */
const refusedRefunds = sql<RefusedRefund[]>`(
  select coalesce(jsonb_agg(jsonb_build_object('id', refund.id, 'cents', refund.amount_cents, 'currency', refund.currency, 'state', refund.state,
    'reference', refund.transfer_reference, 'transferredAt', refund.transferred_at) order by refund.created_at, refund.id), '[]')
  from refunds refund
  where refund.business_unit_id = review.business_unit_id and refund.payment_id = review.payment_id
    and review.reason = 'refund_refused' and refund.state in ('refused', 'transferred'))`

const reviews = (tx: AllUnitsTx) =>
  tx
    .selectFrom('payment_reviews as review')
    .innerJoin('payments', join =>
      join.onRef('payments.business_unit_id', '=', 'review.business_unit_id').onRef('payments.id', '=', 'review.payment_id'),
    )
    .innerJoin('policies', join =>
      join.onRef('policies.business_unit_id', '=', 'payments.business_unit_id').onRef('policies.id', '=', 'payments.policy_id'),
    )
    .innerJoin('business_units', 'business_units.id', 'review.business_unit_id')
    .leftJoin('users', 'users.id', 'review.resolved_by')
    .select([
      'review.id',
      'review.business_unit_id as unitId',
      sql<string>`business_units.settings->>'brandName'`.as('brandName'),
      'review.at',
      'review.reason',
      'review.details',
      'review.resolved_at as settledAt',
      'review.resolution',
      'users.id as userId',
      'users.name as userName',
      'users.email as userEmail',
      'payments.id as paymentId',
      'payments.gateway',
      'payments.intent_id as intent',
      'payments.amount_cents as amountCents',
      'payments.currency',
      'policies.id as policyId',
      'policies.number',
      'policies.product_name as productName',
      refusedRefunds.as('refunds'),
    ])

export async function listReviewRows(tx: AllUnitsTx, open: boolean, unitId: string | undefined, paging: Paging) {
  const { total } = await tx
    .selectFrom('payment_reviews')
    .where('resolved_at', open ? 'is' : 'is not', null)
    .$if(unitId !== undefined, query => query.where('business_unit_id', '=', unitId ?? ''))
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const rows = await reviews(tx)
    .where('review.resolved_at', open ? 'is' : 'is not', null)
    .$if(unitId !== undefined, query => query.where('review.business_unit_id', '=', unitId ?? ''))
    .orderBy('review.at', 'desc')
    .orderBy('review.id', 'desc')
    .limit(paging.perPage)
    .offset(offsetOf(paging))
    .execute()
  return { total, rows }
}

export type ReviewRow = Awaited<ReturnType<typeof listReviewRows>>['rows'][number]

export const findReview = (tx: AllUnitsTx, id: string): Promise<ReviewRow | undefined> =>
  reviews(tx).where('review.id', '=', id).executeTakeFirst()

/** Resolves a review. Only one of two concurrent resolutions succeeds. */
export async function resolveReview(tx: AllUnitsTx, id: string, by: { userId: string; at: Date; resolution: string }): Promise<boolean> {
  const settled = await tx
    .updateTable('payment_reviews')
    .set({ resolved_at: by.at, resolved_by: by.userId, resolution: by.resolution })
    .where('id', '=', id)
    .where('resolved_at', 'is', null)
    .executeTakeFirst()
  return settled.numUpdatedRows > 0n
}
