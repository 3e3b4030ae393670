import type * as calls from '#common/administration/calls.ts'
import type { World } from '#server/kit/app-context.ts'
import type { AllUnits } from '#server/kit/scope.ts'
import type { Handler } from '#server/kit/serve.ts'
import { heldSince, releaseJobs as releaseHeld } from '#server/kit/work/hold.ts'
import { audit, type Where } from '#server/session/public.ts'

export const releaseJobs =
  (world: World): Handler<typeof calls.releaseJobs> =>
  async input => ({ released: await release(world, input.caller.allUnits, input) })

/** Releases the held jobs on every node. Only one of two concurrent calls returns true. */
export const release = (world: Pick<World, 'database' | 'realTime' | 'ids'>, scope: AllUnits, where: Where): Promise<boolean> =>
  world.database.acrossUnits(scope, async tx => {
    const since = await heldSince(tx)
    if (!since || !(await releaseHeld(tx))) return false
    await audit(world, tx, where, { action: 'administration.jobs_released', outcome: 'done', details: { heldSince: since.toISOString() } })
    return true
  })
