import { folded } from './folded.ts'

/** What a list offers: `detail` stands beside the label and is searched too (a code, a prefix); `also` is only searched. */
export type Option<Value extends string | number = string> = {
  value: Value
  label: string
  detail?: string | undefined
  also?: string | undefined
}

/**
 * The options with all words of the query in them, in any order. Those that begin with it come first, then those with a word that does,
 * then the rest, each group in its own order.
 */
export function matching<Chosen extends Option<string | number>>(options: readonly Chosen[], query: string): Chosen[] {
  const wanted = folded(query)
  if (wanted === '') return [...options]
  const words = wanted.split(/\s+/)
  const ranks: [Chosen[], Chosen[], Chosen[]] = [[], [], []]
  for (const option of options) {
    const label = folded(option.label)
    const text = [label, folded(option.detail ?? ''), folded(option.also ?? '')].filter(Boolean).join(' ')
    if (!words.every(word => text.includes(word))) continue
    ranks[label.startsWith(wanted) ? 0 : words.every(word => ` ${text}`.replaceAll(/[(/-]/g, ' ').includes(` ${word}`)) ? 1 : 2].push(
      option,
    )
  }
  return ranks.flat()
}

/** The one option that was meant by what was typed, when there is exactly one of that name. */
export function meantBy<Chosen extends Option<string | number>>(options: readonly Chosen[], text: string): Chosen | undefined {
  const wanted = folded(text)
  const found = options.filter(option => folded(option.label) === wanted)
  return wanted !== '' && found.length === 1 ? found[0] : undefined
}
