import { Refusal } from '#common/kit/refusals.ts'
import type * as calls from '#common/policies/calls.ts'
import { policyCan } from '#common/policies/states.ts'
import type { World } from '#server/kit/app-context.ts'
import type { Viewer } from '#server/kit/caller.ts'
import type { UnitTx } from '#server/kit/database.ts'
import type { Scope } from '#server/kit/scope.ts'
import type { Handler } from '#server/kit/serve.ts'
import { closePayment, openPaymentsOf, type PaymentRow } from '#server/payments/public.ts'
import { audit, type Where } from '#server/session/public.ts'
import { isVisible } from '../visibility.ts'
import { findPolicy, lockPolicy, movePolicy, type PolicyRow } from '../queries.ts'
import { isOutdated, renewalOf } from '../renewal/queries.ts'
import { releasePayment } from './purchase.ts'
import type { Sales } from './sale-context.ts'

export const removePolicy =
  (sales: Sales): Handler<typeof calls.deletePolicy> =>
  async input => {
    const { ask, caller } = input
    await removeUnsold(sales, caller.unit.scope, { policyId: ask.policyUuid, caller, by: input })
    return { deleted: true }
  }

/** `by`: the request, if one asked for it. Without a user the service acts by itself. */
type Removing = { policyId: string; caller: Viewer; by: Where }

/**
 * Deletes a saved quote or unpaid sale. A payment that may be in progress is cancelled at the card network first. Repeated calls succeed.
 */
export async function removeUnsold(sales: Sales, scope: Scope, removing: Removing): Promise<void> {
  for (;;) {
    const blocking = await sales.world.database.inScope(scope, tx => tryToRemove(sales, tx, removing))
    if (!blocking) return
    await releasePayment(sales, scope, blocking, 'policy.not_deletable')
  }
}

async function tryToRemove({ world }: Sales, tx: UnitTx, { policyId, caller, by }: Removing): Promise<PaymentRow | undefined> {
  const policy = await lockPolicy(tx, policyId)
  // A repeated deletion succeeds for callers that may delete it.
  if (policy?.status === 'deleted' && isVisible(caller, { ...policy, status: 'budgeted' })) return undefined
  if (!isVisible(caller, policy)) throw new Refusal('request.not_found')
  if (!policyCan('delete', policy)) throw new Refusal('policy.not_deletable')
  const open = await openPaymentsOf(tx, policy.id)
  const blocking = open.find(({ check_at }) => check_at !== null)
  if (blocking) return blocking
  for (const payment of open) await closePayment(tx, payment.id)
  await changeStatus(world, tx, by, policy, { status: 'deleted', what: 'deleted' })
  return undefined
}

const restorableMs = 3_600_000

/** Restores a deleted policy as a saved quote. Its payments stay cancelled. */
export const restorePolicy =
  ({ world }: Sales): Handler<typeof calls.restorePolicy> =>
  async input => {
    const { ask, caller } = input
    const { scope } = caller.unit
    await world.database.inScope(scope, async tx => {
      const policy = await lockPolicy(tx, ask.policyUuid)
      if (policy?.status === 'budgeted' && isVisible(caller, policy)) return
      const isRecent = policy !== undefined && world.clock.now().getTime() - policy.updated_at.getTime() < restorableMs
      const isRestorable = policy?.status === 'deleted' && policy.erased_at === null && isRecent
      if (!isRestorable || !isVisible(caller, { ...policy, status: 'budgeted' })) throw new Refusal('request.not_found')
      // Meanwhile the policy may have been renewed by another quote, or have changed.
      const renewed = policy.renews ? await findPolicy(tx, policy.renews) : undefined
      if (renewed && (isOutdated(renewed) || (await renewalOf(tx, renewed.id)))) throw new Refusal('request.conflict')
      await changeStatus(world, tx, input, policy, { status: 'budgeted', what: 'restored' })
    })
    return { restored: true }
  }

type StatusChange = { status: 'deleted' | 'budgeted'; what: 'deleted' | 'restored' }

async function changeStatus(world: World, tx: UnitTx, by: Where, policy: PolicyRow, { status, what }: StatusChange): Promise<void> {
  await audit(world, tx, by, { action: `policy.${what}`, outcome: 'done', object: policy.id })
  await movePolicy(world, tx, policy, status, { at: world.clock.now(), by: by.caller, what })
}
