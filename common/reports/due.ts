import { addDays, startOfDay, today } from '#common/kit/dates.ts'

/** The time of a report, at an hour of the agency's clock: a day of each month, or a day of each week (1 is Monday). */
export type When = { monthDay?: number | null | undefined; weekday?: number | null | undefined; hour: number }

/** Returns the first moment of a schedule after an instant. */
export function firstDue(when: When, after: Date, timeZone: string): Date {
  for (let day = today(after, timeZone); ; day = addDays(day, 1)) {
    const due = isDay(when, day) ? momentOn(day, when.hour, timeZone) : undefined
    if (due && due > after) return due
  }
}

/** Returns the next moment of a schedule, on a later day even if the agency's time zone has changed. */
export const dueAfter = (when: When, due: Date, timeZone: string): Date =>
  firstDue(when, new Date(startOfDay(addDays(today(due, timeZone), 1), timeZone) - 1), timeZone)

function isDay({ monthDay, weekday }: When, day: string): boolean {
  if (monthDay) return Number(day.slice(8)) === monthDay
  return (new Date(`${day}T00:00:00Z`).getUTCDay() || 7) === weekday
}

const quarterMs = 900_000

/**
 * Returns the first instant of a day at which its clock shows the hour or a later one. An hour that a clock change skips is replaced by the next, and
 * of an hour that occurs twice the first counts.
 */
function momentOn(day: string, hour: number, timeZone: string): Date {
  const clock = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', hourCycle: 'h23' })
  // Clocks change at full quarters of an hour.
  let at = startOfDay(day, timeZone)
  while (today(at, timeZone) === day && Number(clock.format(at)) < hour) at += quarterMs
  return new Date(at)
}
