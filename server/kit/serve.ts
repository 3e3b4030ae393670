import type { CookieSerializeOptions } from '@fastify/cookie'
import multipart from '@fastify/multipart'
import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import type { AnyCall, Needs, Question, ReplySent, SchemasOf } from '#common/kit/call.ts'
import type { Locale } from '#common/kit/locales.ts'
import { Refusal, refuseFields } from '#common/kit/refusals.ts'
import type { Caller, CallerAcrossUnits, CallerInUnit } from './caller.ts'
import { chooseCoding, pack } from '#server/kit/http/coding.ts'
import { localeOf, rememberLocale } from '#server/kit/http/failures.ts'
import type { AppContext, Served } from './app-context.ts'
import { ownOrigin, soleCookie, userAgentOf } from '#server/kit/http/http.ts'
import { once } from '#server/kit/http/idempotency.ts'
import { shapeProblems } from '#server/kit/http/shapes.ts'
import { hangUp, leaveUnread } from '#server/kit/http/unread.ts'
import { dropAll, type FileLimits, type Form, type Keeping, type KeptFile, readForm } from '#server/kit/upload/form.ts'
import { Download, sendDownload } from '#server/kit/http/download.ts'

type CallerFor<N extends Needs> = N extends 'nothing'
  ? Caller | undefined
  : N extends 'session'
    ? Caller
    : N extends 'administration'
      ? CallerAcrossUnits
      : CallerInUnit

/** The input of a handler: the question, the caller, and a few facts of the request. */
export type HandlerInput<C extends AnyCall> = {
  ask: Question<C>
  caller: CallerFor<C['needs']>
  locale: Locale
  requestId: string
  ip: string
  /** The portal's origin as the caller sees it. */
  origin: string
  userAgent: string
  /** The caller's key of a repeatable call, for things that must be unique for longer than the reply is kept. */
  idempotencyKey: string | undefined
  cookies: Cookies
  /** The uploaded files, stored already; from now on they belong to the handler. */
  files: KeptFile[]
}

export type Cookies = {
  get(name: string): string | undefined
  set(name: string, value: string, options: CookieSerializeOptions): void
}

export type Handler<C extends AnyCall> = (asked: HandlerInput<C>) => Promise<ReplySent<C>>
/** A handler that may answer with a file. */
export type DownloadHandler<C extends AnyCall> = (asked: HandlerInput<C>) => Promise<ReplySent<C> | Download>

/** Serves one call: authenticate, authorise, validate, handle, wrap in the envelope. */
export function serve<C extends AnyCall>(context: AppContext, call: C, schemas: SchemasOf<C>, handler: DownloadHandler<C>): void {
  const served = { ...call, ...schemas }
  context.served.push(served)
  context.http.route({
    ...routeOf(context, served),
    handler: async (request, reply) => {
      const caller = await admitted(context, call, request)
      return answer(context, served, handler, { request, reply, caller, sent: request.body })
    },
  })
}

/** Serves a call that takes files: a form with files under `files`, each validated by its content, or JSON without files. */
export function serveFiles<C extends AnyCall>(
  context: AppContext,
  call: C,
  schemas: SchemasOf<C> & { files: FileLimits },
  keeping: Keeping,
  handler: Handler<C>,
): void {
  const served = { ...call, ...schemas }
  context.served.push(served)
  void context.http.register(async http => {
    await http.register(multipart)
    http.route({
      ...routeOf(context, served),
      config: { takesFiles: true },
      handler: async (request, reply) => {
        const before = (await admitted(context, call, request)) as CallerInUnit
        if (!request.isMultipart()) return answer(context, served, handler, { request, reply, caller: before, sent: request.body })
        const form = await readForm(request, schemas.files, { workers: context.world.workers, caller: before, keeping }).catch(
          (error: unknown) => {
            if (!request.raw.complete) hangUp(request, reply)
            throw error
          },
        )
        let taken = false
        const taking: Handler<C> = async asked => {
          const data = await handler(asked)
          taken = true
          return data
        }
        try {
          // Reading files takes time: the caller is identified again.
          await context.identify(request, call.needs)
          const caller = await admitted(context, call, request)
          return await answer(context, served, taking, { request, reply, caller, sent: form.fields, form })
        } finally {
          // A repeated or refused request leaves its files without an owner.
          if (!taken) await dropAll(form.files, before, keeping)
        }
      },
    })
  })
}

/** The largest body, in bytes, of a call whose caller is identified before the body is read. */
const usualBody = 1024 * 1024

