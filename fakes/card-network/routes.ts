import type { Tell } from './events.ts'
import { type Fields, groupIn, numberOf, textOf, type Values } from './http/fields.ts'
import * as parameters from './http/parameters.ts'
import { invalid, missing } from './http/refusals.ts'
import { authenticateIntent, cancelIntent, captureIntent, confirmIntent, createIntent, findIntent, updateIntent } from './intents.ts'
import type { Intent, Ledger, StripeEvent } from './ledger.ts'
import { createRefund, findCharge, findRefund, type RefundManner } from './refunds.ts'

export type Asking = { ledger: Ledger; id: string; given: Values; tell: Tell; refunds: RefundManner }

export type Route = {
  method: 'GET' | 'POST'
  /** `:id` stands for any one part. */
  path: string
  fields: Fields
  /** What a browser may say, with the publishable key and the intent's client secret; absent where it may not ask at all. */
  browser?: Fields
  answer: (asking: Asking) => object
}

const get = (path: string, fields: Fields, answer: Route['answer'], browser?: Fields): Route => route('GET', path, fields, answer, browser)
const post = (path: string, fields: Fields, answer: Route['answer'], browser?: Fields): Route =>
  route('POST', path, fields, answer, browser)

function route(method: Route['method'], path: string, fields: Fields, answer: Route['answer'], browser?: Fields): Route {
  return { method, path: `/v1/${path}`, fields, answer, ...(browser ? { browser } : {}) }
}

const intentOf = ({ ledger, id }: Asking): Intent => findIntent(ledger, id)

export const routes: readonly Route[] = [
  post('payment_intents', parameters.createIntent, ({ ledger, given, tell }) => createIntent(ledger, given, tell)),
  get('payment_intents', parameters.listIntents, ({ ledger, given }) => page('payment_intents', [...ledger.intents.values()], given)),
  get('payment_intents/search', parameters.searchIntents, ({ ledger, given }) => search(ledger, given)),
  get('payment_intents/:id', parameters.retrieveIntent, intentOf, parameters.retrieveIntent),
  post('payment_intents/:id', parameters.updateIntent, asking => updateIntent(intentOf(asking), asking.given, asking.ledger)),
  post(
    'payment_intents/:id/confirm',
    parameters.confirmIntent,
    asking => confirmIntent(asking.ledger, intentOf(asking), asking.given, asking.tell),
    parameters.confirmInBrowser,
  ),
  post(
    'payment_intents/:id/authenticate',
    parameters.authenticate,
    asking => authenticateIntent(asking.ledger, intentOf(asking), asking.given, asking.tell),
    parameters.authenticate,
  ),
  post('payment_intents/:id/cancel', parameters.cancelIntent, asking => cancelIntent(intentOf(asking), asking.given, asking.tell)),
  post('payment_intents/:id/capture', parameters.captureIntent, asking =>
    captureIntent(asking.ledger, intentOf(asking), asking.given, asking.tell),
  ),
  post('refunds', parameters.createRefund, ({ ledger, given, tell, refunds }) => createRefund(ledger, given, tell, refunds)),
  get('refunds', parameters.listRefunds, ({ ledger, given }) => page('refunds', refundsOf(ledger, given), given)),
  get('refunds/:id', parameters.onlyExpand, ({ ledger, id, tell, refunds }) => findRefund(ledger, id, tell, refunds)),
  get('disputes', parameters.listRefunds, ({ ledger, given }) => page('disputes', disputesOf(ledger, given), given)),
  get('charges/:id', parameters.onlyExpand, ({ ledger, id }) => findCharge(ledger, id)),
  get('events', parameters.listEvents, ({ ledger, given }) => page('events', eventsOf(ledger, given), given)),
  get('events/:id', parameters.onlyExpand, ({ ledger, id }) => ledger.events.get(id) ?? fail('event', id)),
]

export function findRoute(method: string, path: string): { route: Route; id: string } | undefined {
  const given = path.split('/')
  for (const route of routes) {
    const wanted = route.path.split('/')
    const fits = wanted.length === given.length && wanted.every((part, at) => part === ':id' || part === given[at])
    if (fits && route.method === method) return { route, id: given[wanted.indexOf(':id')] ?? '' }
  }
  return undefined
}

