import { displayDate, displayMoment, lastDayBefore } from '#common/kit/dates.ts'
import { shownTimeZone } from '#portal/kit/time-zone.ts'

/** Shows until when something holds: its last day if it ends with that, else the moment. */
export function shownEnd(instant: string): string {
  const at = new Date(instant)
  const timeZone = shownTimeZone()
  return displayDate(lastDayBefore(at, timeZone)) ?? displayMoment(at, timeZone)
}
