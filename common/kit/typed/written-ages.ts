/** The number of equal ages in a row from which they are grouped: a class is `40x16`. */
const manyAlike = 5

/** Writes ages in the format of `readAges`. Unknown ages at the end are left out. */
export const writeAges = (ages: readonly Age[]): string =>
  runsOf(ages.slice(0, ages.findLastIndex(age => typeof age === 'number') + 1))
    .flatMap(({ age, count }) => (age !== null && count >= manyAlike ? `${count}x${age}` : Array<string | number>(count).fill(age ?? '?')))
    .join(', ')

/** Writes ages for display, with a `?` for each traveller of unknown age: a class is `40 × 16`. Empty if none is known. */
export function showAges(ages: readonly Age[], travellers: number): string {
  if (!ages.some(age => typeof age === 'number')) return ''
  const all = Array.from({ length: Math.max(ages.length, travellers) }, (_, index) => ages[index])
  return runsOf(all)
    .flatMap(({ age, count }) =>
      count >= manyAlike ? `${count}\u00A0×\u00A0${age ?? '?'}` : Array<string | number>(count).fill(age ?? '?'),
    )
    .join(', ')
}

type Age = number | null | undefined

function runsOf(ages: readonly Age[]): { age: number | null; count: number }[] {
  const runs: { age: number | null; count: number }[] = []
  for (const given of ages) {
    const age = given ?? null
    const last = runs.at(-1)
    if (last?.age === age) last.count++
    else runs.push({ age, count: 1 })
  }
  return runs
}
