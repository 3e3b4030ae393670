import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import cookie from '@fastify/cookie'
import rateLimit from '@fastify/rate-limit'
import { type FastifyError, type FastifyInstance, type FastifyRequest, fastify } from 'fastify'
import helmet from 'helmet'
import { bestLocale, type Locale } from '#common/kit/locales.ts'
import { Refusal } from '#common/kit/refusals.ts'
import type { Config } from '#server/config.ts'
import type { World } from '#server/kit/app-context.ts'
import { sendFailure } from './failures.ts'
import { recordRoutes } from './not-found.ts'
import { networkOf, RequestCounts } from '#server/kit/limits/network.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The authenticated user, for the log line. */
    userId?: string
    unitId?: string
    /** The code of the refusal that was sent, for the log line. */
    refusal?: string
  }
  interface FastifyContextConfig {
    /** Allows for the time that files take on a slow connection; all other bodies are small. */
    takesFiles?: true
    /** A browser sends it by itself, so the unit's token may be missing. */
    firstUnit?: true
  }
}

/** The body limit of anonymous calls, in bytes. Other calls set their own (kit/serve.ts). */
const bodyLimit = 16 * 1024
/** The time limit for sending a request. */
const requestMs = 30_000
const requestWithFilesMs = 600_000

/** Opens the HTTP server with its limits, headers and log line, before any call is registered. */
export async function openHttp(world: World, atWork: Set<Promise<unknown>>, isStopping: () => boolean): Promise<FastifyInstance> {
  const { config, ids, log } = world
  const protection = protectingHeaders(config.PUBLIC_URL)
  // Safe: only the type parameters of the server differ.
  const http = fastify({
    bodyLimit,
    requestTimeout: requestWithFilesMs,
    keepAliveTimeout: 65_000,
    connectionTimeout: 60_000,
    forceCloseConnections: 'idle',
    trustProxy: trustOf(config.TRUST_PROXY),
    genReqId: () => ids.next(),
    requestIdHeader: false,
    logger: false,
    routerOptions: { ignoreTrailingSlash: false, maxParamLength: 200 },
    // A request that has reached this process gets its response even while the process stops.
    return503OnClosing: false,
    // No route has a JSON schema (kit/serve.ts validates), so the start need not load its compilers.
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
    frameworkErrors: (error, request, reply) =>
      void sendFailure(
        world,
        // Safe: only the type parameters of the server differ.
        request as FastifyRequest,
        // Safe: only the type parameters of the server differ.
        reply.headers({ ...protection, 'x-request-id': request.id }) as never,
        readFrameworkError(error),
      ),
    clientErrorHandler: (error, socket) => refuseMalformed(world, protection, error, socket),
  }) as unknown as FastifyInstance
  http.server.headersTimeout = 15_000
  http.server.maxConnections = 5_000

  recordRoutes(http)
  trackWork(http, atWork)
  acceptOnlyJson(http)
  await http.register(cookie)
  // Hooks of every request call back instead of returning promises, each of which costs as much as a hook.
  http.addHook('onRequest', (_request, reply, done) => {
    reply.headers(protection)
    done()
  })
  // Health and metrics answer without the database.
  if (!config.production)
    http.addHook('onRequest', async ({ url }) => (/^\/(?:health|metrics)/.test(url) ? undefined : world.businessClock.follow()))
  await http.register(rateLimit, {
    max: config.RATE_LIMIT_PER_MINUTE,
    store: class extends RequestCounts {
      constructor() {
        super(world.elapsed)
      }
    },
    timeWindow: 60_000,
    // Counted by network, whatever token a request carries: otherwise each invented token would get a quota of its own.
    keyGenerator: request => networkOf(request.ip),
    errorResponseBuilder: (_request, context) => new Refusal('request.too_many', { retryAfter: Math.ceil(context.ttl / 1000) }),
  })

  http.addHook('onRequest', (request, reply, done) => {
    if (!request.routeOptions.config.takesFiles) limitTime(request)
    reply.header('x-request-id', request.id)
    // Node takes the first host, and a proxy perhaps the second.
    const hosts = request.raw.rawHeaders.filter((name, index) => index % 2 === 0 && /^host$/i.test(name))
    done(hosts.length > 1 ? new Refusal('request.malformed') : undefined)
  })
  http.addHook('onSend', (_request, reply, _payload, done) => {
    // While the service stops, this is the last response on the connection.
    if (isStopping()) reply.header('connection', 'close')
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'private, no-store')
    done()
  })
  http.addHook('onResponse', (request, reply, done) => {
    const path = request.routeOptions.url ?? 'none'
    world.metrics.calls.observe({ method: request.method, path, status: reply.statusCode }, reply.elapsedTime / 1000)
    log[path.startsWith('/health') ? 'debug' : 'info'](
      {
        requestId: request.id,
        method: request.method,
        path,
        status: reply.statusCode,
        refusal: request.refusal,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        user: request.userId,
        unit: request.unitId,
      },
      'answered',
    )
    done()
  })
  http.setErrorHandler((error: FastifyError | Refusal, request, reply) => sendFailure(world, request, reply, readFrameworkError(error)))
  return http
}

