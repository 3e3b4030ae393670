import type { Speech, Word } from './words.mts'

export type ShownIntent = {
  id: string
  status: string
  amount: number
  currency: string
  client_secret: string
  last_payment_error: ShownError | null
}

/** An error as Stripe.js hands it out. */
export type ShownError = {
  type: string
  message: string
  code?: string
  decline_code?: string
  param?: string
  payment_intent?: ShownIntent
}

export type Answer = { paymentIntent: ShownIntent; error?: undefined } | { error: ShownError; paymentIntent?: undefined }

/** Asks the stand-in, at the place that this script was loaded from. */
export type Ask = (
  method: 'GET' | 'POST',
  clientSecret: string,
  verb: string,
  form: Record<string, string>,
  speech: Speech,
) => Promise<Answer>

export function asker(base: URL, publishableKey: string): Ask {
  return async (method, clientSecret, verb, form, speech) => {
    const id = clientSecret.split('_secret_')[0] ?? ''
    const fields = new URLSearchParams({ ...form, client_secret: clientSecret })
    const place = new URL(`v1/payment_intents/${encodeURIComponent(id)}${verb && `/${verb}`}`, base)
    if (method === 'GET') place.search = fields.toString()
    try {
      const reply = await fetch(place, {
        method,
        credentials: 'omit',
        headers: { authorization: `Bearer ${publishableKey}` },
        ...(method === 'POST' ? { body: fields } : {}),
        signal: AbortSignal.timeout(60_000),
      })
      const body = (await reply.json()) as ShownIntent & { error?: ShownError }
      return reply.ok ? { paymentIntent: body } : { error: worded(body.error ?? { type: 'api_error', message: '' }, speech) }
    } catch {
      return { error: worded({ type: 'api_connection_error', message: '' }, speech) }
    }
  }
}

/** The error in the language of the form: Stripe.js too says it in the words of its own. */
export function worded(error: ShownError, { word, finding }: Speech): ShownError {
  const known = words.find(name => name === error.decline_code) ?? words.find(name => name === error.code)
  if (known) return { ...error, message: word(known) }
  const rule = rules[error.code ?? '']
  if (rule) return { ...error, message: finding(rule, { digits: 3 }) }
  return { ...error, message: word(error.type === 'card_error' ? 'card_declined' : 'unavailable') }
}

const words: readonly Word[] = [
  'insufficient_funds',
  'expired_card',
  'incorrect_cvc',
  'processing_error',
  'payment_intent_authentication_failure',
  'card_declined',
]

const rules: Readonly<Record<string, string>> = {
  incorrect_number: 'validation.invalidCreditCard',
  invalid_expiry_month: 'validation.invalidCreditCardExpiration',
  invalid_expiry_year: 'validation.invalidCreditCardExpiration',
  invalid_cvc: 'validation.cardSecurityCode',
}
