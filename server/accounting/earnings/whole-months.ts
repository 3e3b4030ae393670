import { addDays, addMonths, startOfDay } from '#common/kit/dates.ts'
import type { Standing } from '../statements/standing.ts'

type Days = { from: string; to: string }

/** Returns the first and last month of days whose sums the statements of a currency have: of whole months, that were closed in the unit's zone. */
export const wholeMonths = ({ from, to }: Days, statements: readonly Standing[], timeZone: string) =>
  from.endsWith('-01') &&
  addDays(to, 1).endsWith('-01') &&
  statements.every(isClosedIn(timeZone)) && { first: from.slice(0, 7), last: to.slice(0, 7) }

/** False if the unit had another time zone when it closed a month: that one has other deeds than the month that is listed. */
const isClosedIn =
  (timeZone: string) =>
  ({ row: { month, ends_at } }: Standing) =>
    ends_at.getTime() === startOfDay(addMonths(month, 1), timeZone)
