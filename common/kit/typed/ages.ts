/** So many travellers of one age in a row are written with their number: a class is `40x16`. */
const manyAlike = 5

/**
 * Reads a list of ages such as `34, 36, 8`, also with other signs between them. An unknown age is `?`, and null here; `40x16` are forty of the age of 16. Returns
 * undefined for a text that is not such a list.
 */
export function readAges(text: string): (number | null)[] | undefined {
  const parts = text
    .replaceAll(/(?<=\d)\s*[x×]\s*(?=\d)/gi, 'x')
    .split(/[\s,;.+]+/)
    .filter(Boolean)
  if (!parts.every(part => /^(?:\?|(?:\d{1,3}x)?\d{1,3})$/.test(part))) return undefined
  return parts.flatMap(part => {
    const [age, count = '1'] = part.split('x').toReversed()
    return Array<number | null>(Number(count)).fill(age === '?' ? null : Number(age))
  })
}

/** Writes ages as `readAges` reads them. Unknown ages at the end are left out. */
export function writeAges(ages: readonly (number | null | undefined)[]): string {
  const runs: { age: number | null; count: number }[] = []
  for (const given of ages.slice(0, ages.findLastIndex(age => typeof age === 'number') + 1)) {
    const age = given ?? null
    const last = runs.at(-1)
    if (last?.age === age) last.count++
    else runs.push({ age, count: 1 })
  }
  return runs
    .flatMap(({ age, count }) => (age !== null && count >= manyAlike ? `${count}x${age}` : Array<string | number>(count).fill(age ?? '?')))
    .join(', ')
}
