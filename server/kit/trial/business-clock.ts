import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Clock, Elapsed } from '../clock.ts'
import type { Database } from '../database.ts'

/**
 * The time by which policies are judged: that of sales, changes, refunds and documents. In a trial it can be set, on every node of a database
 * (decision 52). Leases, timers, limits and sessions keep real time.
 */
export type BusinessClock = Clock & {
  /** Sets the clock to an instant, or back to real time. Resolves once every node follows. */
  set(at: Date | undefined): Promise<void>
  /** Reads the setting of other nodes. Cheap if it was read just now. */
  follow(): Promise<void>
  /** Calls back with the milliseconds by which it runs ahead, at every setting, and now if it was set before. */
  whenSet(listener: (aheadMs: number) => unknown): Promise<void>
}

/** How long the clock stands at a set instant, before it runs on, so that a check can act at the very millisecond. */
export const standsMs = 10_000
/** A node that serves a request or takes jobs has read the setting at most this long ago. */
const freshMs = 200

type Deps = { realTime: Clock; elapsed: Elapsed; database: Database }
type Setting = { at: Date; runs_from: Date }

/** Opens the business clock. In production it is real time, whatever the database says. */
export async function openBusinessClock({ realTime, elapsed, database }: Deps, production: boolean): Promise<BusinessClock> {
  let setting: Setting | undefined
  let readAt = Number.NEGATIVE_INFINITY
  let reading: Promise<void> | undefined
  const listeners: ((aheadMs: number) => unknown)[] = []

  async function adopt(next: Setting | undefined): Promise<void> {
    if (next?.at.getTime() === setting?.at.getTime() && next?.runs_from.getTime() === setting?.runs_from.getTime()) return
    setting = next
    await Promise.all(listeners.map(listener => listener(aheadOf(next))))
  }

  async function read(): Promise<void> {
    const startedAt = elapsed()
    await adopt(await database.shared.selectFrom('business_clock').select(['at', 'runs_from']).executeTakeFirst())
    readAt = startedAt
  }

  const clock: BusinessClock = {
    now() {
      const real = realTime.now()
      return setting ? new Date(setting.at.getTime() + Math.max(0, real.getTime() - setting.runs_from.getTime())) : real
    },
    async set(at) {
      const next = at && { at, runs_from: new Date(realTime.now().getTime() + standsMs) }
      await database.asService(tx => store(next).execute(tx))
      await adopt(next)
      // Only one process can use an embedded database.
      if (!database.embedded) await delay(freshMs)
    },
    async follow() {
      if (production || database.embedded || elapsed() - readAt < freshMs) return
      reading ??= read().finally(() => {
        reading = undefined
      })
      await reading
    },
    async whenSet(listener) {
      listeners.push(listener)
      if (setting) await listener(aheadOf(setting))
    },
  }
  if (!production) await read()
  return clock
}

const aheadOf = (setting: Setting | undefined): number => (setting ? setting.at.getTime() - setting.runs_from.getTime() : 0)

const store = (setting: Setting | undefined) =>
  setting
    ? sql`insert into business_clock (at, runs_from) values (${setting.at}, ${setting.runs_from})
        on conflict (only_one) do update set at = excluded.at, runs_from = excluded.runs_from`
    : sql`delete from business_clock`
