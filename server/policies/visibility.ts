import { may, type Permission } from '#common/kit/permissions.ts'
import { Refusal } from '#common/kit/refusals.ts'
import type { StoredStatus } from '#common/policies/states.ts'
import { type CallerInUnit, ownOnly, type Viewer } from '#server/kit/caller.ts'
import type { World } from '#server/kit/app-context.ts'
import { countRefusal, type Where } from '#server/session/public.ts'
import type { PolicyRow } from './queries.ts'

type CallerContext = Where & { caller: CallerInUnit }

/** spec 2: sold policies and saved quotes need one permission each. */
export const permissionFor = (status: StoredStatus): Permission =>
  status === 'purchased' || status === 'cancelled' ? 'b2b-policies-sold-view' : 'b2b-policies-draft-view'

const allStatuses = ['purchased', 'cancelled', 'budgeted', 'pending'] as const satisfies StoredStatus[]

/** Returns the statuses of policies that these permissions show. */
export const visibleStatuses = (permissions: readonly Permission[]): StoredStatus[] =>
  allStatuses.filter(status => may(permissions, permissionFor(status)))

/** Only sellers see the agency's commission, as with products. */
export const seesCommission = ({ unit }: { unit: Pick<CallerInUnit['unit'], 'permissions'> }): boolean =>
  may(unit.permissions, 'b2b-products-sell')

/** Refuses without the permission for that status, and counts the refusal in the audit. */
export async function demandStatus(
  world: World,
  input: CallerContext,
  status: StoredStatus,
  action: string,
  object?: string,
): Promise<void> {
  const { caller } = input
  const needed = permissionFor(status)
  if (may(caller.unit.permissions, needed)) return
  await world.database.asService(tx =>
    countRefusal(world, tx, input, {
      action,
      object,
      reason: `session.forbidden ${needed}`,
    }),
  )
  throw new Refusal('session.forbidden')
}

/**
 * Refuses a policy whose people are blocked or erased, if the caller saw it before: the money book still names it. For all other callers
 * it is unknown.
 */
export function demandUnblocked(caller: CallerInUnit, policy: PolicyRow | undefined): void {
  if (policy?.status !== 'blocked' || !isOwn(caller, policy) || !may(caller.unit.permissions, permissionFor('purchased'))) return
  throw new Refusal(policy.erased_at === null ? 'policy.blocked' : 'policy.erased')
}

/** True if the caller may know of the policy. An invisible policy is refused like an unknown one. */
export const isVisible = (caller: Viewer, policy: PolicyRow | undefined): policy is PolicyRow =>
  policy !== undefined && policy.status !== 'deleted' && policy.status !== 'blocked' && isOwn(caller, policy)

function isOwn(caller: Viewer, policy: PolicyRow): boolean {
  const own = ownOnly(caller)
  return own === undefined || policy.seller_id === own
}
