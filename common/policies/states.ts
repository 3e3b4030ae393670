import type { Life } from '#common/kit/states.ts'

/** The statuses of a policy. A purchased policy never returns to an earlier one. */
export const policyStatuses = ['budgeted', 'pending', 'purchased', 'cancelled'] as const

export type PolicyStatus = (typeof policyStatuses)[number]

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

/** The allowed actions by status, for buttons, menus and the service alike. */
const actions = {
  budgeted: ['resume', 'replace', 'purchase', 'send', 'copy', 'delete'],
  pending: ['resume', 'replace', 'purchase', 'copy', 'delete'],
  purchased: ['send', 'copy', 'claim'],
  cancelled: ['send', 'copy'],
} as const satisfies Record<PolicyStatus, readonly string[]>

export type PolicyAction = (typeof actions)[PolicyStatus][number]

const isStatus = (status: string): status is PolicyStatus => Object.hasOwn(actions, status)

export const policyCan = (action: PolicyAction, { status }: { status: string }): boolean =>
  isStatus(status) && actions[status].some(each => each === action)
