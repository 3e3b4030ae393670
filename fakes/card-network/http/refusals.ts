/** The `error` object in the body of Stripe's error responses. */
export type StripeError = {
  type: 'api_error' | 'card_error' | 'idempotency_error' | 'invalid_request_error' | 'authentication_error' | 'rate_limit_error'
  message: string
  code?: string
  decline_code?: string
  param?: string
  charge?: string
  payment_intent?: object
  payment_method?: object
}

export class Refusal extends Error {
  readonly status: number
  readonly error: StripeError
  /** True if the response is stored under the idempotency key. Stripe stores none for a request that never started. */
  readonly kept: boolean

  constructor(status: number, error: StripeError, { kept = false } = {}) {
    super(error.message)
    this.status = status
    this.error = error
    this.kept = kept
  }
}

export function invalid(message: string, more: { code?: string; param?: string; payment_intent?: object } = {}): Refusal {
  return new Refusal(400, { type: 'invalid_request_error', message, ...more })
}

export function missing(kind: string, id: string, param: string): Refusal {
  return new Refusal(404, { type: 'invalid_request_error', code: 'resource_missing', message: `No such ${kind}: '${id}'`, param })
}

export function unauthenticated(message: string, code?: string): Refusal {
  return new Refusal(401, { type: 'invalid_request_error', message, ...(code ? { code } : {}) })
}

export function rateLimited(): Refusal {
  return new Refusal(429, { type: 'rate_limit_error', code: 'rate_limit', message: 'Too many requests hit the API too quickly.' })
}

export function broken(): Refusal {
  return new Refusal(500, { type: 'api_error', message: 'An unknown error occurred.' }, { kept: true })
}
