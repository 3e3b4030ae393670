import type { AnyCall, FailureEnvelope, RequestSentOf, ResponseOf } from '#common/kit/call.ts'
import { type RequestResult, trackRequest, watchSlow } from './connection.ts'

/** spec 9: how often a failed request is sent again. */
const retries = 2
/** The service waits no longer than this for its database, so no response can be expected later. */
const timeoutMs = 20_000
/** The maximum number of one-second waits for an earlier attempt that is still running. It may be from before a reload. */
const maxWaits = 30

/** The service refused the request; `failure.fields` names the fields to correct. */
export class Refused extends Error {
  readonly failure: FailureEnvelope
  /** True if the same request may succeed later, or after the user has signed in again. */
  readonly mayChange: boolean

  constructor(failure: FailureEnvelope, mayChange = false) {
    super(failure.errorMessage)
    this.name = 'Refused'
    this.failure = failure
    this.mayChange = mayChange
  }
}

/** The service was not reached, or sent no response. */
export class Unreachable extends Error {}

/** spec 8: the response to an export is not a file. */
export class NotAFile extends Error {}

let locale = 'en-EN'
let unitToken: string | undefined
let signInAgain: (() => Promise<boolean>) | undefined
/** Counts how often the user has signed in again. */
let sessions = 0

/** Sets the language that is sent with every call. */
export const sendLocale = (spoken: string): void => {
  locale = spoken
}
/** Sets the unit's token that is sent with every call. */
export const sendUnitToken = (token: string | undefined): void => {
  unitToken = token
}
type EarlyReply = { path: string; request: unknown; data: unknown }
let early: (EarlyReply | undefined)[] = []
/** The milliseconds in which a page requests what came with it. Later requests want newer data. */
export const keptMs = 10_000
/** Keeps responses that arrived before they were requested. Each answers the next such request, once. */
export const keepReplies = (replies: { [name: string]: EarlyReply | undefined }): void => {
  early = Object.values(replies)
  setTimeout(() => (early = []), keptMs)
}
/** Returns the kept response to such a request, and forgets it. */
export function takeKept<C extends AnyCall>(call: C, request: RequestSentOf<C>): ResponseOf<C> | undefined {
  const known = early.find(reply => reply?.path === call.path && JSON.stringify(reply.request) === JSON.stringify(request))
  if (known) early.splice(early.indexOf(known), 1)
  // Safe: it is the response to this request.
  return known?.data as ResponseOf<C> | undefined
}
/** Sets the function that signs the user in again after the session has ended. The call waits for it and is then sent again. */
export const whenSessionEnds = (signIn: (() => Promise<boolean>) | undefined): void => {
  signInAgain = signIn
}

export type AskOptions = {
  /** The caller keeps this key, so that the request takes effect once, even across a reload. */
  idempotencyKey?: string
  /** Aborts a request that is outdated or no longer needed. */
  signal?: AbortSignal
  /** The token of another unit than the current one. */
  unitToken?: string | undefined
  /** True for a sign-out, for which the user never has to sign in again. */
  leaving?: true
}

/**
 * Sends a request to the service, and returns its response. Retries twice after a lost connection or a 503, but never after a refusal. Every attempt
 * has the same key, so the request takes effect once. A request without a response times out; it is retried only if sending it twice does no harm.
 */
export function ask<C extends AnyCall>(call: C, request: RequestSentOf<C>, options: AskOptions = {}): Promise<ResponseOf<C>> {
  const known = takeKept(call, request)
  if (known !== undefined) return Promise.resolve(known)
  const key = options.idempotencyKey ?? crypto.randomUUID()
  const send = () => sendCall(call, request, key, options)
  return options.leaving ? send() : inSession(call, send)
}

/** Runs the attempt. If the session has ended, runs it once more after the user has signed in again. */
export async function inSession<Result>(call: AnyCall, attempt: () => Promise<Result>): Promise<Result> {
  const session = sessions
  try {
    return await attempt()
  } catch (error) {
    const ended = error instanceof Refused && error.failure.code === 401 && call.needs !== 'nothing'
    if (!ended) throw error
    // The call was sent in an earlier session. The user has signed in again since, so it only has to be repeated.
    if (session !== sessions) return inSession(call, attempt)
    if (!(await signInAgain?.())) throw error
    sessions++
    return attempt()
  }
}

async function sendCall<C extends AnyCall>(call: C, request: RequestSentOf<C>, key: string, options: AskOptions): Promise<ResponseOf<C>> {
  const { signal, unitToken } = options
  const received = await watchSlow(
    sendWithRetries(call, request, { key, signal, unitToken, timeoutMs, readBody: response => response.text() }),
  )
  const envelope = received && parseEnvelope(received.body)
  if (received === undefined || envelope === undefined) throw new Unreachable()
  // Safe: the service sends this format with every code but 200.
  if (envelope.code !== 200) throw new Refused(envelope as FailureEnvelope, mayChange(received))
  // Safe: the service checks its responses against the call's schema before it sends them.
  return envelope.data as ResponseOf<C>
}

