import { openApp } from './app.ts'
import { asLog } from './command.ts'
import type { Config } from './config.ts'
import { explain } from './explain.ts'
import { openDatabase } from './kit/database.ts'
import { logForNode } from './kit/log.ts'
import { dividePool } from './kit/work/divide-pool.ts'
import { endFirst, lowerPriority, reportsToParent, settingOfParent, workForParent } from './kit/work/jobs-side.ts'
import { loadSoon } from './kit/work/later.ts'

// The process for jobs: the same service, which does not listen (decision 78). The serving process starts it, and it ends with that process.

lowerPriority(10)
endFirst()
// Safe: openApp sends it (app.ts).
const { config, origin } = (await settingOfParent()) as { config: Config; origin: string }
// Nothing waits for a process whose parent is gone.
process.once('disconnect', () => setTimeout(() => process.exit(1), 25_000).unref())
try {
  const database = await openDatabase({ ...config, DATABASE_POOL: dividePool(config.DATABASE_POOL).jobs })
  const app = await openApp({ ...config, STOP_DELAY_MS: 0 }, database, { jobsOf: { reports: reportsToParent(), origin } })
  logForNode(app.world.log)
  const begin = () => {
    app.startJobs()
    loadSoon(app.world.log)
  }
  await workForParent({ ...app.world, begin, stop: () => app.stop() })
  process.exit(0)
} catch (error) {
  asLog.leave(explain(error, config))
}
