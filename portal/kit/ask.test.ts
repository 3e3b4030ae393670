import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { deletePolicy, listPolicies, registerPolicy } from '#common/policies/calls.ts'
import { login } from '#common/session/calls.ts'
import { ask, NotAFile, Refused, sendLocale, sendUnitToken, Unreachable, whenSessionEnds } from './ask.ts'
import { useConnection } from './connection.ts'
import { askForFile } from './file/save-file.ts'

type Sent = { url: string; headers: Record<string, string> }

let responses: ((signal: AbortSignal) => Response | Promise<Response>)[] = []
let sent: Sent[] = []

beforeEach(() => {
  vi.useFakeTimers()
  sent = []
  vi.stubGlobal('fetch', async (url: string, { headers, signal }: { headers: Record<string, string>; signal: AbortSignal }) => {
    sent.push({ url, headers })
    const respond = responses.shift()
    if (!respond) throw new TypeError('the connection is lost')
    return respond(signal)
  })
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

// Safe: the fake fetch does not read the request.
const anyRequest = {} as never
const json = (status: number, body: unknown) => () => Response.json(body, { status })
const done = json(200, { code: 200, data: { deleted: true } })
const forbidden = { code: 403, error: 'session.forbidden', errorMessage: 'Insufficient Permissions', requestId: '1' }

/** Returns the outcome of a call, after the time between its attempts has passed. */
async function outcomeOf<T>(call: Promise<T>, ms = 5_000): Promise<T | Error> {
  const outcome = call.catch((error: Error) => error)
  await vi.advanceTimersByTimeAsync(ms)
  return outcome
}

test('a request without a response is sent twice more, with the same key', { tags: ['S7.2', 'S9.10'] }, async () => {
  responses = []
  expect(await outcomeOf(ask(registerPolicy, anyRequest))).toBeInstanceOf(Unreachable)
  expect(sent).toHaveLength(3)
  expect(new Set(sent.map(({ headers }) => headers['idempotency-key'])).size).toBe(1)
  sent = []
  responses = [json(503, { code: 503 }), json(503, { code: 503 }), done]
  expect(await outcomeOf(ask(registerPolicy, anyRequest))).toEqual({ deleted: true })
  expect(sent).toHaveLength(3)
})

/** Sends nothing until the request is aborted. */
const silence = (signal: AbortSignal): Promise<Response> =>
  // Safe: an aborted signal's reason is an error.
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)))
/** Begins a response that never ends. */
const halfAResponse = (signal: AbortSignal): Response => {
  const source = { start: (body: ReadableStreamDefaultController) => signal.addEventListener('abort', () => body.error(signal.reason)) }
  return new Response(new ReadableStream(source), { status: 200 })
}

test.each([
  ['no response', silence],
  ['half a response', halfAResponse],
])('a request with %s times out and is sent again with the same key', async (_case, respond) => {
  responses = [respond, respond, respond]
  expect(await outcomeOf(ask(registerPolicy, anyRequest), 70_000)).toBeInstanceOf(Unreachable)
  expect(sent).toHaveLength(3)
  expect(new Set(sent.map(({ headers }) => headers['idempotency-key'])).size).toBe(1)
})

test('a request is slow after eight seconds, through its retries until it ends', async () => {
  const slow = () => useConnection.getState().slow
  responses = [silence, silence, done]
  const outcome = ask(registerPolicy, anyRequest)
  await vi.advanceTimersByTimeAsync(7_999)
  expect(slow()).toBe(0)
  await vi.advanceTimersByTimeAsync(1)
  expect(slow()).toBe(1)
  await vi.advanceTimersByTimeAsync(30_000)
  expect([slow(), sent.length]).toEqual([1, 2])
  await vi.advanceTimersByTimeAsync(10_000)
  expect(await outcome).toEqual({ deleted: true })
  expect(slow()).toBe(0)
})

test('a slow request that is no longer needed is not counted', async () => {
  const outdated = new AbortController()
  responses = [silence, silence]
  const outcomes = [ask(registerPolicy, anyRequest, { signal: outdated.signal }), ask(deletePolicy, anyRequest)].map(each =>
    each.catch((error: Error) => error),
  )
  await vi.advanceTimersByTimeAsync(8_000)
  expect(useConnection.getState().slow).toBe(2)
  outdated.abort()
  await outcomes[0]
  expect(useConnection.getState().slow).toBe(1)
  await vi.advanceTimersByTimeAsync(12_000)
  await outcomes[1]
  expect(useConnection.getState().slow).toBe(0)
})

