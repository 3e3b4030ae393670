import { isCreditCardValid } from '#common/kit/validators/cards.ts'
import { type Values, groupIn, numberOf, textOf } from './http/fields.ts'
import { Refusal, missing } from './http/refusals.ts'
import { type Ledger, type Method, newId, seconds, timeOf } from './ledger.ts'

/** The result of charging a card. `asks` requires the cardholder's approval (3-D Secure) first. */
export type Outcome = 'pays' | 'asks' | keyof typeof declines

/** Stripe's error codes, decline codes and messages for its test cards. */
export const declines = {
  generic: { code: 'card_declined', decline_code: 'generic_decline', message: 'Your card was declined.' },
  insufficient: { code: 'card_declined', decline_code: 'insufficient_funds', message: 'Your card has insufficient funds.' },
  expired: { code: 'expired_card', decline_code: 'expired_card', message: 'Your card has expired.' },
  wrongCode: { code: 'incorrect_cvc', decline_code: 'incorrect_cvc', message: "Your card's security code is incorrect." },
  processing: {
    code: 'processing_error',
    decline_code: 'processing_error',
    message: 'An error occurred while processing your card. Try again in a little bit.',
  },
  authenticationRequired: {
    code: 'authentication_required',
    decline_code: 'authentication_required',
    message: 'Your card was declined. This transaction requires authentication.',
  },
  notForTests: {
    code: 'card_declined',
    decline_code: 'test_mode_live_card',
    message: 'Your card was declined. Your request was in test mode, but used a non test card.',
  },
} as const

type TestCard = { number: string; brand: string; outcome: Outcome; token: string }

export const testCards: readonly TestCard[] = [
  { number: '4242424242424242', brand: 'visa', outcome: 'pays', token: 'pm_card_visa' },
  { number: '5555555555554444', brand: 'mastercard', outcome: 'pays', token: 'pm_card_mastercard' },
  { number: '378282246310005', brand: 'amex', outcome: 'pays', token: 'pm_card_amex' },
  { number: '4000000000000002', brand: 'visa', outcome: 'generic', token: 'pm_card_visa_chargeDeclined' },
  { number: '4000000000009995', brand: 'visa', outcome: 'insufficient', token: 'pm_card_visa_chargeDeclinedInsufficientFunds' },
  { number: '4000000000000069', brand: 'visa', outcome: 'expired', token: 'pm_card_chargeDeclinedExpiredCard' },
  { number: '4000000000000127', brand: 'visa', outcome: 'wrongCode', token: 'pm_card_chargeDeclinedIncorrectCvc' },
  { number: '4000000000000119', brand: 'visa', outcome: 'processing', token: 'pm_card_chargeDeclinedProcessingError' },
  { number: '4000002500003155', brand: 'visa', outcome: 'asks', token: 'pm_card_authenticationRequiredOnSetup' },
]

/** Stores a card typed in the browser. Throws on an invalid number, date or code at once, as Stripe does. */
export function methodFromCard(ledger: Ledger, data: Values): Method {
  const card = groupIn(data, 'card') ?? {}
  const number = (textOf(card, 'number') ?? '').replace(/[ -]/g, '')
  const [month, year] = [numberOf(card, 'exp_month') ?? 0, fullYear(numberOf(card, 'exp_year') ?? 0)]
  const today = timeOf(ledger).toISOString().slice(0, 10)
  if (isCreditCardValid(number, { locale: 'en-EN', today })) throw cardError('incorrect_number', 'Your card number is incorrect.', 'number')
  if (month < 1 || month > 12) throw cardError('invalid_expiry_month', "Your card's expiration month is invalid.", 'exp_month')
  if (`${year}-${String(month).padStart(2, '0')}` < today.slice(0, 7))
    throw cardError('invalid_expiry_year', "Your card's expiration year is invalid.", 'exp_year')
  const code = textOf(card, 'cvc')
  if (code !== undefined && !/^\d{3,4}$/.test(code)) throw cardError('invalid_cvc', "Your card's security code is invalid.", 'cvc')
  return keepMethod(ledger, { number, month, year })
}

/** Returns a card by its id, or by Stripe's name for a test card (`pm_card_visa`). */
export function methodById(ledger: Ledger, id: string): Method {
  const known = ledger.methods.get(id)
  if (known) return known
  const card = testCards.find(({ token }) => token === id)
  if (!card) throw missing('PaymentMethod', id, 'payment_method')
  return keepMethod(ledger, { number: card.number, month: 12, year: timeOf(ledger).getUTCFullYear() + 2 })
}

// Safe: `outcomes` only has outcomes.
export const outcomeOf = (ledger: Ledger, method: string): Outcome => (ledger.outcomes.get(method) ?? 'notForTests') as Outcome

function keepMethod(ledger: Ledger, { number, month, year }: { number: string; month: number; year: number }): Method {
  const known = testCards.find(card => card.number === number)
  const method: Method = {
    id: newId('pm'),
    object: 'payment_method',
    type: 'card',
    created: seconds(ledger),
    livemode: false,
    card: { brand: known?.brand ?? 'unknown', last4: number.slice(-4), exp_month: month, exp_year: year, funding: 'credit', country: 'US' },
  }
  ledger.methods.set(method.id, method)
  ledger.outcomes.set(method.id, known?.outcome ?? 'notForTests')
  return method
}

const fullYear = (year: number): number => (year < 100 ? 2000 + year : year)

const cardError = (code: string, message: string, param: string): Refusal =>
  new Refusal(402, { type: 'card_error', code, message, param }, { kept: true })
