import { passesLuhn } from './checksums.ts'
import { isNothing, textParam, textRule, type Validator } from './rule.ts'

/** spec 5: passes the Luhn check, at most 19 characters, only digits, spaces and dashes. No network issues fewer than 12 digits. */
export const isCreditCardValid = textRule(
  text => text.length <= 19 && /^[\d -]+$/.test(text) && isCardNumber(text.replace(/[ -]/g, '')),
  () => ({ key: 'validation.invalidCreditCard' }),
)

const isCardNumber = (digits: string): boolean => digits.length >= 12 && passesLuhn(digits)

/** spec 5: MM/YY, read as 20YY, not in the past: a card is valid to the end of its month. */
export const isCrecitCardExpirationValid = textRule(
  (text, { today }) => {
    const [, month, year] = /^(0[1-9]|1[0-2])\/(\d{2})$/.exec(text) ?? []
    return month !== undefined && `20${year}-${month}` >= today.slice(0, 7)
  },
  () => ({ key: 'validation.invalidCreditCardExpiration' }),
)

/** spec 9: 3 digits, 4 for Amex. The brand is a parameter, or is detected from the card number. */
export const cardSecurityCode: Validator = (value, { params }) => {
  if (isNothing(value)) return null
  const digits = isAmex(textParam(params, 'brand'), textParam(params, 'number')) ? 4 : 3
  const valid = typeof value === 'string' && value.length === digits && /^\d+$/.test(value)
  return valid ? null : { key: 'validation.cardSecurityCode', params: { digits } }
}

const isAmex = (brand = '', number = ''): boolean => /^(?:amex|american[ _-]?express)$/i.test(brand) || /^ ?3[ -]?[47]/.test(number)

/**
 * Matches card numbers in a text: only the card network may hold them. Thirteen digits are an air ticket number unless they begin like the few cards
 * of that length; longer rows of digits are bank accounts.
 */
const cardNumbers = /(?<!\d[ -]?)[2-6](?:[ -]?\d){12,18}(?![ -]?\d)/g

const isCard = (match: string): boolean => {
  const digits = match.replaceAll(/[ -]/g, '')
  return (digits.length > 13 || digits.startsWith('4')) && passesLuhn(digits)
}

export const holdsCardNumber = (text: unknown): boolean => typeof text === 'string' && (text.match(cardNumbers) ?? []).some(isCard)

/** Masks card numbers in texts whose author cannot correct them. */
export const withoutCardNumbers = (text: string): string => text.replaceAll(cardNumbers, match => (isCard(match) ? '••••' : match))
