import type { World } from '#server/kit/app-context.ts'
import { heldSince, holdJobs } from '#server/kit/work/hold.ts'
import { openJobs } from '#server/kit/work/measure.ts'
import { allUnits, audit, nobodysBrowser } from '#server/session/public.ts'
import { release } from './release.ts'
import { retryAll } from './retry-all.ts'

export const verbs = ['status', 'hold', 'release', 'retry'] as const
export type Verb = (typeof verbs)[number]

type Ground = Pick<World, 'database' | 'clock' | 'ids'>

/** Does what an operator asks for at the machine, and gives the lines to print. */
export function carryOut(world: Ground, verb: Verb): Promise<string[]> {
  const atTheMachine = { ...nobodysBrowser, userAgent: `npm run jobs -- ${verb}` }
  switch (verb) {
    case 'status':
      return status(world)
    case 'hold':
      // For a copy that was made by other means than `npm run restore`, before its first start.
      return world.database.asService(async tx => {
        await holdJobs(tx)
        await audit(world, tx, atTheMachine, { action: 'administration.jobs_held', outcome: 'done' })
        return ['All jobs are held. Release them with: npm run jobs -- release']
      })
    case 'release':
      return release(world, allUnits, atTheMachine).then(released => [released ? 'All jobs are released.' : 'No jobs were held.'])
    case 'retry':
      return retryAll(world, allUnits, atTheMachine).then(retried => [`${retried} failed jobs are tried again.`])
  }
}

const status = ({ database }: Ground): Promise<string[]> =>
  database.asService(async tx => {
    const held = await heldSince(tx)
    const jobs = await openJobs(tx).execute()
    return [
      held ? `Jobs are held since ${held.toISOString()}.` : 'Jobs are not held.',
      ...jobs.map(
        ({ subscriber, failed, count, oldest }) =>
          `${subscriber}: ${count} ${failed ? 'failed' : 'waiting'}, the oldest of ${oldest.toISOString()}`,
      ),
    ]
  })
