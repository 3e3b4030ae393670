import type { AnyCall, QuestionSent, Reply } from '#common/kit/call.ts'
import type { FailureEnvelope } from '#common/kit/call.ts'
import { asking, type Heard } from './connection.ts'

/** spec 9: API retries. */
const retries = 2
/** The service waits no longer for its database: an answer is not to be expected any more. */
const patienceMs = 20_000
/** An earlier try that is still at work, also one of a page that was reloaded, is waited for, once a second. */
const mostWaits = 30

/** What the service said no with; `fields` name what to mend. */
export class Refused extends Error {
  readonly failure: FailureEnvelope
  /** No last word: the same question may be answered otherwise a moment later, or after signing in again. */
  readonly mayChange: boolean

  constructor(failure: FailureEnvelope, mayChange = false) {
    super(failure.errorMessage)
    this.name = 'Refused'
    this.failure = failure
    this.mayChange = mayChange
  }
}

/** The service could not be reached, or gave no answer. */
export class Unreachable extends Error {}

let locale = 'en-EN'
let unitToken: string | undefined
let signInAgain: (() => Promise<boolean>) | undefined
/** How often there was one again. */
let sessions = 0

/** Told by the words and the session; sent with every call. */
export const askIn = (spoken: string): void => {
  locale = spoken
}
export const askFor = (token: string | undefined): void => {
  unitToken = token
}
/** Who to turn to when the session has ended: true once there is one again. The call that noticed it waits, and is asked again. */
export const whenSessionEnds = (again: (() => Promise<boolean>) | undefined): void => {
  signInAgain = again
}

export type AskOptions = {
  /** For what must be done once even over a reload: kept by the caller. */
  idempotencyKey?: string
  /** Overtaken or not wanted any more. */
  signal?: AbortSignal
  /** For another unit than the one that is worked for. */
  unitToken?: string | undefined
  /** Whoever leaves is not asked to sign in for it. */
  leaving?: true
}

/**
 * Asks the service. Twice more on a lost connection or 503, never on a refusal, and each time with the same key, so that what was done
 * is not done again. What gives no answer ends, and is asked again where that can do no harm.
 */
export function ask<C extends AnyCall>(call: C, question: QuestionSent<C>, options: AskOptions = {}): Promise<Reply<C>> {
  const key = options.idempotencyKey ?? crypto.randomUUID()
  const asking = () => attempt(call, question, key, options)
  return options.leaving ? asking() : inSession(call, asking)
}

/** Where the session has ended meanwhile, it is asked once more when there is one again. */
export async function inSession<Result>(call: AnyCall, attempt: () => Promise<Result>): Promise<Result> {
  const session = sessions
  try {
    return await attempt()
  } catch (error) {
    const ended = error instanceof Refused && error.failure.code === 401 && call.needs !== 'nothing'
    if (!ended) throw error
    // Sent in the one before and refused in this one: nobody is asked to sign in for it again.
    if (session !== sessions) return inSession(call, attempt)
    if (!(await signInAgain?.())) throw error
    sessions++
    return attempt()
  }
}

async function attempt<C extends AnyCall>(call: C, question: QuestionSent<C>, key: string, options: AskOptions): Promise<Reply<C>> {
  const { signal, unitToken } = options
  const reply = await deliver(call, question, { key, signal, unitToken, patience: patienceMs, take: reply => reply.text() })
  const envelope = reply && read(reply.taken)
  if (reply === undefined || envelope === undefined) throw new Unreachable()
  if (envelope.code !== 200) throw new Refused(envelope as FailureEnvelope, mayChange(reply))
  return envelope.data as Reply<C>
}

export function read(text: string): { code: number; data?: unknown } | undefined {
  try {
    return JSON.parse(text) as { code: number; data?: unknown }
  } catch {
    return undefined
  }
}

