import { type Cause, emitterFor } from './events.ts'
import { expanded } from './http/expand.ts'
import type { Fault } from './http/faults.ts'
import { type Fields, readFields, textOf, type Values } from './http/fields.ts'
import { readForm } from './http/form.ts'
import { type Reply, underKey } from './http/idempotency.ts'
import { broken, invalid, rateLimited, Refusal, type StripeError, unauthenticated } from './http/refusals.ts'
import { findIntent } from './intents.ts'
import { type Ledger, newId, type StripeEvent } from './ledger.ts'
import type { RefundMode } from './refunds.ts'
import { findRoute, type Route } from './routes.ts'

export type Keys = { secretKey: string; publishableKey: string }

export type Request = { method: string; path: string; query: string; body: string; authorization: string; key: string | undefined }

export type Api = {
  ledger: Ledger
  keys: Keys
  refunds: RefundMode
  deliver: (event: StripeEvent) => void
  delay: (ms: number) => Promise<void>
}

/** Responds to a request of Stripe's API, with the fault if there is one. */
export async function answerApi(api: Api, request: Request, fault: Fault | undefined): Promise<Reply> {
  const requestId = newId('req', 14)
  const reply = await refusing(requestId, async () => {
    const browser = isBrowser(api.keys, request)
    if (fault?.fault === 'rate-limit') throw rateLimited()
    return underKey(api.ledger, request, () => refusing(requestId, () => work(api, request, { browser, requestId, fault })))
  })
  if (request.method === 'POST') api.ledger.save()
  return reply
}

type RequestOptions = { browser: boolean; requestId: string; fault: Fault | undefined }

async function work(api: Api, request: Request, { browser, requestId, fault }: RequestOptions): Promise<Reply> {
  if (fault?.fault === 'delay') await api.delay(fault.ms ?? 1_000)
  if (fault?.fault === 'error') throw broken()
  const object = perform(api, request, browser, { id: requestId, idempotency_key: request.key ?? null })
  if (fault?.fault === 'error-after') throw broken()
  return { status: 200, body: JSON.stringify(object, null, 2), requestId, kept: true }
}

function perform({ ledger, deliver, refunds }: Api, request: Request, browser: boolean, cause: Cause): object {
  const found = findRoute(request.method, request.path)
  if (!found) throw new Refusal(404, { type: 'invalid_request_error', message: unknownUrl(request) })
  const params = readFields(readForm(request.method === 'GET' ? request.query : request.body), fieldsFor(found.route, browser))
  if (browser) admitBrowser(ledger, found.id, params)
  // Safe: `readFields` reads it as a list.
  const expand = (params['expand'] ?? []) as string[]
  try {
    const result = found.route.answer({ ledger, id: found.id, params, emit: emitterFor(ledger, cause, deliver), refunds })
    return browser ? forBrowser(result) : expanded(ledger, result, expand)
  } catch (error) {
    throw browser && error instanceof Refusal ? new Refusal(error.status, refusalForBrowser(error.error), error) : error
  }
}

async function refusing(requestId: string, work: () => Promise<Reply>): Promise<Reply> {
  try {
    return await work()
  } catch (error) {
    const refusal = error instanceof Refusal ? error : broken()
    return { status: refusal.status, body: JSON.stringify({ error: refusal.error }, null, 2), requestId, kept: refusal.kept }
  }
}

const unknownUrl = ({ method, path }: Request): string =>
  `Unrecognized request URL (${method}: ${path}). Please see https://docs.stripe.com or we can help at https://support.stripe.com/.`

/**
 * Returns whether the publishable key was sent, and throws if neither key was.
 * Stripe takes keys as a bearer token, as a basic-auth user without password, or as a form field.
 */
function isBrowser({ secretKey, publishableKey }: Keys, { authorization, method, query, body }: Request): boolean {
  const key = keyOf(authorization) ?? new URLSearchParams(method === 'GET' ? query : body).get('key')
  if (key === secretKey) return false
  if (key === publishableKey) return true
  if (!key) throw unauthenticated('You did not provide an API key.')
  throw unauthenticated(`Invalid API Key provided: ${key.slice(0, 8)}****`)
}

function keyOf(authorization: string): string | undefined {
  const [scheme = '', value = ''] = authorization.split(' ')
  if (scheme.toLowerCase() === 'bearer') return value
  return scheme.toLowerCase() === 'basic' ? Buffer.from(value, 'base64').toString().split(':')[0] : undefined
}

function fieldsFor(route: Route, browser: boolean): Fields {
  if (!browser) return route.fields
  if (!route.browser) throw unauthenticated('This API call cannot be made with a publishable API key.', 'secret_key_required')
  return route.browser
}

function admitBrowser(ledger: Ledger, id: string, params: Values): void {
  const secret = textOf(params, 'client_secret')
  if (!secret) throw invalid('Missing required param: client_secret.', { code: 'parameter_missing', param: 'client_secret' })
  if (findIntent(ledger, id).client_secret !== secret)
    throw invalid('The client_secret provided does not match the client_secret associated with the PaymentIntent.', {
      code: 'payment_intent_invalid_parameter',
      param: 'client_secret',
    })
}

const hidden = new Set(['metadata', 'customer', 'application'])

/** Removes the fields that only the merchant may see. */
function forBrowser(result: object): object {
  return Object.fromEntries(Object.entries(result).filter(([name]) => !hidden.has(name)))
}

const refusalForBrowser = ({ payment_intent, ...error }: StripeError): StripeError =>
  payment_intent ? { ...error, payment_intent: forBrowser(payment_intent) } : error
