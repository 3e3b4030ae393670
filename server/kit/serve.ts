import type { CookieSerializeOptions } from '@fastify/cookie'
import multipart from '@fastify/multipart'
import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import type { AnyCall, CallSchemas, Needs, RequestOf, RequestSentOf, ResponseSentOf, SchemasOf } from '#common/kit/call.ts'
import type { Locale } from '#common/kit/locales.ts'
import { Refusal, refuseFields } from '#common/kit/refusals.ts'
import type { Caller, CallerAcrossUnits, CallerInUnit } from './caller.ts'
import { chooseCoding, pack } from '#server/kit/http/coding.ts'
import { closeConnection, localeOf, refuseUnread, shapeProblems } from '#server/kit/http/failures.ts'
import type { AppContext, Served } from './app-context.ts'
import { ownOrigin, soleCookie, userAgentOf } from '#server/kit/http/http.ts'
import { keptReply, type KeptReply, once } from '#server/kit/http/idempotency.ts'
import { dropAll, type FileLimits, type Form, type Keeping, type KeptFile, readForm } from '#server/kit/upload/form.ts'
import { Download, sendDownload } from '#server/kit/http/download.ts'

type CallerFor<N extends Needs> = N extends 'nothing'
  ? Caller | undefined
  : N extends 'session'
    ? Caller
    : N extends 'administration'
      ? CallerAcrossUnits
      : CallerInUnit

/** The input of a handler: the validated request, its caller, and a few facts about it. */
export type HandlerInput<C extends AnyCall> = {
  call: C
  ask: RequestOf<C>
  caller: CallerFor<C['needs']>
  locale: Locale
  requestId: string
  ip: string
  /** The origin at which the caller sees the portal. */
  origin: string
  userAgent: string
  /** The caller's key of a repeatable call. Some effects must be unique even after the stored reply has expired. */
  idempotencyKey: string | undefined
  cookies: Cookies
  /** True once the caller has closed the connection. */
  isGone(): boolean
  /** Answers another call for the same caller, with that call's own checks. */
  also<Other extends AnyCall>(call: Other, ask: RequestSentOf<Other>): Promise<ResponseSentOf<Other>>
  /** The uploaded files, already stored. The handler owns them. */
  files: KeptFile[]
}

export type Cookies = {
  get(name: string): string | undefined
  set(name: string, value: string, options: CookieSerializeOptions): void
}

export type Handler<C extends AnyCall> = (input: HandlerInput<C>) => Promise<ResponseSentOf<C>>
/** A handler that may reply with a file. */
export type DownloadHandler<C extends AnyCall> = (input: HandlerInput<C>) => Promise<ResponseSentOf<C> | Download>

/** Returns a reply as it is sent, and as the call's own statement stores it. Without a key nothing is stored. */
export type Keep<C extends AnyCall> = (data: ResponseSentOf<C>) => { text: string; kept: KeptReply | null }
/**
 * Does the usual work of a call in one statement, which also stores the reply. Returns the reply's text, or undefined if this request needs the handler;
 * then nothing was written. After a refusal the handler decides, too, by the present data.
 */
type AtOnce<C extends AnyCall> = (input: HandlerInput<C>, keep: Keep<C>) => Promise<string | undefined>

/** The parts that serve a call: its handler, the storage of the files that it takes, and the statement that does its usual work. */
type Serving<C extends AnyCall> =
  SchemasOf<C> extends { files: FileLimits }
    ? { keeping: Keeping; handler: Handler<C> }
    : DownloadHandler<C> | { handler: DownloadHandler<C>; atOnce: AtOnce<C> }

type AnyServing =
  | DownloadHandler<AnyCall>
  | { handler: DownloadHandler<AnyCall>; atOnce: AtOnce<AnyCall> }
  | { keeping: Keeping; handler: Handler<AnyCall> }

/** The calls of a table, by their names. */
type CallsOf<Table> = { [Name in keyof Table as Table[Name] extends AnyCall ? Name : never]: Table[Name] & AnyCall }

