import { folded } from './folded.ts'

/** An option of a list. `detail` (a code, a prefix) is shown beside the label and searched; `also` is only searched. */
export type Option<Value extends string | number = string> = {
  value: Value
  label: string
  detail?: string | undefined
  also?: string | undefined
}

/**
 * Returns the options that contain all words of the query, in any order. Options that begin with the query come first, then those with words that
 * begin with the query's words, then the others.
 */
export function matching<Chosen extends Option<string | number>>(options: readonly Chosen[], query: string): Chosen[] {
  const foldedQuery = folded(query)
  if (foldedQuery === '') return [...options]
  const words = foldedQuery.split(/\s+/)
  const ranks: [Chosen[], Chosen[], Chosen[]] = [[], [], []]
  for (const option of options) {
    const label = folded(option.label)
    const text = [label, folded(option.detail ?? ''), folded(option.also ?? '')].filter(Boolean).join(' ')
    if (!words.every(word => text.includes(word))) continue
    ranks[label.startsWith(foldedQuery) ? 0 : words.every(word => ` ${text}`.replaceAll(/[(/-]/g, ' ').includes(` ${word}`)) ? 1 : 2].push(
      option,
    )
  }
  return ranks.flat()
}

/** Returns the option with exactly this label; undefined if there is none, or more than one. */
export function exactMatch<Chosen extends Option<string | number>>(options: readonly Chosen[], text: string): Chosen | undefined {
  const foldedText = folded(text)
  const matches = options.filter(option => folded(option.label) === foldedText)
  return foldedText !== '' && matches.length === 1 ? matches[0] : undefined
}
