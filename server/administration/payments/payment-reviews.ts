import type * as calls from '#common/administration/calls.ts'
import { fromCents } from '#common/kit/money.ts'
import { Refusal } from '#common/kit/refusals.ts'
import type { World } from '#server/kit/app-context.ts'
import type { Handler } from '#server/kit/serve.ts'
import { type Sales, transferRefund } from '#server/policies/public.ts'
import { audit, unitForAdministration } from '#server/session/public.ts'
import type { ResponseSentOf } from '#common/kit/call.ts'
import { pagesOf } from '#server/kit/paging.ts'
import { findReview, listReviewRows, resolveReview, type ReviewRow } from './queries.ts'

export const listPaymentReviews =
  (world: World): Handler<typeof calls.listPaymentReviews> =>
  async ({ ask, caller: { allUnits } }) => {
    const { total, rows } = await world.database.acrossUnits(allUnits, tx =>
      listReviewRows(tx, ask.state === 'open', ask.businessUnitUuid, ask),
    )
    return { ...pagesOf(total, ask), reviews: rows.map(describeReview) }
  }

/** Records how an administrator resolved a review. The money itself moves at the card network. */
export const settlePaymentReview =
  (world: World): Handler<typeof calls.settlePaymentReview> =>
  async input => {
    const { ask, caller } = input
    const { allUnits, userId } = caller
    return world.database.acrossUnits(allUnits, async tx => {
      const settled = await resolveReview(tx, ask.uuid, { userId, at: world.clock.now(), resolution: ask.reason })
      const review = await findReview(tx, ask.uuid)
      if (!review) throw new Refusal('request.not_found')
      if (!settled) throw new Refusal('administration.settled_already')
      const entry = {
        action: 'administration.payment_settled',
        outcome: 'done' as const,
        userId,
        businessUnitId: review.unitId,
        object: review.paymentId,
      }
      await audit(world, tx, input, { ...entry, reason: ask.reason, details: { review: ask.uuid } })
      return describeReview(review)
    })
  }

/** Notes that a refused refund went back by bank transfer: its state, the book, the email and the review are one transaction. */
export const transferReviewedRefund =
  (sales: Sales): Handler<typeof calls.transferReviewedRefund> =>
  async input => {
    const { ask, caller } = input
    const { world } = sales
    const { allUnits, userId, name } = caller
    const { uuid, refundUuid, reference } = ask
    const reviewed = () => world.database.acrossUnits(allUnits, tx => findReview(tx, uuid))
    const review = await reviewed()
    if (!review?.refunds.some(({ id }) => id === refundUuid)) throw new Refusal('request.not_found')
    const scope = unitForAdministration(allUnits, review.unitId)
    await transferRefund(sales, scope, {
      paymentId: review.paymentId,
      refundId: refundUuid,
      by: { userId, name },
      reference,
      audited: (tx, { amount_cents: cents, currency }) =>
        audit(world, tx, input, {
          action: 'administration.refund_transferred',
          outcome: 'done',
          userId,
          businessUnitId: review.unitId,
          object: review.paymentId,
          details: { review: uuid, reference, amount: fromCents(cents), currency },
        }),
    })
    const resolved = await reviewed()
    if (!resolved) throw new Refusal('request.not_found')
    return describeReview(resolved)
  }

type Described = ResponseSentOf<typeof calls.settlePaymentReview>

function describeReview(row: ReviewRow): Described {
  return {
    uuid: row.id,
    at: row.at.toISOString(),
    businessUnit: { uuid: row.unitId, brandName: row.brandName },
    paymentUuid: row.paymentId,
    policyUuid: row.policyId,
    policyNumber: row.number,
    productName: row.productName,
    gateway: row.gateway,
    intent: textOf(row.details['intent']) ?? row.intent,
    asked: { amount: fromCents(row.amountCents), currency: row.currency },
    received: receivedOf(row.details['received']),
    taken: receivedOf(row.details['taken']),
    reason: row.reason,
    details: row.details,
    settledAt: row.settledAt?.toISOString() ?? null,
    settledBy: row.userId && row.userName && row.userEmail ? { uuid: row.userId, name: row.userName, email: row.userEmail } : null,
    resolution: row.resolution,
    refunds: row.refunds.map(({ id, cents, currency, state, reference, transferredAt }) => ({
      uuid: id,
      amount: fromCents(cents),
      currency,
      state,
      reference,
      transferredAt: transferredAt && new Date(transferredAt).toISOString(),
    })),
  }
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

/** Returns the amount as the card network reported it. A wrong amount or currency is often the reason for a review. */
function receivedOf(value: unknown): Described['received'] {
  if (typeof value !== 'object' || value === null || !('cents' in value) || !('currency' in value)) return null
  const { cents, currency } = value
  return typeof cents === 'number' && typeof currency === 'string' ? { amount: fromCents(cents), currency } : null
}