/** Serves the calls of a table, each with the schemas and the handler of its name. None can be left out. */
export function serveAll<Table extends object>(
  context: AppContext,
  calls: Table,
  schemas: { [Name in keyof CallsOf<Table>]: SchemasOf<CallsOf<Table>[Name]> },
  handlers: { [Name in keyof CallsOf<Table>]: Serving<CallsOf<Table>[Name]> },
): void {
  // Safe: the types of the arguments say that each name has a call, schemas and a handler.
  const servings = Object.entries(handlers as object as Record<string, AnyServing>)
  for (const [name, serving] of servings) {
    const call = calls[name as never] as AnyCall // Safe: as above.
    const ofCall = schemas[name as never] as CallSchemas & { files: FileLimits } // Safe: as above.
    if (typeof serving === 'function') serve(context, call, ofCall, serving)
    else if ('keeping' in serving) serveFiles(context, call, ofCall, serving.keeping, serving.handler)
    else serve(context, call, ofCall, serving.handler, serving.atOnce)
  }
}

/** Serves one call: authenticates, authorises, validates, handles and wraps the reply in the envelope. */
export function serve<C extends AnyCall>(
  context: AppContext,
  call: C,
  schemas: SchemasOf<C>,
  handler: DownloadHandler<C>,
  atOnce?: AtOnce<C>,
): void {
  const served = { ...call, ...schemas, handler }
  context.served.push(served)
  context.http.route({
    ...routeOf(context, served),
    handler: async (request, reply) => {
      const caller = await context.admit(request, call.needs)
      return answer(context, served, handler, { request, reply, caller, sent: request.body, atOnce })
    },
  })
}

/** Serves a call that takes files. The request is a form with files, each validated by its content, or JSON without files. */
function serveFiles<C extends AnyCall>(
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
        // Safe: every call with files needs a unit.
        const before = (await context.admit(request, call.needs)) as CallerInUnit
        if (!request.isMultipart()) return answer(context, served, handler, { request, reply, caller: before, sent: request.body })
        const form = await readForm(request, schemas.files, { workers: context.world.workers, caller: before, keeping }).catch(
          (error: unknown) => {
            if (!request.raw.complete) closeConnection(request, reply)
            throw error
          },
        )
        let isHandled = false
        const handling: Handler<C> = async input => {
          const data = await handler(input)
          isHandled = true
          return data
        }
        try {
          // Reading files takes time, so the caller is identified again.
          await context.identify(request, call.needs)
          const caller = await context.admit(request, call.needs)
          return await answer(context, served, handling, { request, reply, caller, sent: form.fields, form })
        } finally {
          // A repeated or refused request leaves its files without an owner.
          if (!isHandled) await dropAll(form.files, before, keeping)
        }
      },
    })
  })
}

/** The default limit of a body, in bytes, if the caller is identified before it is read. */
const usualBody = 1024 * 1024

/**
 * Returns the route of a call. The caller is identified before the body is read and after the network's rate limit. The handler checks the
 * permission, so that the audit entry of a refusal names the object.
 */
const routeOf = (
  context: AppContext,
  { method, path, needs, bodyLimit, perMinute, firstUnit }: Served,
): Pick<RouteOptions, 'method' | 'url' | 'exposeHeadRoute' | 'bodyLimit' | 'config' | 'preParsing'> => ({
  method,
  url: path.replaceAll(/\{(\w+)\}/g, ':$1'),
  exposeHeadRoute: false,
  ...(bodyLimit || needs !== 'nothing' ? { bodyLimit: bodyLimit ?? usualBody } : {}),
  config: {
    ...(perMinute ? { rateLimit: { max: perMinute, timeWindow: 60_000 } } : {}),
    ...(firstUnit ? { firstUnit } : {}),
  },
  preParsing: async (request, reply) => {
    await context.identify(request, needs).catch((error: unknown) => {
      throw error instanceof Refusal ? refuseUnread(request, reply, error) : error
    })
  },
})

type Exchange<C extends AnyCall> = {
  request: FastifyRequest
  reply: FastifyReply
  caller: Caller | undefined
  sent: unknown
  form?: Form
  atOnce?: AtOnce<C> | undefined
}

