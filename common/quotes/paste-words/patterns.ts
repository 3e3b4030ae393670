import type { Language } from '#common/kit/locales.ts'
import { en } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import { it } from './it.ts'
import { pt } from './pt.ts'
import type { PasteWords } from './words.ts'

export const languages = { en, es, fr, it, pt }

/** The codes of the languages. Safe: `languages` has no other keys. */
export const allLanguages = Object.keys(languages) as Language[]

/** Lists the phrases for a meaning in all five languages, as emails quote one another. */
const phrases = (...lists: (keyof PasteWords)[]): string[] => [
  ...new Set(Object.values(languages).flatMap(words => lists.flatMap(list => words[list].split(', ').filter(Boolean)))),
]

/** Returns the source of a pattern for any of the phrases, longest first, without word boundaries. */
export const anyOf = (...lists: (keyof PasteWords)[]): string =>
  `(?:${phrases(...lists)
    .toSorted((a, b) => b.length - a.length)
    .map(sourceOf)
    .join('|')})`

/** Returns the source of a pattern for any of the phrases as whole words. */
export const wholeWord = (...lists: (keyof PasteWords)[]): string => `(?<!\\w)${anyOf(...lists)}(?:(?<=\\W)|(?!\\w))`

const longestEnding = 20

/** Endings are limited in length, so that a pattern stays fast in a text of one endless word. */
const sourceOf = (phrase: string): string =>
  phrase.replaceAll(/[.+?^${}()|[\]\\/]/g, String.raw`\$&`).replaceAll('*', `[a-z]{0,${longestEnding}}`)
