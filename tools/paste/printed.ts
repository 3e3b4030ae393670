import { countriesIn } from '#common/geography/countries.ts'
import type { Locale } from '#common/kit/locales.ts'
import { recognise } from '#common/quotes/paste/paste.ts'

/** Returns what is recognised in a text under the names of calls: countries by their letters, amounts in euros, nothing else. */
export function printed(text: string, { locale, ...context }: { today: string; locale: Locale; earliestBirthDate: string }) {
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
  }
}
