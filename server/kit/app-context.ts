import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { AnyCall, CallSchemas, Needs } from '#common/kit/call.ts'
import type { Locale } from '#common/kit/locales.ts'
import type { Config } from '#server/config.ts'
import type { BusinessClock } from './trial/business-clock.ts'
import type { Caller } from './caller.ts'
import type { Clock, Elapsed, Ids } from './clock.ts'
import type { Database } from './database.ts'
import type { Log } from './log.ts'
import type { Metrics } from './metrics.ts'
import type { Tasks } from './work/tasks.ts'
import type { Outbox } from './work/outbox.ts'
import type { Secrets } from './store/secrets.ts'
import type { Spend } from '#server/kit/limits/quota.ts'
import type { Words } from '#common/kit/words/words.ts'
import type { Workers } from './workers/workers.ts'

/** The dependencies of every handler. Nothing else in the service reads a clock, creates an id or opens a connection. */
export type World = {
  config: Config
  /** The time that counts for policies. A trial can set it. */
  clock: Clock
  /** The same clock, with the functions that set it. */
  businessClock: BusinessClock
  /** Real time, for leases, timers, limits and sessions. */
  realTime: Clock
  /** Monotonic time, for the age of cached values and for durations. */
  elapsed: Elapsed
  ids: Ids
  log: Log
  database: Database
  secrets: Secrets
  words: (locale: Locale) => Words
  metrics: Metrics
  outbox: Outbox
  /** Tasks that requests hand to the process for jobs. */
  tasks: Tasks
  spend: Spend
  workers: Workers
  /** Returns the origin of links in mails: PUBLIC_URL, else the address that the service listens on. */
  publicUrl(): string
}

/** Authenticates the caller by the headers alone, before the body is read. `Admit` uses the result. */
export type Identify = (request: FastifyRequest, needs: Needs) => Promise<unknown>
/** Returns the authorised caller, or undefined for an anonymous one, or throws a refusal. The session feature provides it. */
export type Admit = (request: FastifyRequest, needs: Needs) => Promise<Caller | undefined>

/** A served call with its schemas, and its handler unless it takes files or sends one. */
export type Served = AnyCall & CallSchemas & { handler?: (input: never) => Promise<unknown> }

/** The context in which features serve calls. `served` lists the calls that are served so far. */
export type AppContext = {
  http: FastifyInstance
  world: World
  identify: Identify
  admit: Admit
  served: Served[]
}
