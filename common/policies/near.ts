import { searchable } from '#common/kit/text.ts'

/** The fewest letters of a word for which similar ones are searched: each half then has three, which the index of words needs. */
const leastNear = 6

/** Returns the word for which similar ones are searched; undefined unless the text is one word of letters and apostrophes. */
export function nearWord(text: string): string | undefined {
  const word = searchable(text)
  return /^\p{L}[\p{L}'’]*$/u.test(word) && word.replaceAll(/['’]/g, '').length >= leastNear ? word : undefined
}

/**
 * Returns what a text with a similar word contains: a regular expression of that word, and texts of which it has at least one. Similar are a letter
 * other, more or less, and two swapped. An apostrophe counts as a letter.
 */
export function nearPatterns(word: string): { similar: string; parts: string[] } {
  const letters = word.split('')
  const [from, to] = [(end: number) => letters.slice(0, end).join(''), (start: number) => letters.slice(start).join('')]
  const swapped = letters.slice(1).map((letter, at) => `${from(at)}${letter}${letters[at]}${to(at + 2)}`)
  const edited = letters.flatMap((_, at) => [`${from(at)}.?${to(at + 1)}`, `${from(at)}.${to(at)}`])
  const half = Math.floor(letters.length / 2)
  // One edit leaves a half as it was, unless it swaps the letters where they meet.
  return { similar: `\\m(?:${[...swapped, ...edited].join('|')})\\M`, parts: [from(half), to(half), swapped[half - 1] ?? word] }
}
