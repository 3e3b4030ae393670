import * as z from 'zod/mini'
import { longestTransferReference } from '#common/accounting/book.ts'
import type { CallSchemas } from '#common/kit/call.ts'
import { byUuidWithReason, pages, paging, personName, unitName } from './parts.ts'

const amount = z.object({ amount: z.number(), currency: z.string() })

const paymentReview = z.object({
  uuid: z.uuid(),
  at: z.string(),
  businessUnit: unitName,
  paymentUuid: z.uuid(),
  policyUuid: z.uuid(),
  policyNumber: z.nullable(z.string()),
  productName: z.string(),
  gateway: z.string(),
  intent: z.nullable(z.string()),
  asked: amount,
  received: z.nullable(amount),
  /** The amount refunded at the card network, or charged back by the cardholder. */
  taken: z.nullable(amount),
  /** The reason why a person must decide. */
  reason: z.string(),
  details: z.record(z.string(), z.unknown()),
  settledAt: z.nullable(z.string()),
  settledBy: z.nullable(personName),
  resolution: z.nullable(z.string()),
  /** The refunds that the network refused, oldest first. Those still `refused` are owed. */
  refunds: z.array(
    z.object({
      uuid: z.uuid(),
      amount: z.number(),
      currency: z.string(),
      state: z.enum(['refused', 'transferred']),
      reference: z.nullable(z.string()),
      transferredAt: z.nullable(z.string()),
    }),
  ),
})

export const listPaymentReviews = {
  summary: 'Lists payments to review, or already reviewed',
  request: z.strictObject({ ...paging, businessUnitUuid: z.optional(z.uuid()), state: z._default(z.enum(['open', 'settled']), 'open') }),
  response: z.object({ ...pages, reviews: z.array(paymentReview) }),
} satisfies CallSchemas

export const settlePaymentReview = {
  summary: 'Resolves a payment review and records what was done',
  request: byUuidWithReason,
  response: paymentReview,
} satisfies CallSchemas

export const transferReviewedRefund = {
  summary: 'Notes that a refund which the card network refused went back by bank transfer, once, with its reference',
  request: z.strictObject({
    uuid: z.uuid(),
    refundUuid: z.uuid(),
    reference: z.string().check(z.trim(), z.minLength(1), z.maxLength(longestTransferReference)),
  }),
  response: paymentReview,
} satisfies CallSchemas
