import { sql } from 'kysely'
import { Refusal } from '#common/kit/refusals.ts'
import type { CallerInUnit } from '#server/kit/caller.ts'
import type { Database, UnitTx } from '#server/kit/database.ts'
import type { Config } from '#server/config.ts'
import type { Clock } from '#server/kit/clock.ts'

/** What costs the service, those who are written to, or those who are looked up, dear. */
type Dear = 'quotes' | 'exports' | 'mails' | 'looks' | 'sales'

/** Spends what the caller and his unit have to spend a minute, or refuses and says when to come again. */
export type Spend = (caller: CallerInUnit, kind: Dear, many?: number) => Promise<void>

const settings = {
  quotes: 'QUOTES_PER_MINUTE',
  exports: 'EXPORTS_PER_MINUTE',
  mails: 'MAILS_PER_MINUTE',
  looks: 'LOOKS_PER_MINUTE',
  sales: 'SALES_PER_MINUTE',
} as const
const windowMs = 60_000
/** A node takes a fiftieth of what a user has at a time, so that it seldom asks the database; that much may be lost with it. */
const shares = 50

type Ground = { config: Config; clock: Clock; database: Database }
type Share = { left: number; until: number }
type Refused = { many: number; until: number }

/**
 * Counted in the database, so that all nodes count together and a restart forgets nothing. What was spent comes back evenly, within a
 * minute. Who is refused is refused from memory until it would be worth asking again: a flood costs nobody else anything.
 */
export function openAllowance(ground: Ground): Spend {
  const shares = new Map<string, Share>()
  const refused = new Map<string, Refused>()
  const taking = new Map<string, Promise<void>>()
  const now = () => ground.clock.now().getTime()

  function refuseKnown(key: string, many: number): void {
    const known = refused.get(key)
    if (known && known.until > now() && many >= known.many) throw tooMany(known.until - now())
  }

  async function takeShare(key: string, caller: CallerInUnit, kind: Dear, many: number): Promise<void> {
    for (const kept of [shares, refused]) for (const [whose, { until }] of kept) if (until <= now()) kept.delete(whose)
    const outcome = await take(ground, caller, kind, many)
    if ('left' in outcome) shares.set(key, outcome)
    else refused.set(key, outcome)
  }

  return async (caller, kind, many = 1) => {
    const key = `${caller.unit.scope.businessUnitId} ${caller.userId} ${kind}`
    for (;;) {
      const share = shares.get(key)
      if (share && share.until > now() && share.left >= many) {
        share.left -= many
        return
      }
      refuseKnown(key, many)
      // One asks for all who came meanwhile.
      const underWay = taking.get(key) ?? takeShare(key, caller, kind, many).finally(() => taking.delete(key))
      taking.set(key, underWay)
      await underWay
      refuseKnown(key, many)
    }
  }
}

const tooMany = (waitMs: number): Refusal => new Refusal('request.too_many', { retryAfter: Math.max(1, Math.ceil(waitMs / 1000)) })

/** His own first and the unit's last: nobody who holds the row that all share waits for anything else. */
async function take(
  { config, clock, database }: Ground,
  { userId, unit }: CallerInUnit,
  kind: Dear,
  many: number,
): Promise<Share | Refused> {
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
        const waitMs = await book(tx, { kind, who, now, costMs: Math.min(windowMs, (share * windowMs) / limit) })
        // Neither is charged for what the other refuses.
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

type Wish = { kind: Dear; who: string; now: Date; costMs: number }

/** 0 where it was booked, else how long to wait. What is booked further ahead than any node can have booked it, a clock has that ran ahead. */
async function book(tx: UnitTx, { kind, who, now, costMs }: Wish): Promise<number> {
  const later = (ms: number) => sql<Date>`${now}::timestamptz + ${ms} * interval '1 millisecond'`
  const cost = sql`${costMs} * interval '1 millisecond'`
  const booked = sql<Date>`case when allowances.used_until between ${now} and ${later(2 * windowMs)} then allowances.used_until else ${now} end`
  const own = { who, kind }
  const row = await tx
    .insertInto('allowances')
    .values({ ...own, used_until: later(costMs) })
    .onConflict(conflict =>
      conflict
        .columns(['business_unit_id', 'who', 'kind'])
        .doUpdateSet({ used_until: sql<Date>`${booked} + ${cost}` })
        .where(sql<boolean>`${booked} + ${cost} <= ${later(windowMs)}`),
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
