import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { refuseFields } from '#common/kit/refusals.ts'
import { searchable } from '#common/kit/text.ts'
import type { ServiceTx } from '#server/kit/database.ts'
import { namesOfUser } from '../queries.ts'

const derive = promisify(argon2)
/** OWASP's minimum for argon2id. Every hash states its cost, so the cost can be raised while old hashes stay valid. */
const usual = { memory: 19_456, passes: 2, parallelism: 1 }

export async function hashPassword(password: string, cost = usual): Promise<string> {
  const nonce = randomBytes(16)
  const tag = await derive('argon2id', { message: password.normalize('NFC'), nonce, tagLength: 32, ...cost })
  return ['argon2id', cost.memory, cost.passes, cost.parallelism, nonce.toString('base64url'), tag.toString('base64url')].join('$')
}

const unknownHash = hashPassword(randomBytes(16).toString('hex'))

/** Returns whether the password fits the hash. It takes as long without a hash, so timing does not reveal which addresses are known. */
export async function isPassword(password: string, hash: string | null | undefined): Promise<boolean> {
  const [, memory, passes, parallelism, nonce = '', tag = ''] = (hash ?? (await unknownHash)).split('$')
  const wanted = Buffer.from(tag, 'base64url')
  const computed = await derive('argon2id', {
    message: password.normalize('NFC'),
    nonce: Buffer.from(nonce, 'base64url'),
    tagLength: wanted.length,
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
  })
  return timingSafeEqual(computed, wanted) && typeof hash === 'string'
}

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
