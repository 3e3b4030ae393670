import { startOfDay, today } from './dates.ts'

const quarterMs = 900_000

/**
 * Returns the first instant of a day at which its clock shows the hour or a later one. An hour that a clock change skips is replaced by the next, and
 * of an hour that occurs twice the first counts.
 */
export function momentOn(day: string, hour: number, timeZone: string): Date {
  const clock = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', hourCycle: 'h23' })
  // Clocks change at full quarters of an hour.
  let at = startOfDay(day, timeZone)
  while (today(at, timeZone) === day && Number(clock.format(at)) < hour) at += quarterMs
  return new Date(at)
}
