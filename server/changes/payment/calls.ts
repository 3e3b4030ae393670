import * as calls from '#common/changes/calls.ts'
import { Refusal } from '#common/kit/refusals.ts'
import type { CallerInUnit } from '#server/kit/caller.ts'
import type { UnitTx } from '#server/kit/database.ts'
import type { Handler } from '#server/kit/serve.ts'
import { findPolicy, isVisible, paidIntent, type Sales, settle } from '#server/policies/public.ts'
import { undoChange } from '../make.ts'
import { movementById, type MovementRow, openChangeById, type OpenChangeRow } from '../queries.ts'
import { abandonChange } from './abandon.ts'
import { replyOf, type Standing, standingOf } from '../reply.ts'
import { changeWaits } from './waits.ts'

/** Makes a change that is paid by card. Repeated calls, also concurrent ones, get the same reply. */
export const payChange =
  (sales: Sales): Handler<typeof calls.payChange> =>
  async input => {
    const { ask, caller } = input
    const { scope } = caller.unit
    const standing = await sales.world.database.inScope(scope, tx => findStanding(sales, tx, caller, ask.changeUuid))
    if ('movement' in standing) return replyOf(sales, caller, standing)
    const { payment } = standing
    if (!payment) throw new Refusal('payment.not_paid')
    const intent = await paidIntent(sales, payment, ask.paymentIntentClientSecret ?? undefined)
    const settled = await settle(sales, scope, payment, changeWaits, { by: 'card', intent, where: input })
    if (!settled.made) throw new Refusal(settled.code)
    return replyOf(sales, caller, settled)
  }

/** Returns a change that waits for its payment, with the secret by which it is paid. */
export const openChange =
  (sales: Sales): Handler<typeof calls.openChange> =>
  async ({ ask, caller }) => {
    const { database, clock } = sales.world
    const standing = await database.inScope(caller.unit.scope, tx => findStanding(sales, tx, caller, ask.changeUuid))
    if ('open' in standing && (standing.open.ended_at || clock.now() >= standing.open.until)) throw new Refusal('change.expired')
    return replyOf(sales, caller, standing)
  }

async function findStanding(sales: Sales, tx: UnitTx, caller: CallerInUnit, id: string): Promise<Standing> {
  const { movement, open } = await find(tx, id)
  const policy = await findPolicy(tx, (movement ?? open)?.policy_id ?? id)
  if (!isVisible(caller, policy)) throw new Refusal('request.not_found')
  if (movement) return { policy, files: await sales.documents.list(tx, policy), movement }
  if (!open) throw new Refusal('request.not_found')
  return standingOf(sales, tx, policy, open)
}

/** A change that was made has a movement; one that waits or was never made has none. */
async function find(tx: UnitTx, id: string): Promise<{ movement?: MovementRow | undefined; open?: OpenChangeRow | undefined }> {
  const movement = await movementById(tx, id)
  return movement ? { movement } : { open: await openChangeById(tx, id) }
}

/**
 * Takes a change back. One that is offered or waits is abandoned: its payment is cancelled at the network first, and if it was paid meanwhile, the
 * change is made. One that was made is undone within the hour.
 */
export const takeBackChange =
  (sales: Sales): Handler<typeof calls.takeBackChange> =>
  async input => {
    const { ask, caller } = input
    const { scope } = caller.unit
    const standing = await sales.world.database.inScope(scope, tx => findStanding(sales, tx, caller, ask.changeUuid))
    if ('movement' in standing) {
      const { policy_id: policyUuid, to_version: version } = standing.movement
      return undoChange(sales)({ ...input, call: calls.undoChange, ask: { policyUuid, version, settle: ask.settle } })
    }
    const { open } = standing
    if (open.state === 'expired' || open.state === 'declined') throw new Refusal('change.expired')
    if (open.state === 'taken_back') return replyOf(sales, caller, standing)
    const { userId, name } = caller
    const abandoned = { state: 'taken_back', action: 'policy.change_taken_back', by: { userId, name }, where: input } as const
    return replyOf(sales, caller, await abandonChange(sales, scope, open.id, abandoned))
  }
