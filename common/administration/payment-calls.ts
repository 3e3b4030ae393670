import { callsOf } from '#common/kit/calls-of.ts'
import type * as schemas from './schemas/payment.ts'

const call = callsOf<typeof schemas>()('administration')

export const listPaymentReviews = call<'listPaymentReviews'>('POST', '/api/administration/payments/list')
export const settlePaymentReview = call<'settlePaymentReview'>('POST', '/api/administration/payments/{uuid}/settle')
export const transferReviewedRefund = call<'transferReviewedRefund'>('POST', '/api/administration/payments/{uuid}/transfer')
