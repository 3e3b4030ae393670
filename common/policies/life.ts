import type { Life } from '#common/kit/states.ts'

/** No list shows a `deleted` saved quote or a `blocked` sold policy. */
export type StoredStatus = 'budgeted' | 'pending' | 'purchased' | 'cancelled' | 'deleted' | 'blocked'

/** The life of a policy. Nothing leads back from a sale. */
export const policyLife: Life<StoredStatus> = {
  budgeted: ['pending', 'purchased', 'deleted'],
  // A payment that is never made leaves a saved quote.
  pending: ['budgeted', 'purchased', 'deleted'],
  purchased: ['cancelled', 'blocked'],
  // Reinstated.
  cancelled: ['purchased', 'blocked'],
  // Restored within the hour.
  deleted: ['budgeted'],
  blocked: [],
}
