import * as z from 'zod/mini'
import type { CallSchemas } from '#common/kit/call.ts'
import { pages, paging, personName, reason, unitName } from './parts.ts'

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
  /** Given back at the card network, or claimed back by a card's holder. */
  taken: z.nullable(amount),
  /** Why the service could not decide by itself. */
  reason: z.string(),
  details: z.record(z.string(), z.unknown()),
  settledAt: z.nullable(z.string()),
  settledBy: z.nullable(personName),
  resolution: z.nullable(z.string()),
})

export const listPaymentReviews = {
  summary: 'Payments that somebody has to look at, or has looked at',
  ask: z.strictObject({ ...paging, businessUnitUuid: z.optional(z.uuid()), state: z._default(z.enum(['open', 'settled']), 'open') }),
  answer: z.object({ ...pages, reviews: z.array(paymentReview) }),
} satisfies CallSchemas

export const settlePaymentReview = {
  summary: 'Somebody has looked at a payment: what he did about it',
  ask: z.strictObject({ uuid: z.uuid(), reason }),
  answer: paymentReview,
} satisfies CallSchemas
