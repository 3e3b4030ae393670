import { composed } from '#common/kit/text.ts'
import { documentNumberSent } from '#common/kit/validators/documents.ts'
import { leastSearched } from './search.ts'

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
