import type * as calls from '#common/administration/work-calls.ts'
import type { World } from '#server/kit/app-context.ts'
import type { AllUnits } from '#server/kit/scope.ts'
import type { Handler } from '#server/kit/serve.ts'
import { heldSince, releaseJobs as releaseHeld } from '#server/kit/work/hold.ts'
import { audit, type Where } from '#server/session/public.ts'

export const releaseJobs =
  (world: World): Handler<typeof calls.releaseJobs> =>
  async asked => ({ released: await release(world, asked.caller.allUnits, asked) })

/** From its commit on every node does what is due. Of two at once one releases them. */
export const release = (world: Pick<World, 'database' | 'clock' | 'ids'>, all: AllUnits, where: Where): Promise<boolean> =>
  world.database.acrossUnits(all, async tx => {
    const since = await heldSince(tx)
    if (!since || !(await releaseHeld(tx))) return false
    await audit(world, tx, where, { action: 'administration.jobs_released', outcome: 'done', details: { heldSince: since.toISOString() } })
    return true
  })