function noSchemas(): never {
  throw new Error('no route has a JSON schema')
}

/** Tracks running handlers, so that the service stops only when all are done. A client may have disconnected before. */
function trackWork(http: FastifyInstance, atWork: Set<Promise<unknown>>): void {
  http.addHook('onRoute', route => {
    const { handler } = route
    route.handler = function (request, reply) {
      const work: unknown = handler.call(this, request, reply)
      if (work instanceof Promise) {
        const untrack = () => void atWork.delete(work)
        atWork.add(work)
        void work.then(untrack, untrack)
      }
      return work
    }
  })
}

/** Matches JSON's media type in every spelling that the standard allows. */
export const jsonType = /^application\/json(?:[\t ]*;.*)?$/i

/** Refuses an invalid HTTP request, such as one with endless headers. Sends the envelope and closes the connection. */
function refuseMalformed(
  { config, ids, words }: World,
  protection: Record<string, string>,
  { code, rawPacket }: { code?: string; rawPacket?: unknown },
  socket: Socket,
): void {
  if (code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const received = Buffer.isBuffer(rawPacket) ? rawPacket.toString('latin1') : ''
  // Safe: the setting is refused unless it is a locale.
  const locale = bestLocale(/^accept-language:(.{1,500})/im.exec(received)?.[1]) ?? (config.DEFAULT_LOCALE as Locale)
  const errorMessage = words(locale)('refusal.request.malformed')
  const body = Buffer.from(JSON.stringify({ code: 400, error: 'request.malformed', errorMessage, requestId: ids.next() }))
  const head = [
    'HTTP/1.1 400 Bad Request',
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${body.length}`,
    'Connection: close',
    ...Object.entries(protection).map(([name, value]) => `${name}: ${value}`),
  ]
  // A client that does not disconnect must not keep the connection.
  socket.write(`${head.join('\r\n')}\r\n\r\n`)
  socket.end(body, () => socket.destroy())
}

/** Closes the connection of a request that is not complete in time. */
function limitTime({ raw }: FastifyRequest): void {
  if (raw.complete || raw.method === 'GET') return
  const timer = setTimeout(() => raw.complete || raw.destroy(), requestMs)
  timer.unref()
  raw.once('close', () => clearTimeout(timer))
}

/**
 * Reads TRUST_PROXY: `true` is one proxy, a number is that many, else the trusted proxies' addresses. Only the part of the header that those proxies
 * appended counts: a client can write anything before it.
 */
function trustOf(setting: string | undefined): false | string | ((address: string, hop: number) => boolean) {
  if (setting === undefined || setting === 'false') return false
  if (setting !== 'true' && !/^\d$/.test(setting)) return setting
  const proxies = setting === 'true' ? 1 : Number(setting)
  return (_address, hop) => hop < proxies
}

/** Returns the portal's origin: the configured one, else that of this request. It is an empty text if that is invalid. */
export function ownOrigin(config: Config, request: FastifyRequest): string {
  const url = config.PUBLIC_URL ?? `${request.protocol}://${request.host}`
  if (lastOrigin.url !== url) lastOrigin = { url, origin: URL.parse(url)?.origin ?? '' }
  return lastOrigin.origin
}

/** Nearly all requests are to the same host. */
let lastOrigin = { url: '', origin: '' }

/** Returns a cookie that was sent once. Of two with one name, either could have been set by a sibling domain. */
export function soleCookie({ headers, cookies }: FastifyRequest, name: string): string | undefined {
  const times = (headers.cookie ?? '').split(';').filter(pair => pair.split('=', 1)[0]?.trim() === name).length
  return times === 1 ? cookies[name] : undefined
}

/** Returns the user agent, cut to 300 characters because it is stored. */
export const userAgentOf = ({ headers }: FastifyRequest): string => (headers['user-agent'] ?? '').slice(0, 300)

/** Accepts JSON only, and refuses prototype keys. A feature that takes files registers their media type for its own call. */
function acceptOnlyJson(http: FastifyInstance): void {
  const parseJson = http.getDefaultJsonParser('error', 'error')
  http.removeAllContentTypeParsers()
  http.addContentTypeParser(jsonType, { parseAs: 'string' }, (request, body, done) => {
    if (request.headers['content-encoding'] && request.headers['content-encoding'] !== 'identity') {
      done(new Refusal('request.media_type'))
      return
    }
    // Safe: `parseAs` makes the body a string.
    const text = body as string
    if (text === '') done(null, undefined)
    // JSON has no byte order mark (RFC 8259): some parsers would skip it and others not.
    else if (text.startsWith('\ufeff')) done(new Refusal('request.malformed'))
    else if (hasManyFields(text)) done(new Refusal('request.too_large'))
    else void parseJson(request, text, done)
  })
}

/** The most fields of a body: a thousand travellers have twenty thousand. Counting the ends of names takes a tenth of the time of parsing. */
function hasManyFields(body: string, most = 30_000): boolean {
  const name = /"\s*:/g
  for (let fields = 0; name.test(body); fields++) if (fields >= most) return true
  return false
}

/** Returns the headers of every response. Helmet runs once for all: running each time takes as long as computing a price. */
function protectingHeaders(publicUrl: string | undefined): Record<string, string> {
  const headers: Record<string, string> = {
    'permissions-policy': 'camera=(self), geolocation=(), microphone=(), payment=(self "https://js.stripe.com")',
  }
  const recorder = {
    setHeader: (name: string, value: string) => void (headers[name.toLowerCase()] = value),
    removeHeader() {},
  }
  // Safe: helmet does not read the request, and only sets and removes headers of the response.
  helmet(settingsOf(publicUrl))({} as IncomingMessage, recorder as unknown as ServerResponse, error => {
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

/** Turns the framework's own errors into refusals, and returns any other error unchanged. */
function readFrameworkError(error: FastifyError | Refusal | Error): Refusal | Error {
  if (error instanceof Refusal) return error
  // Safe: a field that the error lacks is undefined.
  const { statusCode, code } = error as FastifyError
  if (statusCode === 413 || code === 'FST_ERR_CTP_BODY_TOO_LARGE') return new Refusal('request.too_large')
  if (statusCode === 415) return new Refusal('request.media_type')
  if (statusCode === 429) return new Refusal('request.too_many')
  if (statusCode === 503) return new Refusal('service.unavailable', { retryAfter: 5 })
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) return new Refusal('request.malformed')
  return error
}
