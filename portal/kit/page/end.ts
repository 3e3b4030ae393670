import { addDays, displayDate, displayMoment, startOfDay, today } from '#common/kit/dates.ts'
import { shownTimeZone } from '#portal/kit/time-zone.ts'

/** Shows until when something holds: its last day if it ends with that, else the moment. */
export function shownEnd(instant: string): string {
  const at = new Date(instant)
  const timeZone = shownTimeZone()
  const day = today(at, timeZone)
  return at.getTime() === startOfDay(day, timeZone) ? (displayDate(addDays(day, -1)) ?? '') : displayMoment(at, timeZone)
}
