import { addDays, addMonths, startOfDay } from '#common/kit/dates.ts'

type Days = { from: string; to: string }

/** The closed months of a currency (YYYY-MM) with their first and last instants, the oldest first, and the unit's zone for the others. */
export type KeptMonths = { timeZone: string; closed: { month: string; starts: Date; ends: Date }[] }

/** True if the days are whole months, whose sums may be on statements. */
export const isWholeMonths = ({ from, to }: Days): boolean => from.endsWith('-01') && addDays(to, 1).endsWith('-01')

/**
 * Returns the instants at which days begin and end. A closed month keeps those of its statement, and the next month begins there. The unit's time zone
 * may have changed since, but the same month must give the same sums.
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

export const monthAfter = (month: string): string => addMonths(`${month}-01`, 1).slice(0, 7)