/** Returns the envelope in a response's text; undefined if the text is not JSON. */
export function parseEnvelope(text: string): { code: number; data?: unknown; error?: string } | undefined {
  try {
    // Safe: every JSON response of the service is an envelope (/api/openapi.json).
    return JSON.parse(text) as { code: number; data?: unknown; error?: string }
  } catch {
    return undefined
  }
}

type SendOptions<Body> = {
  key: string
  signal?: AbortSignal | undefined
  unitToken?: string | undefined
  timeoutMs: number
  /** Reads a successful response's body. A refusal is read as text. */
  readBody: (response: Response) => Promise<Body>
}
/** A response. `error` is the code of a refusal, and `hasRetryAfter` true if the service says when to try again. */
type Received<Body> = { status: number; hasRetryAfter: boolean; error: string | undefined; body: Body }
/** The result of one attempt: a response, a lost connection, or a timeout. */
type Outcome<Body> = Received<Body> | 'lost' | 'timed out'

/** Sends a request until it has a response or may not be retried; undefined if there was no response. */
export async function sendWithRetries<C extends AnyCall, Body>(
  call: C,
  request: RequestSentOf<C>,
  options: SendOptions<Body>,
): Promise<Received<Body | string> | undefined> {
  for (let [tries, waits] = [0, 0]; ; ) {
    const report = trackRequest()
    // Safe: every call's request is an object.
    const outcome = await sendOnce(call, request as Record<string, unknown>, options)
    if (waits < maxWaits && isRunning(outcome)) {
      waits++
      await pause(1000)
    } else if (tries < retries && mayRetry(call, outcome)) {
      await pause(300 * 3 ** tries)
      tries++
    } else {
      report(resultOf(outcome))
      return typeof outcome === 'object' ? outcome : undefined
    }
  }
}

const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))

/** True if sending the request again does no harm. After a timeout the service may still carry out the first attempt. */
const mayRetry = (call: AnyCall, outcome: Outcome<unknown>): boolean =>
  outcome === 'timed out' ? call.idempotent === true || call.method === 'GET' : outcome === 'lost' || outcome.status === 503

/** True for responses that the service does not store under the idempotency key. */
const mayChange = ({ status, hasRetryAfter }: Received<unknown>): boolean =>
  status >= 500 || status === 401 || status === 429 || hasRetryAfter

/** Returns what a response reveals about the service, which is not down if only the card network is. */
function resultOf(outcome: Outcome<unknown>): RequestResult {
  if (typeof outcome !== 'object') return 'none'
  return outcome.status > 501 && outcome.error !== 'payment.unavailable' ? 'maintenance' : 'response'
}

/** True if the service is still working on an earlier attempt. */
const isRunning = (outcome: Outcome<unknown>): boolean => typeof outcome === 'object' && outcome.error === 'idempotency.running'

/** Sends the request once and reads the whole response, until the timeout or the caller's signal. */
async function sendOnce<Body>(
  call: AnyCall,
  request: Record<string, unknown>,
  { key, signal, unitToken, timeoutMs, readBody }: SendOptions<Body>,
): Promise<Outcome<Body | string>> {
  const controller = new AbortController()
  const abort = () => controller.abort()
  signal?.addEventListener('abort', abort)
  let isTimedOut = false
  const timer = setTimeout(() => {
    isTimedOut = true
    controller.abort()
  }, timeoutMs)
  try {
    signal?.throwIfAborted()
    const response = await send(call, request, headersOf(call, key, unitToken), controller.signal)
    const { ok, status, headers } = response
    const refusal = ok ? undefined : await response.text()
    return {
      status,
      hasRetryAfter: headers.has('retry-after'),
      error: refusal && parseEnvelope(refusal)?.error,
      body: refusal ?? (await readBody(response)),
    }
  } catch (error) {
    if (signal?.aborted) throw error
    return isTimedOut ? 'timed out' : 'lost'
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', abort)
  }
}

/** Returns a call's headers: the language, the unit's token, and an idempotency key if it has one. */
export function headersOf(call: AnyCall, key: string, token = unitToken): Record<string, string> {
  const headers: Record<string, string> = { 'accept-language': locale }
  if (token) headers['x-bunit-token'] = token
  if (call.idempotent) headers['idempotency-key'] = key
  return headers
}

/** Puts the request's fields into the braces of the path, and the others into the query or the body. */
function send(call: AnyCall, request: Record<string, unknown>, headers: Record<string, string>, signal: AbortSignal): Promise<Response> {
  const rest = { ...request }
  const path = call.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    delete rest[name]
    return encodeURIComponent(String(request[name]))
  })
  const common = call.bare ? { signal } : { headers, signal }
  if (call.method === 'GET') {
    // Safe: URLSearchParams turns every value into text.
    const query = new URLSearchParams(rest as Record<string, string>).toString()
    return fetch(query ? `${path}?${query}` : path, common)
  }
  headers['content-type'] = 'application/json'
  return fetch(path, { ...common, method: call.method, body: JSON.stringify(rest) })
}
