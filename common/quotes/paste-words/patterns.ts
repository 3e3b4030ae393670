import { en } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import { it } from './it.ts'
import { pt } from './pt.ts'

/**
 * The words of one language: phrases between commas, small letters without accents; `*` stands for any ending.
 * Months, weekdays and numbers stand in their order, each with its short forms behind a blank.
 */
export type PasteWords = Record<Calendar | DateWords | PeopleWords | AmountWords | PlaceWords | 'frequent' | 'footer', string>

type Calendar = 'months' | 'weekdays' | 'numbers'
type DateWords =
  | 'notTripDay'
  | 'birth'
  | 'booked'
  | 'start'
  | 'end'
  | 'leaves'
  | 'arrives'
  | 'mailHead'
  | 'choice'
  // Small words of dates: `del 3 al 17 de agosto`, `hasta el día 17`.
  | 'rangeStart'
  | 'rangeEnd'
  | 'rangeLast'
  | 'dayArticle'
  | 'ofMonth'
type PeopleWords =
  | 'ageGroup'
  | 'traveller'
  | 'participant'
  | 'listHead'
  | 'partyOf'
  | 'notTheCount'
  | 'orMore'
  | 'countOf'
  | 'room'
  | 'rooms'
  | 'years'
  | 'age'
  | 'relative'
  | 'and'
  | 'plus'
type AmountWords = 'total' | 'bareTotal' | 'price' | 'per' | 'unit' | 'each' | 'partial' | 'amountIn'
type PlaceWords =
  | 'cruise'
  | 'from'
  | 'to'
  | 'going'
  | 'goingTo'
  | 'article'
  | 'tripTitle'
  | 'titleTo'
  | 'bookingIn'
  | 'past'
  | 'address'
  | 'lodging'
  | 'night'
  | 'stay'
  | 'wayBack'
  | 'wayOut'
  | 'station'
  | 'placeHead'

export const languages = { en, es, fr, it, pt }

/** Lists the phrases for a meaning in all five languages: mails quote one another. */
export const phrases = (...lists: (keyof PasteWords)[]): string[] => [
  ...new Set(Object.values(languages).flatMap(words => lists.flatMap(list => words[list].split(', ').filter(Boolean)))),
]

/** Returns the source of a pattern for any of the phrases, the longest first, without boundaries. */
export const anyOf = (...lists: (keyof PasteWords)[]): string =>
  `(?:${phrases(...lists)
    .toSorted((a, b) => b.length - a.length)
    .map(sourceOf)
    .join('|')})`

/** Returns the source of a pattern for any of the phrases as whole words. */
export const wholeWord = (...lists: (keyof PasteWords)[]): string => `(?<!\\w)${anyOf(...lists)}(?:(?<=\\W)|(?!\\w))`

const longestEnding = 20

/** Endings are bounded, so that a pattern takes no longer in a text of one endless word. */
const sourceOf = (phrase: string): string =>
  phrase.replaceAll(/[.+?^${}()|[\]\\/]/g, String.raw`\$&`).replaceAll('*', `[a-z]{0,${longestEnding}}`)
