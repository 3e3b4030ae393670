import type { Locale } from '#common/kit/locales.ts'
import { cifControl, passesLuhn } from './checksums.ts'
import { inCountry, textRule, upperAscii, type Validator } from './rule.ts'

/** spec 5: es-ES Spanish company tax id; it-IT 11-digit VAT; other locales accept anything. */
export const validateTaxId: Validator = (value, context) => (isTaxId[context.locale] ? checkTaxId(value, context) : null)

const checkTaxId = textRule((text, { locale }) => isTaxId[locale]?.(upperAscii(text)) ?? true, inCountry('validation.validateTaxId'))

const isTaxId: Partial<Record<Locale, (text: string) => boolean>> = { 'es-ES': isSpanishCompany, 'it-IT': isPartitaIva }

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
function isPartitaIva(text: string): boolean {
  return /^\d{11}$/.test(text) && !text.startsWith('0000000') && passesLuhn(text)
}
