/** So many travellers of one age in a row are written with their number: a class is `40x16`. */
const manyAlike = 5

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
