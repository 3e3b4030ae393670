import type { RefusalCode } from '#common/kit/refusals.ts'

/** The network's decline codes, as refusals shown to the user. A stolen card is only shown as declined. */
const codes: Record<string, RefusalCode> = {
  insufficient_funds: 'payment.insufficient_funds',
  expired_card: 'payment.expired_card',
  incorrect_cvc: 'payment.incorrect_cvc',
  invalid_cvc: 'payment.incorrect_cvc',
  incorrect_number: 'payment.incorrect_number',
  invalid_number: 'payment.incorrect_number',
  processing_error: 'payment.processing_error',
  authentication_required: 'payment.authentication_required',
  payment_intent_authentication_failure: 'payment.authentication_failed',
}

export const declined = (failure: string): RefusalCode =>
  (Object.hasOwn(codes, failure) ? codes[failure] : undefined) ?? 'payment.card_declined'
