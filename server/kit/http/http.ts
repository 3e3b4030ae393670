import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import cookie from '@fastify/cookie'
import rateLimit from '@fastify/rate-limit'
import { type FastifyError, type FastifyInstance, type FastifyRequest, fastify } from 'fastify'
import helmet from 'helmet'
import { Refusal } from '#common/kit/refusals.ts'
import type { Config } from '#server/config.ts'
import type { World } from '#server/kit/app-context.ts'
import { sendFailure } from './failures.ts'
import { noteRoutes } from './not-found.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Who turned out to ask; for the log line. */
    userId?: string
    unitId?: string
  }
  interface FastifyContextConfig {
    /** Files take their time on a slow line; everything else is small. */
    takesFiles?: true
  }
}

/** Of a call that says nothing of who asks; the others say themselves how much they take (kit/serve.ts). */
const bodyLimit = 16 * 1024
/** Who takes longer to say what he asks only holds the line. */
const patienceMs = 30_000
const patienceWithFilesMs = 600_000

/** The HTTP server with its limits, headers and log line, before any call is served at it. */
export async function openHttp(world: World, atWork: Set<Promise<unknown>>, isStopping: () => boolean): Promise<FastifyInstance> {
  const { config, ids, log } = world
  const protection = protectingHeaders(config.PUBLIC_URL)
  const http = fastify({
    bodyLimit,
    requestTimeout: patienceWithFilesMs,
    keepAliveTimeout: 65_000,
    connectionTimeout: 60_000,
    forceCloseConnections: 'idle',
    trustProxy: trustOf(config.TRUST_PROXY),
    genReqId: () => ids.next(),
    requestIdHeader: false,
    logger: false,
    routerOptions: { ignoreTrailingSlash: false, maxParamLength: 200 },
    // What has reached this process is answered, also while it is stopping.
    return503OnClosing: false,
    frameworkErrors: (error, request, reply) =>
      void sendFailure(
        world,
        request as FastifyRequest,
        reply.headers({ ...protection, 'x-request-id': request.id }) as never,
        readFrameworkError(error),
      ),
    clientErrorHandler: (error, socket) => refuseUnread(ids.next(), protection, error, socket),
  }) as unknown as FastifyInstance
  http.server.headersTimeout = 15_000
  http.server.maxConnections = 5_000

  noteRoutes(http)
  noteWork(http, atWork)
  acceptOnlyJson(http)
  await http.register(cookie)
  http.addHook('onRequest', async (_request, reply) => void reply.headers(protection))
  await http.register(rateLimit, {
    max: config.RATE_LIMIT_PER_MINUTE,
    timeWindow: 60_000,
    // By network, whatever token a request carries: an invented one must not open a fresh account.
    keyGenerator: request => networkOf(request.ip),
    errorResponseBuilder: (_request, context) => new Refusal('request.too_many', { retryAfter: Math.ceil(context.ttl / 1000) }),
  })

  http.addHook('onRequest', async (request, reply) => {
    if (!request.routeOptions.config.takesFiles) hurry(request)
    reply.header('x-request-id', request.id)
  })
  http.addHook('onSend', async (_request, reply) => {
    // Stopping: this was the last answer on this line.
    if (isStopping()) reply.header('connection', 'close')
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'private, no-store')
  })
  http.addHook('onResponse', async (request, reply) => {
    const path = request.routeOptions.url ?? 'none'
    world.metrics.calls.observe({ method: request.method, path, status: reply.statusCode }, reply.elapsedTime / 1000)
    log.info(
      {
        requestId: request.id,
        method: request.method,
        path,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        user: request.userId,
        unit: request.unitId,
      },
      'answered',
    )
  })
  http.setErrorHandler((error: FastifyError | Refusal, request, reply) => sendFailure(world, request, reply, readFrameworkError(error)))
  return http
}

/** What answers, whoever asked it: also when he has hung up, the service does not stop before it is done. */
function noteWork(http: FastifyInstance, atWork: Set<Promise<unknown>>): void {
  http.addHook('onRoute', route => {
    const { handler } = route
    route.handler = function (request, reply) {
      const work: unknown = handler.call(this, request, reply)
      if (work instanceof Promise) {
        const over = () => void atWork.delete(work)
        atWork.add(work)
        void work.then(over, over)
      }
      return work
    }
  })
}

/** JSON, in any spelling of its name that the standard allows. */
export const jsonType = /^application\/json(?:[\t ]*;.*)?$/i

