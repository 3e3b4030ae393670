import type { Texts, TextKey } from './words.mts'

export type ShownIntent = {
  id: string
  status: string
  amount: number
  currency: string
  client_secret: string
  last_payment_error: ShownError | null
}

/** An error as Stripe.js returns it. */
export type ShownError = {
  type: string
  message: string
  code?: string
  decline_code?: string
  param?: string
  payment_intent?: ShownIntent
}

export type Result = { paymentIntent: ShownIntent; error?: undefined } | { error: ShownError; paymentIntent?: undefined }

/** Calls the fake card network at the origin of this script. */
export type Ask = (
  method: 'GET' | 'POST',
  clientSecret: string,
  verb: string,
  form: Record<string, string>,
  texts: Texts,
) => Promise<Result>

export function openClient(base: URL, publishableKey: string): Ask {
  return async (method, clientSecret, verb, form, texts) => {
    const id = clientSecret.split('_secret_')[0] ?? ''
    const fields = new URLSearchParams({ ...form, client_secret: clientSecret })
    const url = new URL(`v1/payment_intents/${encodeURIComponent(id)}${verb && `/${verb}`}`, base)
    if (method === 'GET') url.search = fields.toString()
    try {
      const reply = await fetch(url, {
        method,
        credentials: 'omit',
        headers: { authorization: `Bearer ${publishableKey}` },
        ...(method === 'POST' ? { body: fields } : {}),
        signal: AbortSignal.timeout(60_000),
      })
      // Safe: the fake responds in this format.
      const body = (await reply.json()) as ShownIntent & { error?: ShownError }
      return reply.ok ? { paymentIntent: body } : { error: localised(body.error ?? { type: 'api_error', message: '' }, texts) }
    } catch {
      return { error: localised({ type: 'api_connection_error', message: '' }, texts) }
    }
  }
}

/** Returns the error with a message in the form's language, as Stripe.js does. */
export function localised(error: ShownError, { text, ruleMessage }: Texts): ShownError {
  const known = words.find(name => name === error.decline_code) ?? words.find(name => name === error.code)
  if (known) return { ...error, message: text(known) }
  const rule = rules[error.code ?? '']
  if (rule) return { ...error, message: ruleMessage(rule, { digits: 3 }) }
  return { ...error, message: text(error.type === 'card_error' ? 'card_declined' : 'unavailable') }
}

const words: readonly TextKey[] = [
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
