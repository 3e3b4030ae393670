import { leave, settings } from '#server/command.ts'
import { migrate } from '#server/database/migrate.ts'
import { systemClock, timeOrderedIds } from '#server/kit/clock.ts'
import { openDatabase } from '#server/kit/database.ts'
import { heldSince, holdJobs } from '#server/kit/work/hold.ts'
import { openJobs } from '#server/kit/work/measure.ts'
import { audit, nobodysBrowser } from '#server/session/audit.ts'
import { allUnits } from '#server/session/scope.ts'
import { release } from './release.ts'
import { retryAll } from './retry-all.ts'

const verbs = { status, hold, release: releaseAll, retry }
const [given = ''] = process.argv.slice(2)
if (!Object.hasOwn(verbs, given)) leave(`Usage: npm run jobs -- ${Object.keys(verbs).join(' | ')}`)

const atTheMachine = { ...nobodysBrowser, userAgent: `npm run jobs -- ${given}` }
const database = await openDatabase(settings(process.env)).catch((error: Error) => leave(error.message))
const world = { database, clock: systemClock, ids: timeOrderedIds(systemClock) }
try {
  await migrate(database)
  await verbs[given as keyof typeof verbs]()
} finally {
  await database.close()
}

async function status(): Promise<void> {
  const { held, jobs } = await database.asService(async tx => ({ held: await heldSince(tx), jobs: await openJobs(tx).execute() }))
  console.log(held ? `Jobs are held since ${held.toISOString()}.` : 'Jobs are not held.')
  for (const { subscriber, failed, count, oldest } of jobs)
    console.log(`${subscriber}: ${count} ${failed ? 'failed' : 'waiting'}, the oldest of ${oldest.toISOString()}`)
}

/** For a copy that was made by other means than `npm run restore`, before its first start. */
async function hold(): Promise<void> {
  await database.asService(async tx => {
    await holdJobs(tx)
    await audit(world, tx, atTheMachine, { action: 'administration.jobs_held', outcome: 'done' })
  })
  console.log('All jobs are held. Release them with: npm run jobs -- release')
}

async function releaseAll(): Promise<void> {
  console.log((await release(world, allUnits, atTheMachine)) ? 'All jobs are released.' : 'No jobs were held.')
}

async function retry(): Promise<void> {
  console.log(`${await retryAll(world, allUnits, atTheMachine)} failed jobs are tried again.`)
}
