import { type RawBuilder, sql } from 'kysely'
import { Refusal } from '#common/kit/refusals.ts'
import type { CallerInUnit } from '#server/kit/caller.ts'
import type { Database, UnitTx } from '#server/kit/database.ts'
import type { Config } from '#server/config.ts'
import type { Clock } from '#server/kit/clock.ts'

/** Operations with a quota per user and per agency. */
type Operation = 'quotes' | 'exports' | 'mails' | 'looks' | 'sales'

/** A caller in a unit, or what a quota needs of one. */
export type Payer = Pick<CallerInUnit, 'userId'> & { unit: Pick<CallerInUnit['unit'], 'scope'> }

/** Charges the quotas of the caller and the caller's unit, or refuses with the time until the next try. The returned function gives it back. */
export type Spend = (caller: Payer, kind: Operation, many?: number) => Promise<() => void>

const settings = {
  quotes: 'QUOTES_PER_MINUTE',
  exports: 'EXPORTS_PER_MINUTE',
  mails: 'MAILS_PER_MINUTE',
  looks: 'LOOKS_PER_MINUTE',
  sales: 'SALES_PER_MINUTE',
} as const
const windowMs = 60_000
/** A node reserves a fiftieth of a user's quota at a time, to save database requests. That much may be lost if the node stops. */
const shares = 50

type Deps = { config: Config; clock: Clock; database: Database }
type Share = { left: number; until: number }
type Refused = { many: number; until: number }

/**
 * Opens the quotas, which are counted in the database. All nodes count together and a restart forgets nothing. A quota refills evenly within a
 * minute. A refused caller is refused from memory until the quota could suffice again, so that a flood of requests does not load the database.
 */
export function openQuota(deps: Deps): Spend {
  const shares = new Map<string, Share>()
  const refused = new Map<string, Refused>()
  const pending = new Map<string, Promise<void>>()
  const now = () => deps.clock.now().getTime()

  function refuseKnown(key: string, many: number): void {
    const known = refused.get(key)
    if (known && known.until > now() && many >= known.many) throw tooMany(known.until - now())
  }

  async function takeShare(key: string, caller: Payer, kind: Operation, many: number): Promise<void> {
    for (const entries of [shares, refused]) for (const [each, { until }] of entries) if (until <= now()) entries.delete(each)
    const outcome = await take(deps, caller, kind, many)
    if ('left' in outcome) shares.set(key, outcome)
    else refused.set(key, outcome)
  }

  return async (caller, kind, many = 1) => {
    const key = `${caller.unit.scope.businessUnitId} ${caller.userId} ${kind}`
    for (;;) {
      const share = shares.get(key)
      if (share && share.until > now() && share.left >= many) {
        share.left -= many
        return () => {
          share.left += many
        }
      }
      refuseKnown(key, many)
      // Concurrent calls wait for the same request to the database.
      const running = pending.get(key) ?? takeShare(key, caller, kind, many).finally(() => pending.delete(key))
      pending.set(key, running)
      await running
      refuseKnown(key, many)
    }
  }
}

const tooMany = (waitMs: number): Refusal => new Refusal('request.too_many', { retryAfter: Math.max(1, Math.ceil(waitMs / 1000)) })

/** Charges the user first and the unit last. So no transaction waits for anything while it locks the unit's shared row. */
async function take({ config, clock, database }: Deps, { userId, unit }: Payer, kind: Operation, many: number): Promise<Share | Refused> {
  const most = config[settings[kind]]
  const share = Math.max(many, Math.floor(most.user / shares))
  const now = clock.now()
  const { scope } = unit
  const wait = await database
    .inScope(scope, async tx => {
      for (const [who, limit] of [
        [userId, most.user],
        [scope.businessUnitId, most.unit],
      ] as const) {
        const waitMs = await charge(tx, { kind, who, now, costMs: Math.min(windowMs, (share * windowMs) / limit) })
        // If one refuses, the rollback leaves the other uncharged.
        if (waitMs > 0) throw new Wait(waitMs)
      }
      return undefined
    })
    .catch((error: unknown) => {
      if (error instanceof Wait) return error.ms
      throw error
    })
  return wait === undefined ? { left: share, until: now.getTime() + windowMs } : { many, until: now.getTime() + wait }
}

class Wait extends Error {
  readonly ms: number
  constructor(ms: number) {
    super()
    this.ms = ms
  }
}

type Charge = { kind: Operation; who: string; now: Date; costMs: number }

/** Returns 0 if charged, else the wait in ms. A value too far ahead for any charge comes from a clock that ran ahead, and is ignored. */
async function charge(tx: UnitTx, { kind, who, now, costMs }: Charge): Promise<number> {
  // A distributed table adds no interval to a timestamptz, as days depend on the session's zone.
  const plus = (at: RawBuilder<unknown>, ms: number) =>
    sql<Date>`((${at} at time zone 'UTC') + ${ms} * interval '1 millisecond') at time zone 'UTC'`
  const later = (ms: number) => plus(sql`${now}::timestamptz`, ms)
  const used = plus(
    sql`case when allowances.used_until between ${now} and ${later(2 * windowMs)} then allowances.used_until else ${now}::timestamptz end`,
    costMs,
  )
  const own = { who, kind }
  const row = await tx
    .insertInto('allowances')
    .values({ ...own, used_until: later(costMs) })
    .onConflict(conflict =>
      conflict
        .columns(['business_unit_id', 'who', 'kind'])
        .doUpdateSet({ used_until: used })
        .where(sql<boolean>`${used} <= ${later(windowMs)}`),
    )
    .returning('who')
    .executeTakeFirst()
  if (row) return 0
  const { used_until } = await tx
    .selectFrom('allowances')
    .select('used_until')
    .where(eb => eb.and(own))
    .executeTakeFirstOrThrow()
  return Math.max(1, used_until.getTime() + costMs - now.getTime() - windowMs)
}
