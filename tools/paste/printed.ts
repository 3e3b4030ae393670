import { countriesIn } from '#common/geography/countries.ts'
import type { Locale } from '#common/kit/locales.ts'
import { nameParts, type PersonFound } from '#common/quotes/paste-people/person.ts'
import { type PastedField, recognise } from '#common/quotes/paste/paste.ts'

type Context = { today: string; locale: Locale; earliestBirthDate: string; withDoubts: boolean }

/**
 * Returns what is recognised in a text under the names of calls: countries by their letters, amounts in euros. `withDoubts` adds the names of the facts
 * that the dialog does not tick: `travelers`, `people.0.name`.
 */
export function printed(text: string, { locale, withDoubts, ...context }: Context) {
  const countries = countriesIn(locale)
  const letters = new Map(countries.map(({ id, alpha2 }) => [id, alpha2]))
  const { found, people } = recognise(text, { ...context, locale, countries, currency: 'EUR' })
  const values: Record<string, unknown> = {}
  for (const { field, value } of found) {
    if (field === 'age') continue
    if (field === 'mainDestination') continue
    values[field] = field === 'coverageScope' ? letters.get(value) : value
  }
  const destinations = found.flatMap(({ field, value }) => (field === 'mainDestination' ? [letters.get(value)] : []))
  return {
    ...values,
    ...(destinations.length > 0 ? { mainDestination: destinations } : {}),
    ...(people.length > 0 ? { people: people.map(({ value }) => value) } : {}),
    ...(withDoubts ? { doubtful: [...new Set([...found.flatMap(doubtful), ...people.flatMap(doubtfulOf)])] } : {}),
  }
}

const doubtful = ({ field, isSure }: PastedField): string[] => (isSure ? [] : [field])

const doubtfulOf = ({ value, isSure, doubts }: PersonFound, place: number): string[] =>
  [...(isSure ? [] : nameParts.filter(part => value[part] !== undefined)), ...doubts].map(part => `people.${place}.${part}`)
