import { today } from '#common/kit/dates.ts'

/**
 * Returns the function that converts instants to days in the agency's time zone. The conversion is slow, so results are cached by quarter
 * of an hour.
 */
export function daysIn(timeZone: string): (instant: Date) => string {
  const known = new Map<number, string>()
  return instant => {
    const quarter = Math.floor(instant.getTime() / 900_000)
    const day = known.get(quarter) ?? today(instant, timeZone)
    if (known.size > 10_000) known.clear()
    known.set(quarter, day)
    return day
  }
}