type Delivery<Taken> = {
  key: string
  signal?: AbortSignal | undefined
  unitToken?: string | undefined
  patience: number
  take: (reply: Response) => Promise<Taken>
}
/** What came back; `later` where the service says when to come again. */
type Answer<Taken> = { status: number; later: boolean; taken: Taken }
/** What became of one try. */
type Outcome<Taken> = Answer<Taken> | 'lost' | 'silent'

/** What came of asking as often as may be; nothing where there was no answer. */
export async function deliver<C extends AnyCall, Taken>(
  call: C,
  question: QuestionSent<C>,
  how: Delivery<Taken>,
): Promise<Answer<Taken> | undefined> {
  for (let [tries, waits] = [0, 0]; ; ) {
    const heard = asking()
    const outcome = await once(call, question as Record<string, unknown>, how)
    if (waits < mostWaits && isRunning(outcome)) {
      waits++
      await pause(1000)
    } else if (tries < retries && mayAgain(call, outcome)) {
      await pause(300 * 3 ** tries)
      tries++
    } else {
      heard(whatOf(outcome))
      return typeof outcome === 'object' ? outcome : undefined
    }
  }
}

const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))

/** What was sent and not answered may yet be done: it is sent again only where twice is as good as once. */
const mayAgain = (call: AnyCall, outcome: Outcome<unknown>): boolean =>
  outcome === 'silent' ? call.idempotent === true || call.method === 'GET' : outcome === 'lost' || outcome.status === 503

/** The service keeps no such reply for a key that was asked before. */
const mayChange = ({ status, later }: Answer<unknown>): boolean => status >= 500 || status === 401 || status === 429 || later

/** Not served at all, by us or by what stands before us; where only the card network is down, the rest is there. */
function whatOf(outcome: Outcome<unknown>): Heard {
  if (typeof outcome !== 'object') return 'nothing'
  return outcome.status > 501 && !String(outcome.taken).includes('"payment.unavailable"') ? 'away' : 'answer'
}

/** The service says that it is still at work on what an earlier try asked for. */
const isRunning = (outcome: Outcome<unknown>): boolean =>
  typeof outcome === 'object' && outcome.status === 409 && String(outcome.taken).includes('"idempotency.running"')

/** One try, to the last letter of its answer; cut off when its time is over, or when nobody wants it any more. */
async function once<Taken>(
  call: AnyCall,
  question: Record<string, unknown>,
  { key, signal, unitToken, patience, take }: Delivery<Taken>,
): Promise<Outcome<Taken>> {
  const cut = new AbortController()
  const given = () => cut.abort()
  signal?.addEventListener('abort', given)
  let late = false
  const timer = setTimeout(() => {
    late = true
    cut.abort()
  }, patience)
  try {
    signal?.throwIfAborted()
    const reply = await send(call, question, headersOf(call, key, unitToken), cut.signal)
    return { status: reply.status, later: reply.headers.has('retry-after'), taken: await take(reply) }
  } catch (error) {
    if (signal?.aborted) throw error
    return late ? 'silent' : 'lost'
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', given)
  }
}

/** What every call carries beside its question. */
export function headersOf(call: AnyCall, key: string, token = unitToken): Record<string, string> {
  const headers: Record<string, string> = { 'accept-language': locale }
  if (token) headers['x-bunit-token'] = token
  if (call.idempotent) headers['idempotency-key'] = key
  return headers
}

/** What the path names in braces is taken from the question. */
function send(call: AnyCall, question: Record<string, unknown>, headers: Record<string, string>, signal: AbortSignal): Promise<Response> {
  const rest = { ...question }
  const path = call.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    delete rest[name]
    return encodeURIComponent(String(question[name]))
  })
  const common = call.bare ? { signal } : { headers, signal }
  if (call.method === 'GET') {
    const query = new URLSearchParams(rest as Record<string, string>).toString()
    return fetch(query ? `${path}?${query}` : path, common)
  }
  headers['content-type'] = 'application/json'
  return fetch(path, { ...common, method: call.method, body: JSON.stringify(rest) })
}
