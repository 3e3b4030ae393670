import type { World } from '#server/kit/app-context.ts'
import type { UnitTx } from '#server/kit/database.ts'
import { scopeOf } from '#server/session/public.ts'

/** Runs work in each unit's own transaction. A unit that fails does not delay the others, and is retried in the next round. */
export async function inEachUnit(world: World, units: readonly string[], work: (tx: UnitTx) => Promise<void>): Promise<void> {
  for (const businessUnitId of units)
    try {
      await world.database.inScope(scopeOf(businessUnitId), work)
    } catch (err) {
      world.log.error({ err, businessUnitId }, "an agency's account could not be looked after")
    }
}