async function answer<C extends AnyCall>(
  context: AppContext,
  call: Served,
  handler: DownloadHandler<C>,
  { request, reply, caller, sent, form, atOnce }: Exchange<C>,
): Promise<FastifyReply> {
  const ask = read(call, { ...objectIn(call.method === 'GET' ? request.query : (sent ?? {})), ...paramsOf(request) })
  // The schemas are those of C, and `admit` has checked the caller by C's needs.
  const input = { ...inputOf(context, { request, reply, caller }, call, ask), files: form?.files ?? [] } as HandlerInput<C>
  const wrapped = (data: unknown) => JSON.stringify({ code: 200, data: call.response.parse(data) })
  // A client without a session has no keys of its own. Its handler recognises a repeated request by its rows.
  const key = call.idempotent && call.needs !== 'nothing' ? input.idempotencyKey : undefined
  // Safe: any other idempotent call needs a unit.
  const repeatable = key ? { call, caller: caller as CallerInUnit, key, sent: form ? [sent, form.digest] : sent } : undefined
  const keep: Keep<C> = data => {
    const text = wrapped(data)
    return { text, kept: repeatable ? keptReply(context.world, repeatable, request.params, text) : null }
  }
  const text = await atOnce?.(input, keep).catch(unlessRefused)
  if (text !== undefined) return sendJson(request, reply, 200, text)
  if (repeatable) {
    const body = await once(context, request, repeatable, async () => wrapped(await handler(input)))
    return sendJson(request, reply, body.status, body.text)
  }
  const data = await handler(input)
  return data instanceof Download ? sendDownload(reply, data) : sendJson(request, reply, 200, wrapped(data))
}

function unlessRefused(error: unknown): undefined {
  if (!(error instanceof Refusal)) throw error
}

function objectIn(sent: unknown): object {
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) throw new Refusal('request.malformed')
  return sent
}

/** Safe: Fastify's path parameters are strings. */
const paramsOf = (request: FastifyRequest) => request.params as Record<string, string>

function read(call: Served, sent: object): unknown {
  const parsed = call.request.safeParse(sent, { reportInput: true })
  if (!parsed.success) throw refuseFields(shapeProblems(parsed.error.issues))
  return parsed.data
}

function inputOf(
  context: AppContext,
  { request, reply, caller }: Pick<Exchange<AnyCall>, 'request' | 'reply' | 'caller'>,
  call: Served,
  ask: unknown,
): Omit<HandlerInput<AnyCall>, 'files'> {
  return {
    call,
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
    isGone: () => reply.raw.destroyed,
    async also(wanted, ask) {
      const other = context.served.find(({ method, path }) => method === wanted.method && path === wanted.path)
      if (!other?.handler) throw new Error(`${wanted.method} ${wanted.path} is not served`)
      const caller = await context.admit(request, wanted.needs)
      // Safe: the handler was served with this call.
      return other.handler({
        ...inputOf(context, { request, reply, caller }, other, read(other, objectIn(ask))),
        files: [],
      } as never) as never
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

const compressedFrom = 16_000

/** Sends a reply, compressed if it has at least 16 000 characters. */
async function sendJson(request: FastifyRequest, reply: FastifyReply, status: number, text: string): Promise<FastifyReply> {
  reply.status(status).header('cache-control', 'no-store').type('application/json; charset=utf-8')
  const coding = text.length < compressedFrom ? 'body' : chooseCoding(request.headers['accept-encoding'])
  if (coding === 'body') {
    // Replies of one turn of the event loop are written together: waking their reader for each takes a third of the time of eight callers' quotes.
    await endOfTurn()
    return reply.send(text)
  }
  return reply
    .header('content-encoding', coding)
    .header('vary', 'accept-encoding')
    .send(await pack(Buffer.from(text), coding))
}

/** Resolves after all requests that arrived in this turn. They share one timer. */
const endOfTurn = (): Promise<void> =>
  new Promise(resolve => {
    if (waiting.push(resolve) > 1) return
    setImmediate(() => {
      const all = waiting
      waiting = []
      for (const each of all) each()
    })
  })

let waiting: (() => void)[] = []
