import type { CookieSerializeOptions } from '@fastify/cookie'
import multipart from '@fastify/multipart'
import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import type { Call, Needs, Question, ReplySent } from '#common/kit/call.ts'
import type { Locale } from '#common/kit/locales.ts'
import { Refusal, refuseFields } from '#common/kit/refusals.ts'
import type { Caller, CallerAcrossUnits, CallerInUnit } from './caller.ts'
import { chooseCoding, pack } from '#server/kit/http/coding.ts'
import { localeOf, rememberLocale } from '#server/kit/http/failures.ts'
import type { Front } from './front.ts'
import { ownOrigin, soleCookie, userAgentOf } from '#server/kit/http/http.ts'
import { once } from '#server/kit/http/idempotency.ts'
import { shapeProblems } from '#server/kit/http/shapes.ts'
import { hangUp, leaveUnread } from '#server/kit/http/unread.ts'
import { dropAll, type Form, type Keeping, type KeptFile, readForm } from '#server/kit/upload/form.ts'
import { Download, sendDownload } from '#server/kit/http/download.ts'

type CallerFor<N extends Needs> = N extends 'nothing'
  ? Caller | undefined
  : N extends 'session'
    ? Caller
    : N extends 'administration'
      ? CallerAcrossUnits
      : CallerInUnit

/** What a verb is told: the question, who asks, and the little it may know of the request. */
export type Asked<C extends Call> = {
  ask: Question<C>
  caller: CallerFor<C['needs']>
  locale: Locale
  requestId: string
  ip: string
  /** The origin that the portal is seen at by whoever asks. */
  origin: string
  userAgent: string
  /** Given by the caller to a call that may be repeated; for what must be unique beyond the kept reply. */
  idempotencyKey: string | undefined
  cookies: Cookies
  /** What came with the question, kept already; the verb's own from now on. */
  files: KeptFile[]
}

export type Cookies = {
  get(name: string): string | undefined
  set(name: string, value: string, options: CookieSerializeOptions): void
}

export type Handler<C extends Call> = (asked: Asked<C>) => Promise<ReplySent<C>>
/** A verb that may answer with a file. */
export type DownloadHandler<C extends Call> = (asked: Asked<C>) => Promise<ReplySent<C> | Download>

/** Serves one call: who asks, may he, is the question well-formed, the verb, the envelope. */
export function serve<C extends Call>(front: Front, call: C, handler: DownloadHandler<C>): void {
  front.served.push(call)
  front.http.route({
    ...routeOf(front, call),
    handler: async (request, reply) => {
      const caller = await admitted(front, call, request)
      return answer(front, call, handler, { request, reply, caller, sent: request.body })
    },
  })
}

/** A call that takes files: as a form with files under `files`, each judged by what is in it, or as JSON without any. */
export function serveFiles<C extends Call>(front: Front, call: C, keeping: Keeping, handler: Handler<C>): void {
  const limits = call.files
  if (!limits) throw new TypeError(`${call.path} takes no files`)
  front.served.push(call)
  void front.http.register(async http => {
    await http.register(multipart)
    http.route({
      ...routeOf(front, call),
      config: { takesFiles: true },
      handler: async (request, reply) => {
        const before = (await admitted(front, call, request)) as CallerInUnit
        if (!request.isMultipart()) return answer(front, call, handler, { request, reply, caller: before, sent: request.body })
        const form = await readForm(request, limits, { workers: front.world.workers, caller: before, keeping }).catch((error: unknown) => {
          if (!request.raw.complete) hangUp(request, reply)
          throw error
        })
        let taken = false
        const taking: Handler<C> = async asked => {
          const data = await handler(asked)
          taken = true
          return data
        }
        try {
          // To read files takes its time: who asks is found anew.
          await front.identify(request, call.needs)
          const caller = await admitted(front, call, request)
          return await answer(front, call, taking, { request, reply, caller, sent: form.fields, form })
        } finally {
          // Asked a second time, or refused: the files that came are nobody's.
          if (!taken) await dropAll(form.files, before, keeping)
        }
      },
    })
  })
}

