import type { Call } from '#common/kit/call.ts'
import type * as schemas from './schemas/payment.ts'

export const listPaymentReviews: Call<typeof schemas.listPaymentReviews, 'administration'> = {
  method: 'POST',
  path: '/api/administration/payments/list',
  needs: 'administration',
}

export const settlePaymentReview: Call<typeof schemas.settlePaymentReview, 'administration'> = {
  method: 'POST',
  path: '/api/administration/payments/{uuid}/settle',
  needs: 'administration',
}

export const transferReviewedRefund: Call<typeof schemas.transferReviewedRefund, 'administration'> = {
  method: 'POST',
  path: '/api/administration/payments/{uuid}/transfer',
  needs: 'administration',
}
