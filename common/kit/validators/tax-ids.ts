import type { Locale } from '#common/kit/locales.ts'
import { cifControl, passesLuhn, portugueseControl, weighted } from './checksums.ts'
import { inCountry, textRule, upperAscii, type Validator } from './rule.ts'

/** spec 5: es-ES Spanish company tax id; it-IT 11-digit VAT; other locales accept anything. */
export const validateTaxId: Validator = (value, context) => (checkedLocales.has(context.locale) ? knownTaxId(value, context) : null)

/**
 * Warns, without refusing, that this country does not issue such a number to companies. The portal shows this where `validateTaxId` accepts anything
 * (the tax IDs of fr, pt and en-GB).
 */
export const adviseTaxId: Validator = (value, context) => (checkedLocales.has(context.locale) ? null : knownTaxId(value, context))

const checkedLocales: ReadonlySet<Locale> = new Set<Locale>(['es-ES', 'it-IT'])

const knownTaxId = textRule((text, { locale }) => isTaxId[locale](upperAscii(text)), inCountry('validation.validateTaxId'))

const isTaxId: Record<Locale, (text: string) => boolean> = {
  'es-ES': isSpanishCompany,
  'it-IT': text => isPartitaIva(text),
  'fr-FR': text => isSiren(text) || isSiret(text) || isFrenchVat(text),
  'pt-PT': text => isNif(text),
  'en-EN': text => isBritishVat(text) || /^(?:\d{8}|[A-Z]{2}\d{6})$/.test(text),
}

/** Expects a letter for the legal form, seven digits, and a check character: a letter for public bodies and foreigners, a digit for companies. */
function isSpanishCompany(text: string): boolean {
  if (!/^[ABCDEFGHJNPQRSUVW]\d{7}[0-9A-J]$/.test(text)) return false
  const control = cifControl(text.slice(1, 8))
  const digit = text.charAt(8) === String(control)
  const letter = text.charAt(8) === 'JABCDEFGHI'.charAt(control)
  if ('ABEH'.includes(text.charAt(0))) return digit
  return 'NPQRSW'.includes(text.charAt(0)) ? letter : digit || letter
}

/** The first seven digits number the company, of which 0000000 does not exist. */
const isPartitaIva = (text: string): boolean => /^\d{11}$/.test(text) && !text.startsWith('0000000') && passesLuhn(text)

const isSiren = (text: string): boolean => /^\d{9}$/.test(text) && passesLuhn(text)

/** La Poste's establishments have exceeded the Luhn numbers: the sum of their digits is a multiple of five. */
const isSiret = (text: string): boolean =>
  /^\d{14}$/.test(text) && isSiren(text.slice(0, 9)) && (passesLuhn(text) || (text.startsWith(laPoste) && digitSum(text) % 5 === 0))

const laPoste = '356000000'

const digitSum = (digits: string): number => weighted(digits, Array<number>(digits.length).fill(1))

/** Expects FR, a key, and the SIREN. A key of two digits is checked against the SIREN, one with a letter is not. */
function isFrenchVat(text: string): boolean {
  const [, key, siren] = /^FR([0-9A-HJ-NP-Z]{2})(\d{9})$/.exec(text) ?? []
  if (!key || !siren || !isSiren(siren)) return false
  return /[A-Z]/.test(key) || Number(key) === (12 + 3 * (Number(siren) % 97)) % 97
}

const isNif = (text: string): boolean =>
  /^(?:PT)?[1235-9]\d{8}$/.test(text) && text.at(-1) === String(portugueseControl(text.slice(-9, -1)))

/** Nine digits modulo 97, in the old way or the one since 2010. Three more digits name a branch. */
function isBritishVat(text: string): boolean {
  const digits = /^(?:GB)?(\d{9})(?:\d{3})?$/.exec(text)?.[1]
  if (!digits) return false
  const sum = weighted(digits, [8, 7, 6, 5, 4, 3, 2]) + Number(digits.slice(7))
  return sum % 97 === 0 || (sum + 55) % 97 === 0
}
