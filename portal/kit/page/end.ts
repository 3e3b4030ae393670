import { displayDate, displayMoment, lastDayBefore } from '#common/kit/dates.ts'
import { shownTimeZone } from '#portal/kit/time.ts'

/** Returns until when something is valid: its last day if it ends with that, else the moment. */
export function shownEnd(instant: string): string {
  const at = new Date(instant)
  const timeZone = shownTimeZone()
  return displayDate(lastDayBefore(at, timeZone)) ?? displayMoment(at, timeZone)
}
