import type { Emit } from './events.ts'
import { type Fields, groupIn, numberOf, textOf, type Values } from './http/fields.ts'
import * as parameters from './http/parameters.ts'
import { invalid, missing } from './http/refusals.ts'
import { authenticateIntent, cancelIntent, captureIntent, confirmIntent, createIntent, findIntent, updateIntent } from './intents.ts'
import type { Intent, Ledger, StripeEvent } from './ledger.ts'
import { createRefund, findCharge, findRefund, type RefundMode } from './refunds.ts'

type RouteContext = { ledger: Ledger; id: string; params: Values; emit: Emit; refunds: RefundMode }

export type Route = {
  method: 'GET' | 'POST'
  /** `:id` matches one path segment. */
  path: string
  fields: Fields
  /** The fields allowed with the publishable key and the intent's client secret. Absent if only the secret key may call. */
  browser?: Fields
  answer: (context: RouteContext) => object
}

const get = (path: string, fields: Fields, answer: Route['answer'], browser?: Fields): Route => route('GET', path, fields, answer, browser)
const post = (path: string, fields: Fields, answer: Route['answer'], browser?: Fields): Route =>
  route('POST', path, fields, answer, browser)

function route(method: Route['method'], path: string, fields: Fields, answer: Route['answer'], browser?: Fields): Route {
  return { method, path: `/v1/${path}`, fields, answer, ...(browser ? { browser } : {}) }
}

const intentOf = ({ ledger, id }: RouteContext): Intent => findIntent(ledger, id)

const routes: readonly Route[] = [
  post('payment_intents', parameters.createIntent, ({ ledger, params, emit }) => createIntent(ledger, params, emit)),
  get('payment_intents', parameters.listIntents, ({ ledger, params }) => page('payment_intents', [...ledger.intents.values()], params)),
  get('payment_intents/search', parameters.searchIntents, ({ ledger, params }) => search(ledger, params)),
  get('payment_intents/:id', parameters.retrieveIntent, intentOf, parameters.retrieveIntent),
  post('payment_intents/:id', parameters.updateIntent, context => updateIntent(intentOf(context), context.params, context.ledger)),
  post(
    'payment_intents/:id/confirm',
    parameters.confirmIntent,
    context => confirmIntent(context.ledger, intentOf(context), context.params, context.emit),
    parameters.confirmInBrowser,
  ),
  post(
    'payment_intents/:id/authenticate',
    parameters.authenticate,
    context => authenticateIntent(context.ledger, intentOf(context), context.params, context.emit),
    parameters.authenticate,
  ),
  post('payment_intents/:id/cancel', parameters.cancelIntent, context =>
    cancelIntent(context.ledger, intentOf(context), context.params, context.emit),
  ),
  post('payment_intents/:id/capture', parameters.captureIntent, context =>
    captureIntent(context.ledger, intentOf(context), context.params, context.emit),
  ),
  post('refunds', parameters.createRefund, ({ ledger, params, emit, refunds }) => createRefund(ledger, params, emit, refunds)),
  get('refunds', parameters.listRefunds, ({ ledger, params }) => page('refunds', refundsOf(ledger, params), params)),
  get('refunds/:id', parameters.onlyExpand, ({ ledger, id, emit, refunds }) => findRefund(ledger, id, emit, refunds)),
  get('disputes', parameters.listRefunds, ({ ledger, params }) => page('disputes', disputesOf(ledger, params), params)),
  get('charges/:id', parameters.onlyExpand, ({ ledger, id }) => findCharge(ledger, id)),
  get('events', parameters.listEvents, ({ ledger, params }) => page('events', eventsOf(ledger, params), params)),
  get('events/:id', parameters.onlyExpand, ({ ledger, id }) => ledger.events.get(id) ?? fail('event', id)),
]

export function findRoute(method: string, path: string): { route: Route; id: string } | undefined {
  const segments = path.split('/')
  for (const route of routes) {
    const pattern = route.path.split('/')
    const fits = pattern.length === segments.length && pattern.every((part, index) => part === ':id' || part === segments[index])
    if (fits && route.method === method) return { route, id: segments[pattern.indexOf(':id')] ?? '' }
  }
  return undefined
}

function fail(kind: string, id: string): never {
  throw missing(kind, id, 'id')
}

const refundsOf = (ledger: Ledger, params: Values): Listed[] =>
  [...ledger.refunds.values()].filter(
    ({ payment_intent, charge }) =>
      (textOf(params, 'payment_intent') ?? payment_intent) === payment_intent && (textOf(params, 'charge') ?? charge) === charge,
  )

const disputesOf = (ledger: Ledger, params: Values): Listed[] =>
  [...ledger.disputes.values()].filter(({ payment_intent }) => (textOf(params, 'payment_intent') ?? payment_intent) === payment_intent)

function eventsOf(ledger: Ledger, params: Values): StripeEvent[] {
  // Safe: `readFields` reads it as a list.
  const types = (params['types'] ?? (params['type'] ? [params['type']] : undefined)) as string[] | undefined
  const delivered = params['delivery_success']
  return [...ledger.events.values()].filter(
    ({ type, pending_webhooks }) => (types?.includes(type) ?? true) && (delivered === undefined || delivered === (pending_webhooks === 0)),
  )
}

type Listed = { id: string; created: number; customer?: string | null }

/** Returns a page, newest first, after or before a given id, as Stripe does. */
function page(name: string, all: Listed[], params: Values): object {
  const limit = numberOf(params, 'limit') ?? 10
  const customer = textOf(params, 'customer')
  const fitting = all.toReversed().filter(item => within(item.created, params['created']) && (!customer || item.customer === customer))
  const [after, before] = [textOf(params, 'starting_after'), textOf(params, 'ending_before')]
  const start = after ? indexOf(fitting, after, 'starting_after') + 1 : 0
  const end = before ? indexOf(fitting, before, 'ending_before') : fitting.length
  const from = before ? Math.max(start, end - limit) : start
  const data = fitting.slice(from, Math.min(end, from + limit))
  return { object: 'list', url: `/v1/${name}`, has_more: before ? from > 0 : from + data.length < end, data }
}

function indexOf(all: Listed[], id: string, param: string): number {
  const index = all.findIndex(item => item.id === id)
  if (index < 0) throw missing('object', id, param)
  return index
}

function within(created: number, bound: Values[string] | undefined): boolean {
  if (bound === undefined) return true
  if (typeof bound === 'number') return created === bound
  const limits = groupIn({ bound }, 'bound') ?? {}
  const { gt, gte, lt, lte } = Object.fromEntries(['gt', 'gte', 'lt', 'lte'].map(name => [name, numberOf(limits, name)]))
  return created > (gt ?? -1) && created >= (gte ?? 0) && created < (lt ?? Infinity) && created <= (lte ?? Infinity)
}

/** Searches intents by the part of Stripe's query language for their fields: `metadata['a']:'b' AND status:'succeeded'`. */
function search(ledger: Ledger, params: Values): object {
  const clauses = (textOf(params, 'query') ?? '').split(/\s+AND\s+/i).map(readClause)
  const found = [...ledger.intents.values()].toReversed().filter(intent => clauses.every(clause => clause(intent)))
  const limit = numberOf(params, 'limit') ?? 10
  const start = Number(textOf(params, 'page') ?? 0)
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
