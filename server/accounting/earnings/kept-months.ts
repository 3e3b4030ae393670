import { type RawBuilder, sql } from 'kysely'
import { addDays, addMonths, startOfDay } from '#common/kit/dates.ts'
import type { UnitTx } from '#server/kit/database.ts'
import { edgesOf } from '../statements/queries.ts'

type Days = { from: string; to: string }

/** The closed months of a currency (YYYY-MM) with their first and last instants, the oldest first, and the unit's zone for the others. */
export type KeptMonths = { timeZone: string; closed: { month: string; starts: Date; ends: Date }[] }

export const keptMonths = async (tx: UnitTx, currency: string, timeZone: string): Promise<KeptMonths> => ({
  timeZone,
  closed: await edgesOf(tx, currency),
})

/** True for days whose sums the statements may have: whole months. */
export const isWholeMonths = ({ from, to }: Days): boolean => from.endsWith('-01') && addDays(to, 1).endsWith('-01')

/**
 * Returns the instants that days begin and end at. A month that is closed keeps those of its statement, and the one after it begins there: the unit may
 * have changed its time zone since, and the same month must give the same sums.
 */
export const windowOf = ({ from, to }: Days, kept: KeptMonths): { from: Date; until: Date } => ({
  from: instantOf(from, kept),
  until: instantOf(addDays(to, 1), kept),
})

function instantOf(day: string, { closed, timeZone }: KeptMonths): Date {
  const calendar = new Date(startOfDay(day, timeZone))
  if (!day.endsWith('-01')) return calendar
  const month = day.slice(0, 7)
  const last = closed.at(-1)
  if (last && monthAfter(last.month) === month) return last.ends
  return closed.find(each => each.month === month)?.starts ?? calendar
}

const monthAfter = (month: string): string => addMonths(`${month}-01`, 1).slice(0, 7)

/** Returns the month (YYYY-MM) of the column `at`: the one that its instant was closed in, or that it will be. */
export function monthOf({ timeZone, closed }: KeptMonths): RawBuilder<string> {
  const calendar = sql<string>`to_char(at at time zone ${timeZone}, 'YYYY-MM')`
  const last = closed.at(-1)
  if (!last) return calendar
  const [months, starts, ends] = [closed.map(({ month }) => month), closed.map(each => each.starts), closed.map(each => each.ends)]
  return sql<string>`case when at >= ${last.ends} then greatest(${calendar}, ${monthAfter(last.month)}) else coalesce((
    select month from unnest(${months}::text[], ${starts}::timestamptz[], ${ends}::timestamptz[]) as closed (month, starts, ends)
    where at >= starts and at < ends), ${calendar}) end`
}
