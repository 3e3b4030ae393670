import type { Language } from '#common/kit/locales.ts'
import { allLanguages, languages } from '../paste-words/patterns.ts'
import type { PasteWords } from '../paste-words/words.ts'

type WordUse = { index: number; languages: Set<Language> }

const monthWords = wordsOf('months')
const weekdayWords = wordsOf('weekdays')

/**
 * Returns the month, 1 to 12, that a word names. A short name is often a word of another language (`out`, `set`, `may`). Without a year beside it, it
 * must be in the text's own language.
 */
export function monthOf(word: string, language: Language, isSure: boolean): number | undefined {
  const use = monthWords.get(word)
  if (!use || !(isSure || word.length > 4 || use.languages.has(language))) return undefined
  return use.index + 1
}

export const isEnglishMonth = (word: string): boolean => monthWords.get(word)?.languages.has('en') === true

/** Returns the weekday that a word names; 0 is Sunday. */
export function weekdayOf(word: string, language: Language): number | undefined {
  const use = weekdayWords.get(word)
  return use && (word.length > 4 || use.languages.has(language)) ? use.index : undefined
}

/** The source of a pattern for all spellings of all weekdays. */
export const anyWeekday = `(?:${[...weekdayWords.keys()].toSorted((a, b) => b.length - a.length).join('|')})`

function wordsOf(list: keyof PasteWords): Map<string, WordUse> {
  const uses = new Map<string, WordUse>()
  for (const language of allLanguages) {
    for (const [index, names] of languages[language][list].split(', ').entries()) {
      for (const name of names.split(' ')) {
        const use = uses.get(name) ?? { index, languages: new Set() }
        use.languages.add(language)
        uses.set(name, use)
      }
    }
  }
  return uses
}