test('a request that would take effect twice is not sent again after a timeout', async () => {
  responses = [silence, done]
  expect(await outcomeOf(ask(deletePolicy, anyRequest), 25_000)).toBeInstanceOf(Unreachable)
  expect(sent).toHaveLength(1)
})

test('a call waits for an earlier attempt that is still running', async () => {
  const running = json(409, { code: 409, error: 'idempotency.running', errorMessage: 'wait', requestId: '1' })
  responses = [silence, running, running, running, running, done]
  expect(await outcomeOf(ask(registerPolicy, anyRequest), 40_000)).toEqual({ deleted: true })
  // After a reload, the page's first attempt is the second for the service.
  responses = [running, running, done]
  expect(await outcomeOf(ask(registerPolicy, anyRequest))).toEqual({ deleted: true })
})

const refusal = (status: number) => ({ code: status, error: 'any', errorMessage: 'no', requestId: '1' })
test.each([
  ['an outage', () => Response.json(refusal(503), { status: 503 }), true],
  ['a bug', () => Response.json(refusal(500), { status: 500 }), true],
  ['a session that ended', () => Response.json(refusal(401), { status: 401 }), true],
  ['a limit', () => Response.json(refusal(429), { status: 429 }), true],
  ['a conflict that names a time to try again', () => Response.json(refusal(409), { status: 409, headers: { 'retry-after': '2' } }), true],
  ['a conflict', () => Response.json(refusal(409), { status: 409 }), false],
  ['a wrong field', () => Response.json(refusal(422), { status: 422 }), false],
])('%s leads to a refusal that says whether a retry may help', async (_case, respond, mayChange) => {
  responses = [respond, respond, respond]
  expect(await outcomeOf(ask(registerPolicy, anyRequest))).toMatchObject({ mayChange })
})

test('an aborted request is not sent again', async () => {
  const outdated = new AbortController()
  responses = [silence]
  const outcome = ask(registerPolicy, anyRequest, { signal: outdated.signal }).catch((error: Error) => error)
  outdated.abort()
  expect(await outcome).toMatchObject({ name: 'AbortError' })
  expect(sent).toHaveLength(1)
})

test('a file may take two minutes to arrive', async () => {
  const disposition = "attachment; filename*=UTF-8''late.xlsx"
  responses = [
    () =>
      new Promise(resolve => setTimeout(() => resolve(new Response('PK', { headers: { 'content-disposition': disposition } })), 120_000)),
  ]
  const file = askForFile(listPolicies, {})
  await vi.advanceTimersByTimeAsync(60_000)
  expect(useConnection.getState().slow).toBe(0)
  await vi.advanceTimersByTimeAsync(70_000)
  expect(await file).toMatchObject({ name: 'late.xlsx' })
})

test('a call succeeds only if its code is 200', { tags: ['S7.3', 'S8.9'] }, async () => {
  responses = [json(403, forbidden)]
  const refused = await outcomeOf(ask(listPolicies, {}))
  expect(refused).toBeInstanceOf(Refused)
  expect(refused).toHaveProperty('failure', forbidden)
  expect(sent).toHaveLength(1)
  for (const code of [422, 201, '200', undefined]) {
    responses = [json(200, { code, data: {}, errorMessage: 'no' })]
    expect(await outcomeOf(ask(listPolicies, {})), String(code)).toBeInstanceOf(Refused)
  }
  responses = [json(500, { code: 200, data: { deleted: true } })]
  expect(await outcomeOf(ask(deletePolicy, anyRequest))).toEqual({ deleted: true })
})

