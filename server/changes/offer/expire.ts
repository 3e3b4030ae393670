import { heldSince } from '#server/kit/work/hold.ts'
import type { Scope } from '#server/kit/scope.ts'
import { lockPolicy, type Sales } from '#server/policies/public.ts'
import { scopeOf } from '#server/session/public.ts'
import { endUnmade } from '../payment/open.ts'
import { offersOver, openChangeById } from '../queries.ts'

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
