import type * as calls from '#common/administration/calls.ts'
import type { World } from '#server/kit/app-context.ts'
import type { AllUnits } from '#server/kit/scope.ts'
import type { Handler } from '#server/kit/serve.ts'
import { heldSince, releaseJobs as releaseHeld } from '#server/kit/work/jobs.ts'
import { audit, type Where } from '#server/session/public.ts'
import { putBackFailedJobs, unitsWithFailedJobs } from './queries.ts'

/** The size of a batch, small enough to lock its rows only briefly. */
const batch = 500

export const retryAllJobs =
  (world: World): Handler<typeof calls.retryAllJobs> =>
  async input => ({ retried: await retryAll(world, input.caller.allUnits, input, input.ask.businessUnitUuid) })

/**
 * Puts back every failed job, unit by unit and in batches, each with its audit entry: a distributed database locks rows of one unit at a time.
 * Jobs that fail again in the meantime stay failed, so the loop ends.
 */
export async function retryAll(
  world: Pick<World, 'database' | 'realTime' | 'ids'>,
  scope: AllUnits,
  where: Where,
  unitId?: string,
): Promise<number> {
  const failedBy = world.realTime.now()
  const units = unitId === undefined ? await world.database.acrossUnits(scope, tx => unitsWithFailedJobs(tx, failedBy)) : [unitId]
  let retried = 0
  for (const unit of units) retried += await retryUnit(world, scope, where, { unitId: unit, failedBy })
  return retried
}

async function retryUnit(
  world: Pick<World, 'database' | 'realTime' | 'ids'>,
  scope: AllUnits,
  where: Where,
  those: { unitId: string; failedBy: Date },
): Promise<number> {
  let [retried, from] = [0, new Date(0)]
  for (;;) {
    const { count, last } = await world.database.acrossUnits(scope, async tx => {
      const put = await putBackFailedJobs(tx, { ...those, from, most: batch }, world.realTime.now())
      const entry = { action: 'administration.jobs_retried', outcome: 'done' as const, businessUnitId: those.unitId }
      if (put.count > 0) await audit(world, tx, where, { ...entry, details: { retried: put.count } })
      return put
    })
    retried += count
    if (!last || count < batch) return retried
    from = last
  }
}

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