/** What could not even be read as a request, such as headers without end: the same envelope, by hand, and the line is cut. */
function refuseUnread(requestId: string, protection: Record<string, string>, { code }: { code?: string }, socket: Socket): void {
  if (code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const body = JSON.stringify({ code: 400, error: 'request.malformed', errorMessage: 'The request could not be read.', requestId })
  const head = [
    'HTTP/1.1 400 Bad Request',
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${body.length}`,
    'Connection: close',
    ...Object.entries(protection).map(([name, value]) => `${name}: ${value}`),
  ]
  // Whoever does not hang up himself must not keep the line.
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy())
}

function hurry({ raw }: FastifyRequest): void {
  if (raw.complete || raw.method === 'GET') return
  const timer = setTimeout(() => raw.complete || raw.destroy(), patienceMs)
  timer.unref()
  raw.once('close', () => clearTimeout(timer))
}

/**
 * `true` is one proxy in front, a number so many; or the addresses of those that may be believed. Only what they appended counts: what stands
 * before it in the header, whoever asked has written himself.
 */
function trustOf(setting: string | undefined): false | string | ((address: string, hop: number) => boolean) {
  if (setting === undefined || setting === 'false') return false
  if (setting !== 'true' && !/^\d$/.test(setting)) return setting
  const proxies = setting === 'true' ? 1 : Number(setting)
  return (_address, hop) => hop < proxies
}

/** The origin that the portal is seen at: as configured, else as this request came in; empty where that is no address. */
export const ownOrigin = (config: Config, request: FastifyRequest): string =>
  URL.parse(config.PUBLIC_URL ?? `${request.protocol}://${request.host}`)?.origin ?? ''

/** A cookie that came once. Of two by one name nobody can tell which one this host has set, and which a sibling. */
export function soleCookie({ headers, cookies }: FastifyRequest, name: string): string | undefined {
  const times = (headers.cookie ?? '').split(';').filter(pair => pair.split('=', 1)[0]?.trim() === name).length
  return times === 1 ? cookies[name] : undefined
}

/** What a browser says that it is: kept, so no more of it than anybody reads. */
export const userAgentOf = ({ headers }: FastifyRequest): string => (headers['user-agent'] ?? '').slice(0, 300)

/** One home has one IPv4 address, but a whole /64 of IPv6 (in many spellings). */
export function networkOf(ip: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1]
  if (mapped || !ip.includes(':')) return mapped ?? ip
  const [head = '', tail] = ip.toLowerCase().split('%')[0]?.split('::') ?? []
  const first = head.split(':').filter(Boolean)
  const last = (tail ?? '').split(':').filter(Boolean)
  const zeros = tail === undefined ? [] : Array<string>(Math.max(0, 8 - first.length - last.length)).fill('0')
  return [...first, ...zeros, ...last]
    .slice(0, 4)
    .map(group => Number.parseInt(group, 16).toString(16))
    .join(':')
}

/**
 * JSON and nothing else is read. A room that takes files registers their kind for its
 * own call. Prototype keys are refused, not stripped.
 */
function acceptOnlyJson(http: FastifyInstance): void {
  const parseJson = http.getDefaultJsonParser('error', 'error')
  http.removeAllContentTypeParsers()
  http.addContentTypeParser(jsonType, { parseAs: 'string' }, (request, body, done) => {
    if (request.headers['content-encoding'] && request.headers['content-encoding'] !== 'identity') {
      done(new Refusal('request.media_type'))
      return
    }
    if (body === '') done(null, undefined)
    // Some readers pass over a byte order mark, others do not: JSON has none (RFC 8259).
    else if ((body as string).startsWith('\ufeff')) done(new Refusal('request.malformed'))
    else void parseJson(request, body as string, done)
  })
}

/** The same on every answer, so helmet is asked once: asked each time it takes as long as working out a price. */
function protectingHeaders(publicUrl: string | undefined): Record<string, string> {
  const headers: Record<string, string> = {
    'permissions-policy': 'camera=(self), geolocation=(), microphone=(), payment=(self "https://js.stripe.com")',
  }
  const answer = {
    setHeader: (name: string, value: string) => void (headers[name.toLowerCase()] = value),
    removeHeader() {},
  }
  helmet(settingsOf(publicUrl))({} as IncomingMessage, answer as unknown as ServerResponse, error => {
    if (error) throw error
  })
  return headers
}

function settingsOf(publicUrl: string | undefined) {
  const https = publicUrl?.startsWith('https:') ?? false
  const stripe = ['https://js.stripe.com', 'https://*.js.stripe.com']
  return {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'", ...stripe],
        frameSrc: ["'self'", ...stripe, 'https://hooks.stripe.com'],
        connectSrc: ["'self'", 'https://api.stripe.com'],
        imgSrc: ["'self'", 'data:', 'blob:'],
        styleSrc: ["'self'"],
        fontSrc: ["'self'"],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
        ...(https ? { upgradeInsecureRequests: [] } : {}),
      },
    },
    strictTransportSecurity: https ? { maxAge: 31_536_000, includeSubDomains: true } : false,
    referrerPolicy: { policy: 'no-referrer' as const },
    crossOriginEmbedderPolicy: false,
    xFrameOptions: { action: 'deny' as const },
  }
}

/** The framework's own errors, told as refusals; what is none of them stays what it is: a defect. */
function readFrameworkError(error: FastifyError | Refusal | Error): Refusal | Error {
  if (error instanceof Refusal) return error
  const { statusCode, code } = error as FastifyError
  if (statusCode === 413 || code === 'FST_ERR_CTP_BODY_TOO_LARGE') return new Refusal('request.too_large')
  if (statusCode === 415) return new Refusal('request.media_type')
  if (statusCode === 429) return new Refusal('request.too_many')
  if (statusCode === 503) return new Refusal('service.unavailable', { retryAfter: 5 })
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) return new Refusal('request.malformed')
  return error
}
