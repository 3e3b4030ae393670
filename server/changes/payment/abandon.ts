import { Refusal } from '#common/kit/refusals.ts'
import type { UnitTx } from '#server/kit/database.ts'
import type { Scope } from '#server/kit/scope.ts'
import { heldSince } from '#server/kit/work/jobs.ts'
import { closePayment, findPayment } from '#server/payments/public.ts'
import { cancelOrSettle, lockPolicy, type Sales } from '#server/policies/public.ts'
import { audit, scopeOf, type Where } from '#server/session/public.ts'
import { offersOver, openChangeById } from '../queries.ts'
import { type Author, endUnmade } from './open.ts'
import { type Standing, standingOf } from '../reply.ts'
import { changeWaits } from './waits.ts'

type Refused = { state: 'declined' | 'taken_back'; action: string; by: Author; where: Where }

/**
 * Abandons a change that waits. A payment that has begun is cancelled at the network first, and if it was paid meanwhile, the change is made. An offer
 * that the client begins to pay at the same time is abandoned with that payment.
 */
export async function abandonChange(sales: Sales, scope: Scope, id: string, refused: Refused): Promise<Standing> {
  const { database } = sales.world
  const payment = await database.inScope(scope, async tx => {
    const open = await openChangeById(tx, id)
    return open?.payment_id ? findPayment(tx, open.payment_id) : undefined
  })
  if (payment) {
    const settled = await cancelOrSettle(sales, scope, payment, changeWaits, { where: refused.where })
    if (settled && !settled.made) throw new Refusal(settled.code)
    if (settled) return settled
  }
  const standing = await database.inScope(scope, tx => end(sales, tx, id, { ...refused, payment: payment?.id }))
  return standing ?? abandonChange(sales, scope, id, refused)
}

/** Ends the change under the policy's lock. Undefined if a payment has begun since it was read: that one is to be cancelled first. */
async function end(
  sales: Sales,
  tx: UnitTx,
  id: string,
  { state, action, by, where, payment }: Refused & { payment: string | undefined },
): Promise<Standing | undefined> {
  const { world } = sales
  const found = await openChangeById(tx, id)
  const policy = found && (await lockPolicy(tx, found.policy_id))
  const open = policy && (await openChangeById(tx, id))
  if (!open) throw new Refusal('request.not_found')
  if (!open.ended_at) {
    if (open.payment_id !== (payment ?? null)) return undefined
    if (open.payment_id && (await findPayment(tx, open.payment_id))?.state === 'open') await closePayment(tx, open.payment_id)
    await endUnmade(world, tx, open, { state, now: world.clock.now(), by })
    await audit(world, tx, where, { action, outcome: 'done', object: policy.id })
  }
  return standingOf(sales, tx, policy, (await openChangeById(tx, id)) ?? open)
}

/** Ends, every minute, the offers whose time is over. One whose payment has begun is the payments' reconciler's. */
export async function expireOffers(sales: Sales): Promise<number> {
  const { database, clock, log } = sales.world
  if (await heldSince(database.shared)) return 0
  const over = await database.asService(tx => offersOver(tx, clock.now()))
  for (const { business_unit_id: unit, ...offer } of over)
    await expire(sales, scopeOf(unit), offer).catch((err: unknown) => log.warn({ offer: offer.id, err }, 'an offer could not be ended'))
  return over.length
}

const expire = ({ world }: Sales, scope: Scope, { id, policy_id }: { id: string; policy_id: string }): Promise<void> =>
  world.database.inScope(scope, async tx => {
    await lockPolicy(tx, policy_id)
    const open = await openChangeById(tx, id)
    const now = world.clock.now()
    if (open?.state === 'offered' && now >= open.until) await endUnmade(world, tx, open, { state: 'expired', now })
  })
