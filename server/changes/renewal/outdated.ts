import { Refusal } from '#common/kit/refusals.ts'
import type { Scope } from '#server/kit/scope.ts'
import type { Subscriber } from '#server/kit/work/outbox.ts'
import {
  findPolicy,
  giveNotice,
  isAccepted,
  isOutdated,
  type PolicyRow,
  recordEvent,
  removeUnsold,
  renewalOf,
  type Sales,
} from '#server/policies/public.ts'
import { noRequest, scopeOf } from '#server/session/public.ts'

/** A step has changed or ended a policy that may have a renewal. */
export const renewalOutdated = 'renewal.outdated'

/**
 * Deletes the unsold renewal of a policy that has changed or ended. The night offers another. A sold one stands, and is a task for the agent. So is the
 * policy whose renewal the client had accepted.
 */
export const endOutdated =
  (sales: Sales): Subscriber =>
  async job => {
    const { world } = sales
    const scope = scopeOf(job.businessUnitId)
    const concerned = await removeOutdated(sales, scope, String(job.payload['policyId']))
    if (!concerned) return
    const { id, seller_id } = concerned
    const at = world.clock.now()
    await world.database.inScope(scope, async tx => {
      await recordEvent(world, tx, { policyId: id, at, what: 'renewal_outdated' })
      await giveNotice(tx, { user_id: seller_id, policy_id: id, kind: 'renewal_outdated', at })
    })
  }

/** Deletes the renewal of an older version of a policy, as its agent would. Returns it if it is sold, also at this moment, or the policy if it was accepted. */
export async function removeOutdated(sales: Sales, scope: Scope, policyId: string): Promise<PolicyRow | undefined> {
  const { policy, renewal, accepted } = await sales.world.database.inScope(scope, async tx => {
    const policy = await findPolicy(tx, policyId)
    const renewal = policy && isOutdated(policy) ? await renewalOf(tx, policyId) : undefined
    return { policy, renewal, accepted: renewal !== undefined && (await isAccepted(tx, renewal.id)) }
  })
  if (!renewal || renewal.status === 'purchased') return renewal
  const caller = { userId: renewal.seller_id, unit: { permissions: [] } }
  try {
    await removeUnsold(sales, scope, { policyId: renewal.id, caller, by: noRequest })
  } catch (error) {
    if (error instanceof Refusal && error.code === 'policy.not_deletable') return renewal
    throw error
  }
  return accepted ? policy : undefined
}
