import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { AnyCall, CallSchemas, Needs } from '#common/kit/call.ts'
import type { Locale } from '#common/kit/locales.ts'
import type { Config } from '#server/config.ts'
import type { Caller } from './caller.ts'
import type { Clock, Ids } from './clock.ts'
import type { Database } from './database.ts'
import type { Log } from './log.ts'
import type { Metrics } from './metrics.ts'
import type { Outbox } from './work/outbox.ts'
import type { Secrets } from './store/secrets.ts'
import type { Spend } from '#server/kit/http/quota.ts'
import type { Words } from './words.ts'
import type { Workers } from './workers/workers.ts'

/** What every verb is handed of the world. Nothing else in the service reads a clock, makes an id or opens a connection. */
export type World = {
  config: Config
  clock: Clock
  ids: Ids
  log: Log
  database: Database
  secrets: Secrets
  words: (locale: Locale) => Words
  metrics: Metrics
  outbox: Outbox
  spend: Spend
  workers: Workers
  /** Where a mail's links lead: PUBLIC_URL, else the address that the service listens on. */
  publicUrl(): string
}

/** Who asks, by headers alone: found before the body is read, and kept for `Admit`. */
export type Identify = (request: FastifyRequest, needs: Needs) => Promise<unknown>
/** Who asks, and whether he may: the session room's answer, or a refusal. */
export type Admit = (request: FastifyRequest, needs: Needs) => Promise<Caller | undefined>

/** A call with its schemas, as it is served. */
export type Served = AnyCall & CallSchemas

/** The door: the HTTP server, the served calls, and the checks of callers. */
export type AppContext = {
  http: FastifyInstance
  world: World
  identify: Identify
  admit: Admit
  served: Served[]
}