/**
 * Returns the route of a call. The caller is identified before the body is read and after the network's rate limit. The permission is
 * checked in the handler, so that the audit entry of a refusal names the object.
 */
const routeOf = (
  context: AppContext,
  { method, path, needs, bodyLimit, perMinute }: Served,
): Pick<RouteOptions, 'method' | 'url' | 'exposeHeadRoute' | 'bodyLimit' | 'config' | 'preParsing'> => ({
  method,
  url: path.replaceAll(/\{(\w+)\}/g, ':$1'),
  exposeHeadRoute: false,
  ...(bodyLimit || needs !== 'nothing' ? { bodyLimit: bodyLimit ?? usualBody } : {}),
  ...(perMinute ? { config: { rateLimit: { max: perMinute, timeWindow: 60_000 } } } : {}),
  preParsing: async (request, reply) => {
    await context.identify(request, needs).catch((error: unknown) => {
      throw error instanceof Refusal ? leaveUnread(request, reply, error) : error
    })
  },
})

async function admitted(context: AppContext, call: AnyCall, request: FastifyRequest): Promise<Caller | undefined> {
  const caller = await context.admit(request, call.needs)
  if (caller?.unit) rememberLocale(request, caller.unit.locale)
  return caller
}

type Exchange = { request: FastifyRequest; reply: FastifyReply; caller: Caller | undefined; sent: unknown; form?: Form }

async function answer<C extends AnyCall>(
  context: AppContext,
  call: Served,
  handler: DownloadHandler<C>,
  { request, reply, caller, sent, form }: Exchange,
): Promise<FastifyReply> {
  // The schemas are those of C, and `admit` has checked the caller by C's needs.
  const asked = { ...askedOf(context, request, reply, caller, read(call, request, sent)), files: form?.files ?? [] } as HandlerInput<C>
  const wrapped = (data: unknown) => JSON.stringify({ code: 200, data: call.answer.parse(data) })
  if (call.idempotent && asked.idempotencyKey) {
    const question = form ? [sent, form.digest] : sent
    const work = async () => wrapped(await handler(asked))
    const body = await once(context, request, { call, caller: caller as CallerInUnit, key: asked.idempotencyKey, question }, work)
    return typeof body === 'string' ? sendJson(request, reply, 200, body) : sendJson(request, reply, body.status, body.text)
  }
  const data = await handler(asked)
  return data instanceof Download ? sendDownload(reply, data) : sendJson(request, reply, 200, wrapped(data))
}

function read(call: Served, request: FastifyRequest, body: unknown): unknown {
  const sent = call.method === 'GET' ? request.query : (body ?? {})
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) throw new Refusal('request.malformed')
  const params = request.params as Record<string, string>
  const parsed = call.ask.safeParse({ ...sent, ...params }, { reportInput: true })
  if (!parsed.success) throw refuseFields(shapeProblems(parsed.error.issues))
  return parsed.data
}

function askedOf(
  context: AppContext,
  request: FastifyRequest,
  reply: FastifyReply,
  caller: Caller | undefined,
  ask: unknown,
): Omit<HandlerInput<AnyCall>, 'files'> {
  return {
    ask,
    caller,
    locale: localeOf(context.world, request),
    requestId: request.id,
    ip: request.ip,
    origin: ownOrigin(context.world.config, request),
    userAgent: userAgentOf(request),
    idempotencyKey: idempotencyKeyOf(request),
    cookies: {
      get: name => soleCookie(request, name),
      set: (name, value, options) => void reply.setCookie(name, value, options),
    },
  }
}

function idempotencyKeyOf(request: FastifyRequest): string | undefined {
  const key = request.headers['idempotency-key']
  if (key === undefined) return undefined
  if (typeof key !== 'string' || key.length < 1 || key.length > 255)
    throw refuseFields([{ path: 'Idempotency-Key', rule: 'maxLength', key: 'shape.too_long', params: { limit: 255 } }])
  return key
}

const packedFrom = 16_000

/** Compresses a long reply. */
async function sendJson(request: FastifyRequest, reply: FastifyReply, status: number, text: string): Promise<FastifyReply> {
  reply.status(status).header('cache-control', 'no-store').type('application/json; charset=utf-8')
  const coding = text.length < packedFrom ? 'body' : chooseCoding(request.headers['accept-encoding'])
  if (coding === 'body') return reply.send(text)
  return reply
    .header('content-encoding', coding)
    .header('vary', 'accept-encoding')
    .send(await pack(Buffer.from(text), coding))
}
