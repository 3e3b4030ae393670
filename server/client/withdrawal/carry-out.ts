import { previewEnding } from '#common/changes/ending/cancel.ts'
import { unitSettings } from '#server/business-unit/public.ts'
import { movementOfWithdrawal, endingStep, loadPolicy, writeMovement } from '#server/changes/public.ts'
import type { World } from '#server/kit/app-context.ts'
import type { UnitTx } from '#server/kit/database.ts'
import type { Scope } from '#server/kit/scope.ts'
import type { Subscriber } from '#server/kit/work/outbox.ts'
import { findHolder, lockPolicy, type PolicyRow, type Sales } from '#server/policies/public.ts'
import { noRequest, scopeOf } from '#server/session/public.ts'
import { fileForClient } from '#server/tickets/public.ts'
import { findWithdrawal, type WithdrawalRow } from '../queries.ts'
import { receiptText } from './receipt.ts'

export const withdrawalReceived = 'withdrawal.received'

/** Carries out statements whose request could not: the service was stopped, or something was down. */
export const carryOutReceived =
  (sales: Sales): Subscriber =>
  job =>
    carryOut(sales, scopeOf(job.businessUnitId), String(job.payload['withdrawalId']))

/**
 * Ends the present version of the policy as an agent's withdrawal would, as of the moment of the statement. A repetition does nothing. After a claim,
 * or a change that took the right away, the insurer's desk decides.
 */
export const carryOut = (sales: Sales, scope: Scope, withdrawalId: string): Promise<void> =>
  sales.world.database.inScope(scope, async tx => {
    const withdrawal = await findWithdrawal(tx, withdrawalId)
    const policy = withdrawal && (await lockPolicy(tx, withdrawal.policy_id))
    if (!policy || policy.status !== 'purchased' || (await movementOfWithdrawal(tx, withdrawalId))) return
    const { at: now, name, confirm_to: confirmTo } = withdrawal
    const asked = { as: 'withdrawal' as const, version: policy.version }
    const loaded = await loadPolicy(tx, policy, { secrets: sales.world.secrets, now, locale: policy.locale })
    const preview = previewEnding(loaded.policy, asked, loaded.now)
    if (!preview.possible) return toDesk(sales.world, tx, withdrawal, policy)
    await writeMovement(sales, tx, {
      id: sales.world.ids.next(),
      row: policy,
      loaded,
      step: endingStep(loaded, preview),
      asked: { ...asked, name, confirmTo },
      by: { userId: null, name, withdrawalId },
      where: noRequest,
      requestKey: null,
      now,
    })
  })

/** Files the statement as a request to the insurer's desk, under its own id. */
async function toDesk(world: World, tx: UnitTx, withdrawal: WithdrawalRow, policy: PolicyRow): Promise<void> {
  const unit = await unitSettings(tx)
  const words = world.words(unit.locale)
  const holder = await findHolder(tx, policy)
  await fileForClient(world, tx, {
    id: withdrawal.id,
    typeKey: 'refund',
    subject: words('mail.receipt.title'),
    description: receiptText({ withdrawal, policy: { ...policy, locale: unit.locale }, unit, words }),
    policy,
    contact: {
      name: withdrawal.name,
      email: withdrawal.confirm_to,
      phone: [holder?.phone_prefix, holder?.phone_number].filter(Boolean).join(' '),
    },
    locale: policy.locale,
    confirms: false,
  })
}
