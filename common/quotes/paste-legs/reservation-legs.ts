import { airportCodes } from '#common/geography/cities.ts'
import { addDays, daysBetween, isDate } from '#common/kit/dates.ts'
import { monthOf } from '../paste-words/calendar.ts'
import { matchesIn, type Pasted, type Span } from '../paste/text.ts'
import { moreAirports } from '../paste/airports.ts'
import type { JourneyLeg, Place } from './journey.ts'

/** A flight as Amadeus, Sabre, Galileo and Worldspan list it, up to its seats: `IB6253 Y 15JAN 5 MADJFK HK3`. The rest of the line has the times. */
const flight =
  /(?<![A-Z\d])([A-Z][A-Z\d]|\d[A-Z]) {0,3}\d{1,4} {0,2}[A-Z]? {1,4}(\d{1,2})([A-Z]{3})(\d{4}|\d{2})? {1,3}(?:([1-7A-Z])[A-Z]?[ *]{1,3})?([A-Z]{3})[ *]?([A-Z]{3})[ *]{0,4}([A-Z]{2})(\d{1,2})(?!\d)([^\n]{0,90})/g

/** The statuses of flights that the client does not take: cancelled, refused or past. */
const gone = new Set('HX UN UC US UU NO XX XL XK WK HN'.split(' '))

export type ReservationLegs = { legs: JourneyLeg[]; seats: { value: number; at: Span } | undefined }

/** Returns the flights in a reservation system's lines. Adds their number of seats if it is the same for all. */
export function reservationLegs({ text, language }: Pasted, today: string): ReservationLegs {
  const legs: JourneyLeg[] = []
  const seats: { value: number; at: Span }[] = []
  let last: string | undefined
  for (const match of matchesIn(text, flight)) {
    const [all, , day = '', monthName = '', year, weekday = '', from = '', to = '', status = '', count = '', rest = ''] = match
    const month = monthOf(monthName.toLowerCase(), language, true)
    if (gone.has(status) || month === undefined) continue
    const value = dayOf({ day: Number(day), month, year, weekday }, last, today)
    last = value ?? last
    const at: Span = [match.index, match.index + all.length - rest.length]
    const route = match.index + all.indexOf(from, all.indexOf(monthName) + 3)
    legs.push({
      from: placeOf(from, route),
      to: placeOf(to, match.index + all.length - rest.length - `${status}${count}`.length - 4),
      day:
        value === undefined
          ? undefined
          : { value, at: [match.index + all.indexOf(day + monthName), match.index + all.indexOf(day + monthName) + day.length + 3] },
      arrival: value === undefined ? undefined : { value: arrivalOf(value, rest, from, to), at },
    })
    seats.push({ value: Number(count), at })
  }
  const [first] = seats
  return { legs, seats: first && first.value > 0 && seats.every(({ value }) => value === first.value) ? first : undefined }
}

function placeOf(code: string, from: number): Place {
  const city = airportCodes.get(code)
  return { place: city?.codes[0] ?? code, country: city?.country ?? moreAirports.get(code), at: [from, from + 3] }
}

/** Returns the day of a flight: without a year the next such day; undefined if its weekday, in figures from Monday, does not match. */
function dayOf(
  { day, month, year, weekday }: { day: number; month: number; year: string | undefined; weekday: string },
  last: string | undefined,
  today: string,
): string | undefined {
  const inYear = (full: number) => `${full}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
  const base = last ?? today
  const thisYear = Number(base.slice(0, 4))
  const value = year
    ? inYear(year.length === 2 ? 2000 + Number(year) : Number(year))
    : [inYear(thisYear), inYear(thisYear + 1)].find(date => isDate(date) && date >= base)
  if (!isDate(value)) return undefined
  const written = Number(weekday)
  return written > 0 && written !== (((daysBetween('2024-01-01', value) % 7) + 7) % 7) + 1 ? undefined : value
}

const clock = '(\\d{3,4})([AP]|[NM](?![A-Z]))?'
const times = new RegExp(
  `(?<![\\w/+])${clock}(?: {1,3}([#*+-]\\d?))? {1,6}([#*])?${clock}(?:[+#*¥](\\d)|([+#¥])(?!\\d))?(?![\\w])(?: {1,6}(\\d{2})([A-Z]{3})(?![A-Z]))?`,
)

/** Returns the day on which a flight arrives: written, marked +1, or derived from its times. */
function arrivalOf(day: string, rest: string, from: string, to: string): string {
  const match = times.exec(rest)
  if (!match) return day
  const [, leaves = '', half, , overnight, arrives = '', otherHalf, days, sign, dayOfMonth, monthName] = match
  if (dayOfMonth && monthName) {
    const near = [0, 1, 2].map(count => addDays(day, count)).find(date => date.slice(8) === dayOfMonth)
    if (near && monthOf(monthName.toLowerCase(), 'en', true) === Number(near.slice(5, 7))) return near
  }
  if (days) return addDays(day, Number(days))
  if (sign || overnight === '#') return addDays(day, 1)
  if (overnight === '*') return addDays(day, 2)
  const [start, end] = [minutesOf(leaves, half), minutesOf(arrives, otherHalf)]
  return start !== undefined && end !== undefined && isNextDay(start, end, placeOf(from, 0), placeOf(to, 0)) ? addDays(day, 1) : day
}

function minutesOf(digits: string, half: string | undefined): number | undefined {
  const [hours, minutes] = [Number(digits.slice(0, -2)), Number(digits.slice(-2))]
  if (hours > 24 || minutes > 59) return undefined
  return half === undefined ? hours * 60 + minutes : ((hours % 12) + (half === 'P' || half === 'N' ? 12 : 0)) * 60 + minutes
}

const farEast = new Set('JP KR CN HK TW AU NZ FJ PF SG TH PH VN'.split(' '))
const americas = new Set('US CA MX AR CL PE BR CO PA'.split(' '))

/** True if an arrival earlier by the clock than the departure is the day after. Over the date line it may be the same day. */
export const isNextDay = (start: number, end: number, from: Pick<Place, 'country'>, to: Pick<Place, 'country'>): boolean =>
  end < start && !(farEast.has(from.country ?? '') && americas.has(to.country ?? ''))
