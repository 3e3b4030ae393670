import { composed, searchable } from '#common/kit/text.ts'
import { documentNumberSent } from '#common/kit/validators/documents.ts'

/** The fields by which a list of policies can be sorted. */
export const sortKeys = [
  'policyUuid',
  'policyNumber',
  'productUuid',
  'productName',
  'policyTaker',
  'username',
  'startDate',
  'endDate',
  'createdAt',
  'status',
  'buReference',
  'total',
  'commission',
  'priceValidUntil',
] as const

/** The minimum number of letters for a search of known people. */
export const leastSearched = 3

/** The minimum length of a document number that identifies a person. A shorter one is still being typed. */
export const leastDocument = 5

/** The phones that may begin with a text: its digits without the country's prefix, and that prefix if the text has one. */
export type PhoneSought = { digits: string; prefix: string | null }
/** The people that a search text may mean. Each field is null or empty if the text cannot mean that. */
export type PersonSought = { document: string | null; email: string | null; phones: PhoneSought[] }

const leastDigits = 5
/** The digits of the shortest complete phone that is written without + but with its country's prefix. */
const leastWithPrefix = 8

/** Reads a search text as a complete document number, and as a phone or email or the beginning of one. Undefined if it can be none of them. */
export function personSought(text: string): PersonSought | undefined {
  const typed = composed(text).trim()
  const document = documentNumberSent(typed.replaceAll(/[\s.-]/g, ''))
  const sought = {
    document: /^(?=.*\d)[A-Z\d]{5,20}$/.test(document) ? document : null,
    email: /^[^\s@]+(@[^\s@]*)?$/.test(typed) && typed.length >= leastSearched ? typed.toLowerCase() : null,
    phones: phonesIn(typed),
  }
  return sought.document || sought.email || sought.phones.length > 0 ? sought : undefined
}

/** True if the text is a person's number or address, not just a word with which an email might begin. */
export const isAboutPerson = ({ document, email, phones }: Omit<PersonSought, 'document'> & { document: unknown }): boolean =>
  document !== null || phones.length > 0 || email?.includes('@') === true

function phonesIn(typed: string): PhoneSought[] {
  if (!/^[\d\s()+./-]+$/.test(typed)) return []
  const digits = typed.replaceAll(/\D/g, '')
  const isInternational = /^(\+|00)/.test(typed)
  const significant = digits.replace(/^0+/, '')
  const prefixed = [1, 2, 3, 4].map(size => ({ prefix: significant.slice(0, size), digits: significant.slice(size).replace(/^0+/, '') }))
  const all = [
    ...(isInternational ? [] : [{ prefix: null, digits: significant }]),
    ...(isInternational || significant.length >= leastWithPrefix ? prefixed : []),
  ]
  return all.filter(({ prefix, digits }) => digits.length >= (prefix ? leastDigits - 1 : leastDigits))
}

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

/** Returns the request for a list's first page, without filter and in the default order. */
export const newestPage = (statusTypeUuid: string) => ({
  statusTypeUuid,
  page: 1,
  perPage: 10,
  searchData: null,
  sortCriteria: [{ key: 'createdAt' as const, order: 'desc' as const }],
  dateFrom: null,
  dateTo: null,
})
