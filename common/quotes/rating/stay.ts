import { addDays, addMonths, daysBetween, displayDate } from '#common/kit/dates.ts'
import type { Problem } from '#common/kit/problems.ts'
import { hasPriceFor, longestPriced } from './base.ts'
import type { Basis } from './basis.ts'

/** The trip in a refusal's message: "Italy to Japan". */
export type Named = { origin: string; destination: string }
export type Stay = { startDate: string; endDate: string }

/** docs/rating.md, step 2: both the first and the last day count. */
export const travelDays = ({ startDate, endDate }: Stay): number => daysBetween(startDate, endDate) + 1

/** Checks length, term and season against product and tariff. `zone` is known if origin and destinations are covered. */
export function stayProblems(basis: Basis, stay: Stay, zone: string | undefined, named: Named): Problem[] {
  return [...lengthProblems(basis, stay, zone, named), ...termProblems(basis, stay), ...seasonProblems(basis, stay)]
}

function lengthProblems({ settings, tariff }: Basis, stay: Stay, zone: string | undefined, named: Named): Problem[] {
  const days = travelDays(stay)
  const isWhole = named.origin !== '' && named.destination !== ''
  const wrong = (word: keyof typeof anywhere, limit: number): Problem[] => [
    { path: 'endDate', rule: word, key: isWhole ? `refusal.${word}` : anywhere[word], params: { ...named, limit, days } },
  ]
  if (days > settings.maxTravelLength) return wrong('quote.too_long', Math.min(settings.maxTravelLength, longestPriced(tariff.base)))
  if (days < settings.minTravelLength) return wrong('quote.too_short', settings.minTravelLength)
  return zone === undefined || hasPriceFor(tariff.base, zone, days) ? [] : wrong('quote.too_long', longestPriced(tariff.base))
}

/** Messages for a trip without destination. */
const anywhere = {
  'quote.too_long': 'refusal.quote.too_long_anywhere',
  'quote.too_short': 'refusal.quote.too_short_anywhere',
}

/** Refuses a trip that is longer than a product allows for any destination. */
export const tooLongAnywhere = (limit: number, stay: Stay): Problem => ({
  path: 'endDate',
  rule: 'quote.too_long',
  key: anywhere['quote.too_long'],
  params: { limit, days: travelDays(stay) },
})

/** docs/rating.md, step 3: a term ends on the day before its anniversary. */
export const lastOfTerm = (startDate: string, months: number): string => addDays(addMonths(startDate, months), -1)

function termProblems({ tariff: { base } }: Basis, { startDate, endDate }: Stay): Problem[] {
  if (base.kind !== 'term') return []
  const last = lastOfTerm(startDate, base.months)
  if (endDate === last) return []
  const params = { months: base.months, date: displayDate(last) ?? '' }
  return [{ path: 'endDate', rule: 'quote.term', key: 'refusal.quote.term', params }]
}

/** docs/rating.md, step 2: every day of the trip lies in one season, which may span the turn of the year. */
function seasonProblems({ settings: { season } }: Basis, { startDate, endDate }: Stay): Problem[] {
  if (!season) return []
  const params = { from: dayMonth(season.from), to: dayMonth(season.to) }
  const wrong = (path: string): Problem[] => [{ path, rule: 'quote.season', key: 'refusal.quote.season', params }]
  const [year, day] = [Number(startDate.slice(0, 4)), startDate.slice(5)]
  const overNewYear = season.from > season.to
  const begun = day >= season.from
  if (overNewYear ? !begun && day > season.to : !begun || day > season.to) return wrong('startDate')
  const lastYear = overNewYear && begun ? year + 1 : year
  return endDate <= `${String(lastYear).padStart(4, '0')}-${season.to}` ? [] : wrong('endDate')
}

/** Returns the first or last days of the season in the year of a day and in the next one; none if the product has no season. */
export const seasonDays = ({ season }: Basis['settings'], end: 'from' | 'to', day: string): string[] =>
  season ? [0, 1].map(later => `${Number(day.slice(0, 4)) + later}-${season[end]}`) : []

/** Formats 11-01 as 01/11, like displayed dates. */
const dayMonth = (monthDay: string): string => `${monthDay.slice(3)}/${monthDay.slice(0, 2)}`
