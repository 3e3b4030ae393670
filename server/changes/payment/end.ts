import type { World } from '#server/kit/app-context.ts'
import type { UnitTx } from '#server/kit/database.ts'
import { dropMails } from '#server/mail/public.ts'
import { changePayment } from '#server/payments/public.ts'
import { giveNotice, recordEvent } from '#server/policies/public.ts'
import { endOpenChange, openChangeOf, type OpenChangeRow, type Unmade } from '../queries.ts'

/** A user, or the client, who has no user id. */
export type Author = { userId: string | null; name: string }
type Ending = { state: Unmade; now: Date; by?: Author }

/** Ends an open change, made or not. An offer that is still to be mailed is not. */
export async function endOpen(tx: UnitTx, open: OpenChangeRow, state: 'done' | Unmade, now: Date): Promise<void> {
  await endOpenChange(tx, open.id, state, now)
  if (open.offered_to) await dropMails(tx, open.policy_id, ['change_offered'], now)
}

/** Ends a change that is not made. The policy stays as it was. Only a client declines, and the user who offered it gets a notice. */
export async function endUnmade(world: World, tx: UnitTx, open: OpenChangeRow, { state, now, by }: Ending): Promise<void> {
  await endOpen(tx, open, state, now)
  await recordEvent(world, tx, { policyId: open.policy_id, at: now, by, what: `change_${state}` })
  if (state === 'declined') await giveNotice(tx, { user_id: open.user_id, policy_id: open.policy_id, kind: 'offer_declined', at: now })
}

/** A policy that ends takes its open change with it. The reconciler then cancels the payment, or gives it back. */
export async function endOpenChangeOf(world: World, tx: UnitTx, policyId: string, now: Date): Promise<void> {
  const open = await openChangeOf(tx, policyId)
  if (!open) return
  await endUnmade(world, tx, open, { state: 'expired', now })
  if (open.payment_id) await changePayment(tx, open.payment_id, { check_at: now })
}
