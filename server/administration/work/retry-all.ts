import type * as calls from '#common/administration/work-calls.ts'
import type { World } from '#server/kit/app-context.ts'
import type { AllUnits } from '#server/kit/scope.ts'
import type { Handler } from '#server/kit/serve.ts'
import { audit, type Where } from '#server/session/public.ts'
import { putBackFailedJobs } from './queries.ts'

/** Few enough that their rows are held for a moment only. */
const batch = 500

export const retryAllJobs =
  (world: World): Handler<typeof calls.retryAllJobs> =>
  async asked => ({ retried: await retryAll(world, asked.caller.allUnits, asked, asked.ask.businessUnitUuid) })

/**
 * Puts back every failed job, batch by batch, each with its line in the audit. Those that fail again meanwhile stay failed, so that this
 * comes to an end.
 */
export async function retryAll(
  world: Pick<World, 'database' | 'clock' | 'ids'>,
  all: AllUnits,
  where: Where,
  unitId?: string,
): Promise<number> {
  const givenUpBy = world.clock.now()
  let [retried, from] = [0, new Date(0)]
  for (;;) {
    const { count, last } = await world.database.acrossUnits(all, async tx => {
      const put = await putBackFailedJobs(tx, { unitId, from, givenUpBy, most: batch }, world.clock.now())
      const deed = { action: 'administration.jobs_retried', outcome: 'done' as const, businessUnitId: unitId }
      if (put.count > 0) await audit(world, tx, where, { ...deed, details: { retried: put.count } })
      return put
    })
    retried += count
    if (!last || count < batch) return retried
    from = last
  }
}