/** Of a call whose caller is known before its body is read. */
const usualBody = 1024 * 1024

/**
 * Who asks is found before the body is read, and after the limit of his network was looked at. Whether he may is asked when the call is
 * served: the audit tells of a refusal what it was about.
 */
const routeOf = (
  front: Front,
  { method, path, needs, bodyLimit, perMinute }: Call,
): Pick<RouteOptions, 'method' | 'url' | 'exposeHeadRoute' | 'bodyLimit' | 'config' | 'preParsing'> => ({
  method,
  url: path.replaceAll(/\{(\w+)\}/g, ':$1'),
  exposeHeadRoute: false,
  ...(bodyLimit || needs !== 'nothing' ? { bodyLimit: bodyLimit ?? usualBody } : {}),
  ...(perMinute ? { config: { rateLimit: { max: perMinute, timeWindow: 60_000 } } } : {}),
  preParsing: async (request, reply) => {
    await front.identify(request, needs).catch((error: unknown) => {
      throw error instanceof Refusal ? leaveUnread(request, reply, error) : error
    })
  },
})

async function admitted(front: Front, call: Call, request: FastifyRequest): Promise<Caller | undefined> {
  const caller = await front.admit(request, call.needs)
  if (caller?.unit) rememberLocale(request, caller.unit.locale)
  return caller
}

type Asking = { request: FastifyRequest; reply: FastifyReply; caller: Caller | undefined; sent: unknown; form?: Form }

async function answer<C extends Call>(
  front: Front,
  call: C,
  handler: DownloadHandler<C>,
  { request, reply, caller, sent, form }: Asking,
): Promise<FastifyReply> {
  const ask = read(call, request, sent)
  const asked = { ...askedOf(front, request, reply, caller, ask), files: form?.files ?? [] } as Asked<C>
  const wrapped = (data: unknown) => JSON.stringify({ code: 200, data: call.answer.parse(data) })
  if (call.idempotent && asked.idempotencyKey) {
    const question = form ? [sent, form.digest] : sent
    const work = async () => wrapped(await handler(asked))
    const body = await once(front, request, { call, caller: caller as CallerInUnit, key: asked.idempotencyKey, question }, work)
    return typeof body === 'string' ? sendJson(request, reply, 200, body) : sendJson(request, reply, body.status, body.text)
  }
  const data = await handler(asked)
  return data instanceof Download ? sendDownload(reply, data) : sendJson(request, reply, 200, wrapped(data))
}

function read<C extends Call>(call: C, request: FastifyRequest, body: unknown): Question<C> {
  const sent = call.method === 'GET' ? request.query : (body ?? {})
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) throw new Refusal('request.malformed')
  const params = request.params as Record<string, string>
  const parsed = call.ask.safeParse({ ...sent, ...params }, { reportInput: true })
  if (!parsed.success) throw refuseFields(shapeProblems(parsed.error.issues))
  return parsed.data as Question<C>
}

function askedOf(
  front: Front,
  request: FastifyRequest,
  reply: FastifyReply,
  caller: Caller | undefined,
  ask: unknown,
): Omit<Asked<Call>, 'files'> {
  return {
    ask,
    caller,
    locale: localeOf(front.world, request),
    requestId: request.id,
    ip: request.ip,
    origin: ownOrigin(front.world.config, request),
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

/** What is long is packed: over a slow line it comes sooner. */
async function sendJson(request: FastifyRequest, reply: FastifyReply, status: number, text: string): Promise<FastifyReply> {
  reply.status(status).header('cache-control', 'no-store').type('application/json; charset=utf-8')
  const coding = text.length < packedFrom ? 'body' : chooseCoding(request.headers['accept-encoding'])
  if (coding === 'body') return reply.send(text)
  return reply
    .header('content-encoding', coding)
    .header('vary', 'accept-encoding')
    .send(await pack(Buffer.from(text), coding))
}
