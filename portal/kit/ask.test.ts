import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { deletePolicy, listPolicies, registerPolicy } from '#common/policies/calls.ts'
import { ask, askFor, askIn, Refused, Unreachable, whenSessionEnds } from './ask.ts'
import { askForFile, NotAFile } from './save-file.ts'

type Sent = { url: string; headers: Record<string, string> }

let answers: ((signal: AbortSignal) => Response | Promise<Response>)[] = []
let sent: Sent[] = []

beforeEach(() => {
  vi.useFakeTimers()
  sent = []
  vi.stubGlobal('fetch', async (url: string, { headers, signal }: { headers: Record<string, string>; signal: AbortSignal }) => {
    sent.push({ url, headers })
    const answer = answers.shift()
    if (!answer) throw new TypeError('the line is dead')
    return answer(signal)
  })
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

const json = (status: number, body: unknown) => () => Response.json(body, { status })
const done = json(200, { code: 200, data: { deleted: true } })
const forbidden = { code: 403, error: 'session.forbidden', errorMessage: 'Insufficient Permissions', requestId: '1' }

/** Asks, and lets the time between the tries pass. */
async function asked<T>(question: Promise<T>, ms = 5_000): Promise<T | Error> {
  const outcome = question.catch((error: Error) => error)
  await vi.advanceTimersByTimeAsync(ms)
  return outcome
}

test('what got no answer is asked twice more, with the same key', { tags: ['S7.2', 'S9.10'] }, async () => {
  answers = []
  expect(await asked(ask(registerPolicy, {} as never))).toBeInstanceOf(Unreachable)
  expect(sent).toHaveLength(3)
  expect(new Set(sent.map(({ headers }) => headers['idempotency-key'])).size).toBe(1)
  sent = []
  answers = [json(503, { code: 503 }), json(503, { code: 503 }), done]
  expect(await asked(ask(registerPolicy, {} as never))).toEqual({ deleted: true })
  expect(sent).toHaveLength(3)
})

/** Nothing comes until the line is cut here. */
const silence = (signal: AbortSignal): Promise<Response> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)))
/** It begins to answer, and never ends. */
const halfAnAnswer = (signal: AbortSignal): Response => {
  const cut = { start: (body: ReadableStreamDefaultController) => signal.addEventListener('abort', () => body.error(signal.reason)) }
  return new Response(new ReadableStream(cut), { status: 200 })
}

test.each([
  ['no answer', silence],
  ['half an answer', halfAnAnswer],
])('what gives %s ends, and is asked again with the same key', async (_what, answer) => {
  answers = [answer, answer, answer]
  expect(await asked(ask(registerPolicy, {} as never), 70_000)).toBeInstanceOf(Unreachable)
  expect(sent).toHaveLength(3)
  expect(new Set(sent.map(({ headers }) => headers['idempotency-key'])).size).toBe(1)
})

test('what gives no answer, and might be done twice, is not asked again', async () => {
  answers = [silence, done]
  expect(await asked(ask(deletePolicy, {} as never), 25_000)).toBeInstanceOf(Unreachable)
  expect(sent).toHaveLength(1)
})

test('what an earlier try is still at work on is waited for', async () => {
  const running = json(409, { code: 409, error: 'idempotency.running', errorMessage: 'wait', requestId: '1' })
  answers = [silence, running, running, running, running, done]
  expect(await asked(ask(registerPolicy, {} as never), 40_000)).toEqual({ deleted: true })
  // Of a page that was reloaded meanwhile, the first try already is the second.
  answers = [running, running, done]
  expect(await asked(ask(registerPolicy, {} as never))).toEqual({ deleted: true })
})

