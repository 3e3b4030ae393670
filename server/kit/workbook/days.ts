import { today } from '#common/kit/dates.ts'
import { serialOf } from './cells.ts'

/** A quarter of an hour is the step of time zones. */
export const quarterMs = 900_000

/**
 * Returns the function that converts instants to days in the agency's time zone. The conversion is slow, so results are cached by quarter
 * of an hour.
 */
export function daysIn(timeZone: string): (instant: Date) => string {
  const known = new Map<number, string>()
  return instant => {
    const quarter = Math.floor(instant.getTime() / quarterMs)
    const day = known.get(quarter) ?? today(instant, timeZone)
    if (known.size > 10_000) known.clear()
    known.set(quarter, day)
    return day
  }
}

/** The quarters of an hour in a day. */
const quarters = 96

/**
 * Returns the function that converts the start of a quarter of an hour, counted since 1970 in UTC, to a spreadsheet's day in a time zone. A million rows
 * have most quarters of some years, so each day's midnight is computed once. In all time zones, days begin with a quarter.
 */
export function serialsIn(timeZone: string): (quarter: number) => number {
  /** By day in UTC: the local day at its beginning, the quarter at which the next one begins, and that one. */
  const known = new Map<number, { before: number; from: number; after: number }>()
  const serialAt = (quarter: number) => serialOf(Date.parse(today(quarter * quarterMs, timeZone)))
  const lookAt = (day: number) => {
    let [low, high] = [day * quarters, day * quarters + quarters - 1]
    const [before, after] = [serialAt(low), serialAt(high)]
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2)
      if (serialAt(middle) === before) low = middle
      else high = middle
    }
    return { before, from: high, after }
  }
  return quarter => {
    const day = Math.floor(quarter / quarters)
    const found = known.get(day) ?? lookAt(day)
    known.set(day, found)
    return quarter < found.from ? found.before : found.after
  }
}
