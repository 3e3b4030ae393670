import { phrases } from './phrases.ts'

type List = keyof typeof phrases

/** Returns the source of a pattern for any of the phrases, longest first, without word boundaries. */
export function anyOf(...lists: List[]): string {
  const all = new Set(lists.flatMap(list => phrases[list].split(/,\s+/)))
  return `(?:${[...all]
    .map(sourceOf)
    .toSorted((a, b) => b.length - a.length)
    .join('|')})`
}

/** Returns the source of a pattern for any of the phrases as whole words. */
export const wholeWord = (...lists: List[]): string => `(?<!\\w)${anyOf(...lists)}(?:(?<=\\W)|(?!\\w))`

/** Endings are limited in length, so that a pattern stays fast in a text of one endless word. */
const sourceOf = (phrase: string): string =>
  phrase
    .replaceAll(/[.+^${}()|[\]\\/]/g, String.raw`\$&`)
    .replaceAll('*', '[a-z]{0,20}')
    // Safe: the table names only its own lists.
    .replaceAll(/@([A-Za-z]+)/g, (_, list: string) => anyOf(list as List))