test('a call carries the unit’s token and language, and a key if it is idempotent', { tags: 'S7.1' }, async () => {
  sendUnitToken('token-of-the-unit')
  sendLocale('it-IT')
  responses = [done, done]
  await outcomeOf(ask(registerPolicy, anyRequest, { idempotencyKey: 'kept' }))
  await outcomeOf(ask(listPolicies, {}))
  expect(sent[0]).toMatchObject({
    url: '/api/policy/register',
    headers: {
      'x-bunit-token': 'token-of-the-unit',
      'accept-language': 'it-IT',
      'idempotency-key': 'kept',
      'content-type': 'application/json',
    },
  })
  expect(sent[1]?.headers).toMatchObject({ 'x-bunit-token': 'token-of-the-unit', 'content-type': 'application/json' })
  expect(sent[1]?.headers).not.toHaveProperty('idempotency-key')
})

test('a call for another unit carries that unit’s token', async () => {
  sendUnitToken('token-of-the-unit')
  responses = [done]
  await outcomeOf(ask(listPolicies, {}, { unitToken: 'token-of-another' }))
  expect(sent[0]?.headers).toMatchObject({ 'x-bunit-token': 'token-of-another' })
})

test('a bug of the service is not shown as maintenance', async () => {
  responses = [json(500, refusal(500))]
  expect(await outcomeOf(ask(listPolicies, {}))).toBeInstanceOf(Refused)
  expect(useConnection.getState()).toEqual({ online: true, maintenance: false, slow: 0 })
})

test('an export whose response is not a file fails with an error of its own', { tags: ['S7.11', 'S8.3'] }, async () => {
  responses = [() => new Response('<html>', { headers: { 'content-type': 'text/html' } }), json(403, forbidden)]
  expect(await outcomeOf(askForFile(listPolicies, {}))).toBeInstanceOf(NotAFile)
  expect(await outcomeOf(askForFile(listPolicies, {}))).toBeInstanceOf(Refused)
  const disposition = 'attachment; filename="Polizas.xlsx"; filename*=UTF-8\'\'P%C3%B3lizas.xlsx'
  responses = [() => new Response('PK', { headers: { 'content-disposition': disposition } })]
  expect(await outcomeOf(askForFile(listPolicies, {}))).toMatchObject({ name: 'Pólizas.xlsx' })
})

test.each([
  ['whose user does not sign in again', listPolicies, {}, 1],
  ['that signs out', listPolicies, { leaving: true } as const, 0],
  ['that needs no session', login, {}, 0],
])('a call %s is refused with 401, and not sent again', async (_case, call, options, expected) => {
  let prompts = 0
  whenSessionEnds(() => {
    prompts += 1
    return Promise.resolve(false)
  })
  responses = [json(401, { ...forbidden, code: 401, error: 'session.missing' }), done]
  expect(await outcomeOf(ask(call, anyRequest, options))).toBeInstanceOf(Refused)
  expect([prompts, sent.length]).toEqual([expected, 1])
  whenSessionEnds(undefined)
})

test('a late refusal from an earlier session does not ask the user to sign in again', async () => {
  let prompts = 0
  whenSessionEnds(() => {
    prompts += 1
    return Promise.resolve(true)
  })
  const ended = json(401, { ...forbidden, code: 401, error: 'session.missing' })
  const late = Promise.withResolvers<undefined>()
  responses = [ended, () => late.promise.then(ended), done, done]
  const second = Promise.all([outcomeOf(ask(deletePolicy, { policyUuid: 'a' })), ask(deletePolicy, { policyUuid: 'b' })])
  await vi.advanceTimersByTimeAsync(5_000)
  expect([prompts, sent.length]).toEqual([1, 3])
  late.resolve(undefined)
  expect(await second).toEqual([{ deleted: true }, { deleted: true }])
  expect([prompts, sent.length]).toEqual([1, 4])
  whenSessionEnds(undefined)
})

test.each([
  ['the card network is down', { code: 503, error: 'payment.unavailable', errorMessage: 'later', requestId: '1' }, false],
  ['a message quotes that code', { code: 503, error: 'service.away', errorMessage: '"payment.unavailable"', requestId: '1' }, true],
])('the portal shows maintenance only for the service itself: %s', async (_case, body, maintenance) => {
  responses = [json(503, body), json(503, body), json(503, body)]
  expect(await outcomeOf(ask(registerPolicy, anyRequest))).toBeInstanceOf(Refused)
  expect(useConnection.getState().maintenance).toBe(maintenance)
})
