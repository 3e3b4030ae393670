import { airportCodes } from '#common/geography/cities.ts'
import { addDays } from '#common/kit/dates.ts'
import { monthOf } from '../paste-words/calendar.ts'
import { moreAirports } from '../paste/airports.ts'
import type { NumberAt } from '../paste/counts.ts'
import { matchesIn, type Span, spanOf } from '../paste/lines.ts'
import type { Pasted } from '../paste/text.ts'
import { dateIn, weekdayIn } from '../paste/written-dates.ts'
import { isNextDay, type Leg, type Place } from './journey.ts'

/**
 * A flight as Amadeus, Sabre, Galileo and Worldspan list it, up to its seats: `IB6253 Y 15JAN 5 MADJFK HK3`. The rest of the line has the
 * times.
 */
const flight = new RegExp(
  `(?<![A-Z\\d])(?:[A-Z][A-Z\\d]|\\d[A-Z]) {0,3}\\d{1,4} {0,2}[A-Z]? {1,4}((\\d{1,2})([A-Z]{3}))(\\d{4}|\\d{2})? {1,3}` +
    `(?:([1-7A-Z])[A-Z]?[ *]{1,3})?([A-Z]{3})[ *]?([A-Z]{3})[ *]{0,4}([A-Z]{2})(\\d{1,2})(?!\\d)([^\\n]{0,90})`,
  'dg',
)
/** The statuses of flights that the client does not take: cancelled, refused or past. */
const gone = new Set('HX UN UC US UU NO XX XL XK WK HN'.split(' '))

/** Returns the flights in a reservation system's lines. Adds their number of seats if it is the same for all. */
export function reservationLegs({ text, language }: Pasted, today: string): { legs: Leg[]; seats: NumberAt | undefined } {
  const legs: Leg[] = []
  const seats: NumberAt[] = []
  let last = today
  for (const match of matchesIn(text, flight)) {
    const [, , day, name = '', year, weekday, from = '', to = '', status = '', count, rest = ''] = match
    const month = monthOf(name.toLowerCase(), language, true)
    if (gone.has(status) || month === undefined) continue
    const value = dayOf({ day: Number(day), month, year, weekday: Number(weekday) }, last)
    last = value ?? last
    const at: Span = [spanOf(match)[0], spanOf(match, 9)[1]]
    legs.push({
      from: placeOf(from, spanOf(match, 6)),
      to: placeOf(to, spanOf(match, 7)),
      day: value === undefined ? undefined : { value, at: spanOf(match, 1) },
      arrival: value === undefined ? undefined : { value: arrivalOf(value, rest, from, to), at },
    })
    seats.push({ value: Number(count), at })
  }
  const [first] = seats
  return { legs, seats: first && first.value > 0 && seats.every(({ value }) => value === first.value) ? first : undefined }
}

function placeOf(code: string, at: Span = [0, 0]): Place {
  const city = airportCodes.get(code)
  return { place: city?.codes[0] ?? code, country: city?.country ?? moreAirports.get(code), at }
}

type FlightDay = { day: number; month: number; year: string | undefined; weekday: number }

/** Returns the day of a flight: without a year the next such day; undefined if its weekday, in figures from Monday, does not match. */
function dayOf({ day, month, year, weekday }: FlightDay, since: string): string | undefined {
  const thisYear = Number(since.slice(0, 4))
  const value = year
    ? dateIn(Number(year) + (year.length === 2 ? 2000 : 0), month, day)
    : [thisYear, thisYear + 1].map(each => dateIn(each, month, day)).find(date => date !== undefined && date >= since)
  return value === undefined || (weekday > 0 && weekday !== (weekdayIn(value) || 7)) ? undefined : value
}

const clock = '(\\d{1,2})(\\d{2})([AP]|[NM](?![A-Z]))?'
const times = new RegExp(
  `(?<![\\w/+])${clock}(?: {1,3}(?:[#*+-]\\d?))? {1,6}([#*])?${clock}(?:[+#*¥](\\d)|([+#¥])(?!\\d))?(?![\\w])` +
    `(?: {1,6}(\\d{2})([A-Z]{3})(?![A-Z]))?`,
)

/** Returns the day on which a flight arrives: written, marked +1, or derived from its times. */
function arrivalOf(day: string, rest: string, from: string, to: string): string {
  const match = times.exec(rest)
  if (!match) return day
  const [, hours = '', minutes = '', half, overnight, hoursTo = '', minutesTo = '', halfTo, days, sign, dayOfMonth, name = ''] = match
  const written = [0, 1, 2].map(count => addDays(day, count)).find(date => date.slice(8) === dayOfMonth)
  if (written && monthOf(name.toLowerCase(), 'en', true) === Number(written.slice(5, 7))) return written
  if (days) return addDays(day, Number(days))
  if (sign || overnight) return addDays(day, overnight === '*' && !sign ? 2 : 1)
  const arrives = { hours: hoursTo, minutes: minutesTo, half: halfTo }
  return isNextDay({ hours, minutes, half }, arrives, placeOf(from), placeOf(to)) ? addDays(day, 1) : day
}
