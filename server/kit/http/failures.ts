import type { FastifyReply, FastifyRequest } from 'fastify'
import type * as z from 'zod/mini'
import type { FailureEnvelope } from '#common/kit/call.ts'
import { bestLocale, isLocale, type Locale } from '#common/kit/locales.ts'
import type { Problem } from '#common/kit/problems.ts'
import { Refusal } from '#common/kit/refusals.ts'
import { problemIn, refusalIn } from '#common/kit/words/words.ts'
import type { World } from '#server/kit/app-context.ts'
import { isOutage } from '#server/kit/store/outage.ts'

const rememberedLocales = new WeakMap<FastifyRequest, Locale>()

/** Remembers the language of the caller's unit, the default if the request has no Accept-Language. */
export const rememberLocale = (request: FastifyRequest, locale: Locale): void => void rememberedLocales.set(request, locale)

/** Returns the language of a request. The order is the query, Accept-Language, the caller's unit, the service. */
export function localeOf(world: World, request: FastifyRequest): Locale {
  // Safe: Fastify parses a query into an object, and any property may be unknown.
  const { locale } = (request.query ?? {}) as { locale?: unknown }
  if (isLocale(locale)) return locale
  // Safe: the setting is refused unless it is a locale.
  return bestLocale(request.headers['accept-language']) ?? rememberedLocales.get(request) ?? (world.config.DEFAULT_LOCALE as Locale)
}

/** Sends every failure. A refusal has its own status, an outage is 503, anything else is 500 with the request's id. */
export function sendFailure(world: World, request: FastifyRequest, reply: FastifyReply, error: unknown): FastifyReply {
  const refusal = error instanceof Refusal ? error : readDatabaseError(error)
  if (refusal !== error) world.log.error({ requestId: request.id, err: error }, refusal ? 'a dependency is down' : 'defect')
  if (!refusal) world.metrics.defects.inc()
  return sendRefusal(world, request, reply, refusal ?? new Refusal('service.defect', { params: { requestId: request.id } }))
}

function sendRefusal(world: World, request: FastifyRequest, reply: FastifyReply, refusal: Refusal): FastifyReply {
  const { retryAfter } = refusal.details
  request.refusal = refusal.code
  if (retryAfter !== undefined) reply.header('retry-after', String(retryAfter))
  return reply
    .status(refusal.status)
    .header('cache-control', 'no-store')
    .send(failureEnvelope(world, request, refusal))
}

export function failureEnvelope(world: World, request: FastifyRequest, refusal: Refusal): FailureEnvelope {
  const words = world.words(localeOf(world, request))
  const { fields, params, data } = refusal.details
  return {
    code: refusal.status,
    error: refusal.code,
    errorMessage: refusalIn(words, refusal.code, params),
    ...(fields ? { fields: fields.map(field => ({ path: field.path, rule: field.rule, message: problemIn(words, field) })) } : {}),
    ...(data === undefined ? {} : { data }),
    requestId: request.id,
  }
}

function readDatabaseError(error: unknown): Refusal | undefined {
  if (isOutage(error)) return new Refusal('service.unavailable', { retryAfter: 5 })
  return isUnwritable(error) ? new Refusal('request.malformed') : undefined
}

/** True if a text or JSON has a character that PostgreSQL cannot store, NUL or half of a surrogate pair. */
function isUnwritable(error: unknown): boolean {
  // Safe: the fields of an object may be unknown.
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown }
  return ['22021', '22P05'].includes(String(code)) || (code === '22P02' && message === 'invalid input syntax for type json')
}

/** The size up to which an unread body keeps its connection, in bytes. */
const shortBody = 64 * 1024

/** Refuses a request before its body is read. If the body is long, the connection closes once the client has the response. */
export function refuseUnread(request: FastifyRequest, reply: FastifyReply, refusal: Refusal): Refusal {
  const { 'content-length': length, 'transfer-encoding': coding } = request.headers
  if (!request.raw.complete && (coding !== undefined || Number(length ?? 0) > shortBody)) closeConnection(request, reply)
  return refusal
}

/** Closes the connection one second after the response, without waiting for the rest of the request. */
export function closeConnection({ raw }: FastifyRequest, reply: FastifyReply): void {
  reply.header('connection', 'close')
  reply.raw.once('finish', () => setTimeout(() => raw.destroy(), 1000).unref())
}

type Issue = z.core.$ZodIssue

/** Turns the issues that a schema found into problems of fields. */
export const shapeProblems = (issues: readonly Issue[]): Problem[] => issues.slice(0, 100).flatMap(problemsOf)

function problemsOf(issue: Issue): Problem[] {
  const path = pathOf(issue.path)
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.slice(0, 20).map(key => ({ path: pathOf([...issue.path, key]), rule: 'unknown', key: 'shape.unknown' }))
    case 'invalid_type':
      return [issue.input === undefined ? { path, rule: 'required', key: 'shape.required' } : { path, rule: 'type', key: 'shape.type' }]
    case 'too_small':
      return [bound(path, issue.origin, 'min', Number(issue.minimum))]
    case 'too_big':
      return [bound(path, issue.origin, 'max', Number(issue.maximum))]
    default: {
      const isDate = issue.code === 'invalid_format' && issue.format === 'date'
      return [isDate ? { path, rule: 'validDate', key: 'validation.invalidDate' } : { path, rule: 'format', key: 'shape.format' }]
    }
  }
}

function bound(path: string, origin: string, side: 'min' | 'max', limit: number): Problem {
  const counted = origin === 'string' || origin === 'array' || origin === 'set'
  if (side === 'min')
    return { path, rule: counted ? 'minLength' : 'min', key: counted ? 'shape.too_short' : 'shape.too_small', params: { limit } }
  return { path, rule: counted ? 'maxLength' : 'max', key: counted ? 'shape.too_long' : 'shape.too_big', params: { limit } }
}

/** Returns a path as refusals write it: `users[1].docNumber`. */
const pathOf = (path: readonly PropertyKey[]): string =>
  path
    .reduce<string>((text, step) => (typeof step === 'number' ? `${text}[${step}]` : text ? `${text}.${String(step)}` : String(step)), '')
    .slice(0, 200)
