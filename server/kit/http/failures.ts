import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FailureEnvelope } from '#common/kit/call.ts'
import { bestLocale, isLocale, type Locale } from '#common/kit/locales.ts'
import { Refusal } from '#common/kit/refusals.ts'
import type { World } from '#server/kit/app-context.ts'
import { Outage } from '#server/kit/store/outage.ts'

const localesKnown = new WeakMap<FastifyRequest, Locale>()

/** Once it is known who asks, his unit's language stands in for a missing Accept-Language. */
export const rememberLocale = (request: FastifyRequest, locale: Locale): void => void localesKnown.set(request, locale)

/** The language of the address, where that names one; else what the caller wishes, his unit's, or the service's own. */
export function localeOf(world: World, request: FastifyRequest): Locale {
  const { locale } = (request.query ?? {}) as { locale?: unknown }
  if (isLocale(locale)) return locale
  return bestLocale(request.headers['accept-language']) ?? localesKnown.get(request) ?? (world.config.DEFAULT_LOCALE as Locale)
}

/** Every failure leaves by this door: a refusal as what it is, an outage as 503, anything else as a defect with its number. */
export function sendFailure(world: World, request: FastifyRequest, reply: FastifyReply, error: unknown): FastifyReply {
  const refusal = error instanceof Refusal ? error : readDatabaseError(error)
  if (refusal !== error) world.log.error({ requestId: request.id, err: error }, refusal ? 'a dependency is down' : 'defect')
  if (!refusal) world.metrics.defects.inc()
  return sendRefusal(world, request, reply, refusal ?? new Refusal('service.defect', { params: { requestId: request.id } }))
}

function sendRefusal(world: World, request: FastifyRequest, reply: FastifyReply, refusal: Refusal): FastifyReply {
  const { retryAfter } = refusal.details
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
    errorMessage: words(`refusal.${refusal.code}`, params),
    ...(fields ? { fields: fields.map(({ path, rule, key, params }) => ({ path, rule, message: words(key, params) })) } : {}),
    ...(data === undefined ? {} : { data }),
    requestId: request.id,
  }
}

function readDatabaseError(error: unknown): Refusal | undefined {
  if (isOutage(error)) return new Refusal('service.unavailable', { retryAfter: 5 })
  return isUnwritable(error) ? new Refusal('request.malformed') : undefined
}

/** A letter that PostgreSQL cannot hold (NUL, or half a letter) has come through to it: in text, or in JSON. */
function isUnwritable(error: unknown): boolean {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown }
  return ['22021', '22P05'].includes(String(code)) || (code === '22P02' && message === 'invalid input syntax for type json')
}

/** What the database's driver says when there is no database to speak to, or no room to speak to it. */
const outages = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
  '57P01',
  '57P02',
  '57P03',
  '53300',
  '08006',
  '08001',
  '57014',
  '55P03',
  // It could not at this moment: a deadlock, a collision, no room on the disk or in memory, a primary that has become a standby.
  '40P01',
  '40001',
  '53100',
  '53200',
  '58030',
  '25006',
  '25P03',
  // What the folder of files says when its disk is full or broken.
  'ENOSPC',
  'EDQUOT',
  'EIO',
])

function isOutage(error: unknown): boolean {
  if (error instanceof Outage) return true
  if (!(error instanceof Error)) return false
  const { code } = error as { code?: unknown }
  if (typeof code === 'string') return outages.has(code)
  return /timeout exceeded when trying to connect|Connection terminated|connection error and is not queryable|server closed the connection/.test(
    error.message,
  )
}
