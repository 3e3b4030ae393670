import { may, narrowedToOwn, type Permission } from '#common/kit/permissions.ts'
import { Refusal } from '#common/kit/refusals.ts'
import type { CallerInUnit } from '#server/kit/caller.ts'
import type { World } from '#server/kit/front.ts'
import { audit, type Where } from '#server/session/public.ts'
import type { PolicyRow } from './queries.ts'
import type { StoredStatus } from './tables.ts'

type Asked = Where & { caller: CallerInUnit }

/** spec 2: sold policies and budgets are seen with a permission each. */
const permissionFor = (status: StoredStatus): Permission =>
  status === 'purchased' || status === 'cancelled' ? 'b2b-policies-sold-view' : 'b2b-policies-draft-view'

const allStatuses = ['purchased', 'cancelled', 'budgeted', 'pending'] as const satisfies StoredStatus[]

/** Policies of which status somebody with these permissions sees at all. */
export const visibleStatuses = (permissions: readonly Permission[]): StoredStatus[] =>
  allStatuses.filter(status => may(permissions, permissionFor(status)))

/** Whose policies the caller sees: the whole unit's, or only what he sold himself. */
export const ownOnly = ({
  userId,
  unit,
}: Pick<CallerInUnit, 'userId'> & { unit: Pick<CallerInUnit['unit'], 'permissions'> }): string | undefined =>
  narrowedToOwn(unit.permissions) ? userId : undefined

/** Refused without the permission for that status, and the audit tells. */
export async function demandStatus(world: World, asked: Asked, status: StoredStatus, action: string, object?: string): Promise<void> {
  const { caller } = asked
  const needed = permissionFor(status)
  if (may(caller.unit.permissions, needed)) return
  await world.database.asService(tx =>
    audit(world, tx, asked, {
      action,
      outcome: 'refused',
      userId: caller.userId,
      businessUnitId: caller.unit.scope.businessUnitId,
      object,
      reason: `session.forbidden ${needed}`,
    }),
  )
  throw new Refusal('session.forbidden')
}

/** A policy that the caller may not know of is told from none at all by nothing. */
export function isThere(caller: CallerInUnit, policy: PolicyRow | undefined): policy is PolicyRow {
  const own = ownOnly(caller)
  return policy !== undefined && policy.status !== 'deleted' && (own === undefined || policy.seller_id === own)
}
