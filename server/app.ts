import type { DestinationStream } from 'pino'
import type { Config } from './config.ts'
import { prepare } from './database/prepare.ts'
import { type Clock, systemClock, timeOrderedIds } from './kit/clock.ts'
import type { Database } from './kit/database.ts'
import type { Front, World } from './kit/front.ts'
import { serveHealth } from './kit/health.ts'
import { openHttp } from './kit/http.ts'
import { openLog } from './kit/log.ts'
import { openMetrics } from './kit/metrics.ts'
import { answerTheRest } from './kit/not-found.ts'
import { serveOpenApi } from './kit/openapi.ts'
import { openOutbox, type Outbox } from './kit/outbox.ts'
import { loadWords } from './kit/words.ts'
import { openAdmission } from './session/admit.ts'

export type App = { front: Front; world: World; outbox: Outbox; stop(): Promise<void> }

/** What a test hands in instead of the real thing. */
export type Given = { clock?: Clock; logTo?: DestinationStream }

/** The whole service, wired: what is handed to whom, and what is served. */
export async function openApp(config: Config, database: Database, given: Given = {}): Promise<App> {
  const clock = given.clock ?? systemClock
  const world: World = {
    config,
    clock,
    ids: timeOrderedIds(clock),
    log: openLog(config.LOG_LEVEL, given.logTo),
    database,
    words: loadWords(),
    metrics: openMetrics(),
  }
  await prepare(database, config)

  let stopping = false
  const outbox = openOutbox(world)
  const front: Front = { http: await openHttp(world), world, admit: openAdmission(world), served: [] }

  serveHealth(front, outbox, () => stopping)
  serveOpenApi(front)
  answerTheRest(front, () => undefined)

  await front.http.ready()
  return {
    front,
    world,
    outbox,
    async stop() {
      stopping = true
      await front.http.close()
      await outbox.stop()
      await database.close()
    },
  }
}
