import type { DestinationStream } from 'pino'
import type { Config } from './config.ts'
import type { Typesetter } from '#server/documents/public.ts'
import { openQuota } from '#server/kit/limits/quota.ts'
import type { AppContext, World } from './kit/app-context.ts'
import { type Clock, type Elapsed, systemClock, systemElapsed, timeOrderedIds } from './kit/clock.ts'
import type { Database } from './kit/database.ts'
import { openLog } from './kit/log.ts'
import { openMetrics } from './kit/metrics.ts'
import { openSecrets } from './kit/store/secrets.ts'
import { openBusinessClock } from './kit/trial/business-clock.ts'
import { freeLeases } from './kit/work/jobs.ts'
import { type JobsProgram, openJobsProcess } from './kit/work/jobs-process.ts'
import type { Reports } from './kit/work/messages.ts'
import { openOutbox } from './kit/work/outbox.ts'
import { openTasks } from './kit/work/tasks.ts'
import { loadWords } from './kit/words.ts'
import { openWorkers, type Workers } from './kit/workers/workers.ts'

/** The parts that a test replaces. */
export type AppOptions = {
  say?: (text: string) => void
  clock?: Clock
  elapsed?: Elapsed
  logTo?: DestinationStream
  alsoServe?: (context: AppContext) => void
  /** How long running requests may take before idle connections are closed, in ms. */
  stopPatienceMs?: number
  workers?: Workers
  /** Processes that typeset documents, left by an app of this process for the next one. */
  idleRenderers?: Typesetter[]
  /** The program that does the jobs in a process of its own; without one, this process does them. */
  jobsProgram?: JobsProgram | undefined
  /** In a process for jobs: the receiver of their reports, and the origin of the serving process. */
  jobsOf?: { reports: Reports; origin: string }
}

/** The origin in links while the server does not listen, as in tests. */
const defaultOrigin = 'http://127.0.0.1'

/** Opens the parts that every feature uses. `listening` returns the origin once the server listens. */
export async function openWorld(
  config: Config,
  database: Database,
  options: AppOptions,
  listening: () => string | undefined,
): Promise<World> {
  const realTime = options.clock ?? systemClock
  const elapsed = options.elapsed ?? systemElapsed
  const clock = await openBusinessClock({ realTime, elapsed, database }, config.production)
  const deps = {
    config,
    clock,
    businessClock: clock,
    realTime,
    elapsed,
    ids: timeOrderedIds(realTime),
    log: openLog(config.LOG_LEVEL, options.logTo),
    database,
    secrets: openSecrets(config),
    words: loadWords(),
    metrics: openMetrics(),
  }
  const { log, metrics } = deps
  const origin = () => listening() ?? options.jobsOf?.origin ?? defaultOrigin
  const elsewhere = options.jobsProgram
    ? openJobsProcess({
        program: options.jobsProgram,
        setting: () => ({ config, origin: origin() }),
        free: jobs => freeLeases(database, jobs, realTime.now()),
        elapsed,
        log,
        metrics,
      })
    : undefined
  const reports = options.jobsOf?.reports
  return {
    ...deps,
    outbox: openOutbox({ ...deps, clock: realTime, beforeWork: () => clock.follow(), elsewhere, reports }),
    tasks: openTasks({ ask: elsewhere?.ask, setBusy: reports?.setBusy }),
    spend: openQuota({ ...deps, clock: realTime }),
    workers: options.workers ?? openWorkers(),
    publicUrl: () => config.PUBLIC_URL?.replace(/\/$/, '') ?? origin(),
  }
}
