import { folded } from './folded.ts'

/**
 * An option of a list. `detail` (a code, a prefix) is shown beside the label and searched. `also` is only searched, by the beginnings of its words. So
 * are `places`, which lie in the option, and `regions`, in which it lies with others, by the beginning of a whole name.
 */
export type Option<Value extends string | number = string> = {
  value: Value
  label: string
  detail?: string | undefined
  also?: string | undefined
  /** Folded, as these are many names and each key compares them all. */
  places?: readonly string[] | undefined
  /** Folded, too. */
  regions?: readonly string[] | undefined
}

/** Shorter texts begin the names of too many places. */
const leastPlace = 3

/**
 * Returns the options that contain all words of the query, in any order: first those that begin with it or have a place of that name, then those with
 * words that begin with the query's words, then the others; after them the options with a place or region that begins with it. `isMeant`: the first
 * one is meant. A region means none of its options, and a place of two options neither.
 */
export function search<Chosen extends Option<string | number>>(
  options: readonly Chosen[],
  query: string,
): { found: Chosen[]; isMeant: boolean } {
  const text = folded(query)
  if (text === '') return { found: [...options], isMeant: false }
  const words = text.split(/\s+/)
  const begins = (names: readonly string[] = []) => text.length >= leastPlace && names.some(name => name.startsWith(text))
  const [first, begun, within, places, regions]: [Chosen[], Chosen[], Chosen[], Chosen[], Chosen[]] = [[], [], [], [], []]
  let exact = 0
  for (const option of options) {
    const label = folded(option.label)
    const own = [label, folded(option.detail ?? '')].filter(Boolean).join(' ')
    const also = ` ${folded(option.also ?? '')}`
    if (option.places?.includes(text)) {
      exact++
      first.push(option)
    } else if (words.every(word => own.includes(word) || also.includes(` ${word}`))) {
      const isBegun = words.every(word => ` ${own}${also}`.replaceAll(/[(/-]/g, ' ').includes(` ${word}`))
      const rank = label.startsWith(text) ? first : isBegun ? begun : within
      rank.push(option)
    } else if (begins(option.places)) places.push(option)
    else if (begins(option.regions)) regions.push(option)
  }
  const isMeant = exact > 0 ? first.length === 1 : first.length + begun.length + within.length > 0 || places.length === 1
  return { found: [...first, ...begun, ...within, ...places, ...regions], isMeant }
}

/** Returns the options that a search finds. */
export const matching = <Chosen extends Option<string | number>>(options: readonly Chosen[], query: string): Chosen[] =>
  search(options, query).found

/** Returns the option with exactly this label; undefined if there is none, or more than one. */
export function exactMatch<Chosen extends Option<string | number>>(options: readonly Chosen[], text: string): Chosen | undefined {
  const foldedText = folded(text)
  const matches = options.filter(option => folded(option.label) === foldedText)
  return foldedText !== '' && matches.length === 1 ? matches[0] : undefined
}
