import { type Cause, teller } from './events.ts'
import { expanded } from './http/expand.ts'
import type { Fault } from './http/faults.ts'
import { type Fields, readFields, textOf, type Values } from './http/fields.ts'
import { readForm } from './http/form.ts'
import { type Reply, underKey } from './http/idempotency.ts'
import { broken, invalid, rateLimited, Refusal, type StripeError, unauthenticated } from './http/refusals.ts'
import { findIntent } from './intents.ts'
import { type Ledger, newId, type StripeEvent } from './ledger.ts'
import type { RefundManner } from './refunds.ts'
import { findRoute, type Route } from './routes.ts'

export type Keys = { secretKey: string; publishableKey: string }

export type Request = { method: string; path: string; query: string; body: string; authorization: string; key: string | undefined }

export type Api = {
  ledger: Ledger
  keys: Keys
  refunds: RefundManner
  deliver: (event: StripeEvent) => void
  delay: (ms: number) => Promise<void>
}

/** The reply to a request of Stripe's interface, with what is to go wrong in it. */
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

type Manner = { browser: boolean; requestId: string; fault: Fault | undefined }

async function work(api: Api, request: Request, { browser, requestId, fault }: Manner): Promise<Reply> {
  if (fault?.fault === 'delay') await api.delay(fault.ms ?? 1_000)
  if (fault?.fault === 'error') throw broken()
  const object = perform(api, request, browser, { id: requestId, idempotency_key: request.key ?? null })
  if (fault?.fault === 'error-after') throw broken()
  return { status: 200, body: JSON.stringify(object, null, 2), requestId, kept: true }
}

function perform({ ledger, deliver, refunds }: Api, request: Request, browser: boolean, cause: Cause): object {
  const found = findRoute(request.method, request.path)
  if (!found) throw new Refusal(404, { type: 'invalid_request_error', message: unknownPlace(request) })
  const given = readFields(readForm(request.method === 'GET' ? request.query : request.body), fieldsFor(found.route, browser))
  if (browser) admitBrowser(ledger, found.id, given)
  const expand = (given['expand'] ?? []) as string[]
  try {
    const answer = found.route.answer({ ledger, id: found.id, given, tell: teller(ledger, cause, deliver), refunds })
    return browser ? forBrowser(answer) : expanded(ledger, answer, expand)
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

const unknownPlace = ({ method, path }: Request): string =>
  `Unrecognized request URL (${method}: ${path}). Please see https://docs.stripe.com or we can help at https://support.stripe.com/.`

/** Whether the publishable key asks; neither key is a refusal. Stripe takes them as a bearer, as a user without password, or in the form. */
function isBrowser({ secretKey, publishableKey }: Keys, { authorization, method, query, body }: Request): boolean {
  const given = keyOf(authorization) ?? new URLSearchParams(method === 'GET' ? query : body).get('key')
  if (given === secretKey) return false
  if (given === publishableKey) return true
  if (!given) throw unauthenticated('You did not provide an API key.')
  throw unauthenticated(`Invalid API Key provided: ${given.slice(0, 8)}****`)
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

function admitBrowser(ledger: Ledger, id: string, given: Values): void {
  const secret = textOf(given, 'client_secret')
  if (!secret) throw invalid('Missing required param: client_secret.', { code: 'parameter_missing', param: 'client_secret' })
  if (findIntent(ledger, id).client_secret !== secret)
    throw invalid('The client_secret provided does not match the client_secret associated with the PaymentIntent.', {
      code: 'payment_intent_invalid_parameter',
      param: 'client_secret',
    })
}

const hidden = new Set(['metadata', 'customer', 'application'])

/** What is between the merchant and Stripe is not shown to the browser. */
function forBrowser(answer: object): object {
  return Object.fromEntries(Object.entries(answer).filter(([name]) => !hidden.has(name)))
}

const refusalForBrowser = ({ payment_intent, ...error }: StripeError): StripeError =>
  payment_intent ? { ...error, payment_intent: forBrowser(payment_intent) } : error
