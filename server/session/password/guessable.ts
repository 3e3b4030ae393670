import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { refuseFields } from '#common/kit/refusals.ts'
import { searchable } from '#common/kit/text.ts'
import type { ServiceTx } from '#server/kit/database.ts'
import { namesOfUser } from '../queries.ts'

/** Passwords that attackers try first, and words that many lengthen with digits. Without case, accents and punctuation. */
const common = new Set(
  readFileSync(join(import.meta.dirname, 'common-passwords.txt'), 'utf8')
    .trim()
    .split(/\s+/),
)
const fewestCharacters = 5
/** With more different punctuation marks, a password is harder to guess than its words. */
const mostSigns = 4
/** Digits that may follow a name, enough for a birth date or a phone number. */
const onlyDigits = /^\d{0,10}$/

/**
 * Refuses a new password that is easy to guess, at the field `password`. Every caller that stores one asks here, inside the transaction that consumes
 * the link, so that a refusal does not use up the link.
 */
export async function refuseGuessable(tx: ServiceTx, userId: string, password: string): Promise<void> {
  const rule = guessedBy(password, await namesOfUser(tx, userId))
  if (rule) throw refuseFields([{ path: 'password', rule, key: messages[rule] }])
}

const messages = { few: 'account.password.few', common: 'account.password.common', own: 'account.password.own' } as const

/** Returns why a password is easy to guess: few characters, a common one, or only the user's own names and digits. */
export function guessedBy(password: string, names: readonly string[]): keyof typeof messages | undefined {
  if (new Set(password.toLowerCase()).size < fewestCharacters) return 'few'
  if (new Set(password.replaceAll(/[\p{L}\p{M}\p{N}]/gu, '')).size > mostSigns) return undefined
  const plain = wordsOf(password).join('')
  if (common.has(plain) || common.has(plain.replaceAll(/^\d+|\d+$/g, ''))) return 'common'
  const parts = names.flatMap(name => name.split('@')).map(wordsOf)
  const own = parts.flatMap(words => [words.join(''), ...words]).filter(word => word.length > 1)
  const longestFirst = own.toSorted((one, other) => other.length - one.length)
  const rest = longestFirst.reduce((text, word) => text.replaceAll(word, ''), plain)
  return rest !== plain && onlyDigits.test(rest) ? 'own' : undefined
}

const wordsOf = (text: string): string[] => searchable(text).match(/[\p{L}\p{N}]+/gu) ?? []