const refusal = (status: number) => ({ code: status, error: 'any', errorMessage: 'no', requestId: '1' })
test.each([
  ['an outage', () => Response.json(refusal(503), { status: 503 }), true],
  ['a defect', () => Response.json(refusal(500), { status: 500 }), true],
  ['a session that ended', () => Response.json(refusal(401), { status: 401 }), true],
  ['a limit', () => Response.json(refusal(429), { status: 429 }), true],
  ['come again later', () => Response.json(refusal(409), { status: 409, headers: { 'retry-after': '2' } }), true],
  ['a conflict', () => Response.json(refusal(409), { status: 409 }), false],
  ['what is wrong', () => Response.json(refusal(422), { status: 422 }), false],
])('%s is told from a last word', async (_what, answer, mayChange) => {
  answers = [answer, answer, answer]
  expect(await asked(ask(registerPolicy, {} as never))).toMatchObject({ mayChange })
})

test('what nobody wants any more is not asked again', async () => {
  const unwanted = new AbortController()
  answers = [silence]
  const outcome = ask(registerPolicy, {} as never, { signal: unwanted.signal }).catch((error: Error) => error)
  unwanted.abort()
  expect(((await outcome) as Error).name).toBe('AbortError')
  expect(sent).toHaveLength(1)
})

test('a file may take its time', async () => {
  const disposition = "attachment; filename*=UTF-8''late.xlsx"
  answers = [
    () =>
      new Promise(resolve => setTimeout(() => resolve(new Response('PK', { headers: { 'content-disposition': disposition } })), 120_000)),
  ]
  expect(await asked(askForFile(listPolicies, {}), 130_000)).toMatchObject({ name: 'late.xlsx' })
})

test('a call succeeds only if its code is 200', { tags: ['S7.3', 'S8.9'] }, async () => {
  answers = [json(403, forbidden)]
  const refused = await asked(ask(listPolicies, {}))
  expect(refused).toBeInstanceOf(Refused)
  expect((refused as Refused).failure).toEqual(forbidden)
  expect(sent).toHaveLength(1)
  answers = [json(200, { code: 422, errorMessage: 'no' })]
  expect(await asked(ask(listPolicies, {}))).toBeInstanceOf(Refused)
})

test('a call carries the unit’s token, its language and, where it must be done once, its key', { tags: 'S7.1' }, async () => {
  askFor('token-of-the-unit')
  askIn('it-IT')
  answers = [done, done]
  await asked(ask(registerPolicy, {} as never, { idempotencyKey: 'kept' }))
  await asked(ask(listPolicies, {}))
  expect(sent[0]).toMatchObject({
    url: '/api/policy/register',
    headers: {
      'x-bunit-token': 'token-of-the-unit',
      'accept-language': 'it-IT',
      'idempotency-key': 'kept',
      'content-type': 'application/json',
    },
  })
  expect(sent[1]?.headers).not.toHaveProperty('idempotency-key')
})

test('an export that is no file is an error of its own', { tags: 'S8.3' }, async () => {
  answers = [() => new Response('<html>', { headers: { 'content-type': 'text/html' } }), json(403, forbidden)]
  expect(await asked(askForFile(listPolicies, {}))).toBeInstanceOf(NotAFile)
  expect(await asked(askForFile(listPolicies, {}))).toBeInstanceOf(Refused)
  const disposition = 'attachment; filename="Polizas.xlsx"; filename*=UTF-8\'\'P%C3%B3lizas.xlsx'
  answers = [() => new Response('PK', { headers: { 'content-disposition': disposition } })]
  expect(await asked(askForFile(listPolicies, {}))).toMatchObject({ name: 'Pólizas.xlsx' })
})

test('a refusal of the session before, which comes late, asks nobody to sign in again', async () => {
  let prompts = 0
  whenSessionEnds(() => {
    prompts += 1
    return Promise.resolve(true)
  })
  const ended = json(401, { ...forbidden, code: 401, error: 'session.missing' })
  const late = Promise.withResolvers<undefined>()
  answers = [ended, () => late.promise.then(ended), done, done]
  const second = Promise.all([asked(ask(deletePolicy, { policyUuid: 'a' })), ask(deletePolicy, { policyUuid: 'b' })])
  await vi.advanceTimersByTimeAsync(5_000)
  expect([prompts, sent.length]).toEqual([1, 3])
  late.resolve(undefined)
  expect(await second).toEqual([{ deleted: true }, { deleted: true }])
  expect([prompts, sent.length]).toEqual([1, 4])
  whenSessionEnds(undefined)
})
