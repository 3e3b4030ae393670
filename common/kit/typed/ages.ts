/**
 * Reads a list of ages such as `34, 36, 8`, also with other signs between them. An unknown age is `?`, and null here. Returns undefined for a text that is not such a
 * list.
 */
export function readAges(text: string): (number | null)[] | undefined {
  const parts = text.split(/[\s,;.+]+/).filter(Boolean)
  return parts.every(part => /^(?:\?|\d{1,3})$/.test(part)) ? parts.map(part => (part === '?' ? null : Number(part))) : undefined
}

/** Writes ages as `readAges` reads them. Unknown ages at the end are left out. */
export const writeAges = (ages: readonly (number | null | undefined)[]): string =>
  ages
    .slice(0, ages.findLastIndex(age => typeof age === 'number') + 1)
    .map(age => age ?? '?')
    .join(', ')