function fail(kind: string, id: string): never {
  throw missing(kind, id, 'id')
}

const refundsOf = (ledger: Ledger, given: Values): Listed[] =>
  [...ledger.refunds.values()].filter(
    ({ payment_intent, charge }) =>
      (textOf(given, 'payment_intent') ?? payment_intent) === payment_intent && (textOf(given, 'charge') ?? charge) === charge,
  )

const disputesOf = (ledger: Ledger, given: Values): Listed[] =>
  [...ledger.disputes.values()].filter(({ payment_intent }) => (textOf(given, 'payment_intent') ?? payment_intent) === payment_intent)

function eventsOf(ledger: Ledger, given: Values): StripeEvent[] {
  const types = (given['types'] ?? (given['type'] ? [given['type']] : undefined)) as string[] | undefined
  const delivered = given['delivery_success']
  return [...ledger.events.values()].filter(
    ({ type, pending_webhooks }) => (types?.includes(type) ?? true) && (delivered === undefined || delivered === (pending_webhooks === 0)),
  )
}

type Listed = { id: string; created: number; customer?: string | null }

/** Newest first, cut as Stripe cuts its lists: after or before one that the caller has seen. */
function page(name: string, all: Listed[], given: Values): object {
  const limit = numberOf(given, 'limit') ?? 10
  const customer = textOf(given, 'customer')
  const fitting = all.toReversed().filter(item => within(item.created, given['created']) && (!customer || item.customer === customer))
  const [after, before] = [textOf(given, 'starting_after'), textOf(given, 'ending_before')]
  const start = after ? placeOf(fitting, after, 'starting_after') + 1 : 0
  const end = before ? placeOf(fitting, before, 'ending_before') : fitting.length
  const from = before ? Math.max(start, end - limit) : start
  const data = fitting.slice(from, Math.min(end, from + limit))
  return { object: 'list', url: `/v1/${name}`, has_more: before ? from > 0 : from + data.length < end, data }
}

function placeOf(all: Listed[], id: string, param: string): number {
  const place = all.findIndex(item => item.id === id)
  if (place < 0) throw missing('object', id, param)
  return place
}

function within(created: number, bound: Values[string] | undefined): boolean {
  if (bound === undefined) return true
  if (typeof bound === 'number') return created === bound
  const limits = groupIn({ bound }, 'bound') ?? {}
  const { gt, gte, lt, lte } = Object.fromEntries(['gt', 'gte', 'lt', 'lte'].map(name => [name, numberOf(limits, name)]))
  return created > (gt ?? -1) && created >= (gte ?? 0) && created < (lt ?? Infinity) && created <= (lte ?? Infinity)
}

/** The part of Stripe's query language that finds intents by what is written on them: `metadata['a']:'b' AND status:'succeeded'`. */
function search(ledger: Ledger, given: Values): object {
  const clauses = (textOf(given, 'query') ?? '').split(/\s+AND\s+/i).map(readClause)
  const found = [...ledger.intents.values()].toReversed().filter(intent => clauses.every(clause => clause(intent)))
  const limit = numberOf(given, 'limit') ?? 10
  const start = Number(textOf(given, 'page') ?? 0)
  const more = found.length > start + limit
  const data = found.slice(start, start + limit)
  return {
    object: 'search_result',
    url: '/v1/payment_intents/search',
    has_more: more,
    next_page: more ? String(start + limit) : null,
    data,
  }
}

function readClause(text: string): (intent: Intent) => boolean {
  const [, name, key, value = ''] =
    /^(metadata|status|currency|customer)(?:\[["']([^"']*)["']\])?:["']([^"']*)["']$/.exec(text.trim()) ?? []
  if (name === 'metadata' && key !== undefined) return ({ metadata }) => metadata[key] === value
  if (name === 'status' || name === 'currency' || name === 'customer') return intent => intent[name] === value
  throw invalid('We were unable to parse your search query.', { param: 'query' })
}
