import type { Call, QuestionSent, Reply } from '#common/kit/call.ts'
import type { FailureEnvelope } from '#common/kit/envelope.ts'

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

/** Told by the words and the session; sent with every call. */
export const askIn = (spoken: string): void => {
  locale = spoken
}
export const askFor = (token: string | undefined): void => {
  unitToken = token
}

/**
 * Asks the service. Twice more on a lost connection or 503, never on a refusal, and each time with the same key, so that what was done
 * is not done again.
 */
export async function ask<C extends Call>(call: C, question: QuestionSent<C>): Promise<Reply<C>> {
  const key = crypto.randomUUID()
  for (let attempt = 0; ; attempt++) {
    const reply = await send(call, question, key).catch(() => undefined)
    const again = (reply === undefined || reply.status === 503) && attempt < retries
    if (!again) return read(reply)
    await new Promise(resolve => setTimeout(resolve, 300 * 3 ** attempt))
  }
}

function send<C extends Call>(call: C, question: QuestionSent<C>, key: string): Promise<Response> {
  const headers: Record<string, string> = { 'accept-language': locale }
  if (unitToken) headers['x-bunit-token'] = unitToken
  if (call.idempotent) headers['idempotency-key'] = key
  if (call.method === 'GET') {
    const query = new URLSearchParams(question as Record<string, string>).toString()
    return fetch(query ? `${call.path}?${query}` : call.path, { headers })
  }
  headers['content-type'] = 'application/json'
  return fetch(call.path, { method: call.method, headers, body: JSON.stringify(question) })
}

async function read<C extends Call>(reply: Response | undefined): Promise<Reply<C>> {
  const envelope = (await reply?.json().catch(() => undefined)) as { code: number; data: Reply<C> } | FailureEnvelope | undefined
  if (envelope === undefined) throw new Unreachable()
  if (envelope.code !== 200) throw new Refused(envelope as FailureEnvelope)
  return (envelope as { data: Reply<C> }).data
}
