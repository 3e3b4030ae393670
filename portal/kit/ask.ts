import type { Call, QuestionSent, Reply } from '#common/kit/call.ts'
import type { FailureEnvelope } from '#common/kit/envelope.ts'
import { asking } from './connection.ts'

/** spec 9: API retries. */
const retries = 2

/** What the service said no with; `fields` name what to mend. */
export class Refused extends Error {
  readonly failure: FailureEnvelope

  constructor(failure: FailureEnvelope) {
    super(failure.errorMessage)
    this.name = 'Refused'
    this.failure = failure
  }
}

/** The service could not be reached at all. */
export class Unreachable extends Error {}

let locale = 'en-EN'
let unitToken: string | undefined
let signInAgain: (() => Promise<boolean>) | undefined

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
}

/**
 * Asks the service. Twice more on a lost connection or 503, never on a refusal, and each time with the same key, so that what was done
 * is not done again.
 */
export function ask<C extends Call>(call: C, question: QuestionSent<C>, options: AskOptions = {}): Promise<Reply<C>> {
  const key = options.idempotencyKey ?? crypto.randomUUID()
  return inSession(call, () => attempt(call, question, key, options.signal))
}

/** Where the session has ended meanwhile, it is asked once more when there is one again. */
async function inSession<Result>(call: Call, attempt: () => Promise<Result>): Promise<Result> {
  try {
    return await attempt()
  } catch (error) {
    const ended = error instanceof Refused && error.failure.code === 401 && call.needs !== 'nothing'
    if (!ended || !(await signInAgain?.())) throw error
    return attempt()
  }
}

/** spec 8: an export whose reply is not a file. */
export class NotAFile extends Error {}

/** Asks for a file, as a call may answer with one. Where what came is none, that is an error of its own. */
export const askForFile = <C extends Call>(call: C, question: QuestionSent<C>): Promise<{ name: string; content: Blob }> =>
  inSession(call, async () => {
    const reply = await deliver(call, question, crypto.randomUUID())
    const name = /filename\*=UTF-8''([^;]+)/i.exec(reply?.headers.get('content-disposition') ?? '')?.[1]
    if (!reply) throw new Unreachable()
    if (reply.ok && name) return { name: decodeURIComponent(name), content: await reply.blob() }
    const failure = (await reply.json().catch(() => undefined)) as FailureEnvelope | undefined
    throw failure?.errorMessage ? new Refused(failure) : new NotAFile()
  })

const attempt = async <C extends Call>(call: C, question: QuestionSent<C>, key: string, signal?: AbortSignal): Promise<Reply<C>> =>
  read(await deliver(call, question, key, signal))

async function deliver<C extends Call>(
  call: C,
  question: QuestionSent<C>,
  key: string,
  signal?: AbortSignal,
): Promise<Response | undefined> {
  for (let tries = 0; ; tries++) {
    const heard = asking()
    const reply = await send(call, question as Record<string, unknown>, key, signal).catch(lost(signal))
    const again = (reply === undefined || reply.status === 503) && tries < retries
    if (!again) {
      heard(reply !== undefined)
      return reply
    }
    await new Promise(resolve => setTimeout(resolve, 300 * 3 ** tries))
  }
}

/** The connection is lost, unless it was cut here. */
const lost = (signal: AbortSignal | undefined) => (error: unknown) => {
  if (signal?.aborted) throw error
  return undefined
}

/** What every call carries beside its question. */
export function headersOf(call: Call, key: string): Record<string, string> {
  const headers: Record<string, string> = { 'accept-language': locale }
  if (unitToken) headers['x-bunit-token'] = unitToken
  if (call.idempotent) headers['idempotency-key'] = key
  return headers
}

/** What the path names in braces is taken from the question. */
function send(call: Call, question: Record<string, unknown>, key: string, signal?: AbortSignal): Promise<Response> {
  const headers = headersOf(call, key)
  const rest = { ...question }
  const path = call.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    delete rest[name]
    return encodeURIComponent(String(question[name]))
  })
  const common = { headers, ...(signal ? { signal } : {}) }
  if (call.method === 'GET') {
    const query = new URLSearchParams(rest as Record<string, string>).toString()
    return fetch(query ? `${path}?${query}` : path, common)
  }
  headers['content-type'] = 'application/json'
  return fetch(path, { ...common, method: call.method, body: JSON.stringify(rest) })
}

async function read<C extends Call>(reply: Response | undefined): Promise<Reply<C>> {
  const envelope = (await reply?.json().catch(() => undefined)) as { code: number; data: Reply<C> } | FailureEnvelope | undefined
  if (envelope === undefined) throw new Unreachable()
  if (envelope.code !== 200) throw new Refused(envelope as FailureEnvelope)
  return (envelope as { data: Reply<C> }).data
}
