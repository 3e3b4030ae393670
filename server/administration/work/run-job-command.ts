import type { World } from '#server/kit/app-context.ts'
import { heldSince, holdJobs } from '#server/kit/work/jobs.ts'
import { openJobs } from '#server/kit/work/measure.ts'
import { allUnits, audit, noRequest } from '#server/session/public.ts'
import { release, retryAll } from './retry-all.ts'

export const jobCommands = ['status', 'hold', 'release', 'retry'] as const
type JobCommand = (typeof jobCommands)[number]

type Deps = Pick<World, 'database' | 'realTime' | 'ids'>

/** Runs an operator's command for the jobs and returns the lines to print. */
export function runJobCommand(world: Deps, command: JobCommand): Promise<string[]> {
  const byCommand = { ...noRequest, userAgent: `npm run jobs -- ${command}` }
  switch (command) {
    case 'status':
      return status(world)
    case 'hold':
      // For copies that were not made by `npm run restore`, before their first start.
      return world.database.asService(async tx => {
        await holdJobs(tx)
        await audit(world, tx, byCommand, { action: 'administration.jobs_held', outcome: 'done' })
        return ['All jobs are held. Release them with: npm run jobs -- release']
      })
    case 'release':
      return release(world, allUnits, byCommand).then(released => [released ? 'All jobs are released.' : 'No jobs were held.'])
    case 'retry':
      return retryAll(world, allUnits, byCommand).then(retried => [`${retried} failed jobs are tried again.`])
  }
}

const status = ({ database }: Deps): Promise<string[]> =>
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
