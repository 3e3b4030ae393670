import { addDays, today } from '#common/kit/dates.ts'
import { openRandom, type Random } from '#common/kit/random.ts'
import { type Agent, ana, type Json, leo, type Reply, signIn } from '#testing/agent.ts'
import type { Scenario } from './scenario.ts'
import { hostileValues } from './hostile.ts'
import { sampleOf, type Schema } from './sample.ts'

export type FuzzResult = {
  requests: number
  calls: number
  seed: number
  byStatus: Record<string, number>
  slowestMs: number
  problems: string[]
}

type Operation = { method: string; path: string; parameters: Parameter[]; body: Schema; multipart: boolean; needs: string }
type Parameter = { name: string; in: string; schema: Schema }
type Probe = { operation: Operation; what: string; params: Record<string, Json>; body: Json; headers?: Record<string, string> }

const slowMs = 2_000

/** Sends each call of the OpenAPI document with each field set to each hostile value. Equal seeds give equal requests. */
export async function fuzz(scenario: Scenario, seed: number, max: number): Promise<FuzzResult> {
  const random = openRandom(seed)
  // Earlier cases may have ended a session.
  const withFreshSessions = {
    ...scenario,
    manager: await signIn(scenario.ask, scenario.manager.user.email),
    admin: await signIn(scenario.ask, scenario.admin.user.email),
  }
  const operations = operationsOf(scenario.openapi)
  const probes = operations.flatMap(operation => probesOf(operation, withFreshSessions, random))
  const chosen = probes.length > max ? random.shuffled(probes).slice(0, max) : probes
  const result: FuzzResult = { requests: chosen.length, calls: operations.length, seed, byStatus: {}, slowestMs: 0, problems: [] }
  // Only values that the fuzzer never sends itself, because a text field may echo its input.
  const foreign = [scenario.sold.b.purchaseUUID, scenario.b.user.email, scenario.b.user.name, scenario.b.unitToken, scenario.b.accessToken]
  let at = 0
  const worker = async () => {
    for (let probe = chosen[at++]; probe; probe = chosen[at++])
      checkResponse(result, probe, foreign, await sendProbe(withFreshSessions, probe), scenario.timed)
  }
  await Promise.all([worker(), worker(), worker(), worker()])
  await scenario.target.sql('delete from sign_in_failures')
  return result
}

function checkResponse(result: FuzzResult, { operation, what }: Probe, foreign: string[], reply: Reply | string, timed: boolean): void {
  const report = (text: string) =>
    result.problems.length < 40 && result.problems.push(`${operation.method} ${operation.path}, ${what}: ${text}`)
  if (typeof reply === 'string') return void report(reply)
  result.byStatus[reply.status] = (result.byStatus[reply.status] ?? 0) + 1
  result.slowestMs = Math.max(result.slowestMs, Math.round(reply.ms))
  if (reply.status >= 500) report(`${reply.status} ${reply.text.slice(0, 120)}`)
  if (timed && reply.ms > slowMs) report(`responded after ${Math.round(reply.ms)} ms`)
  if (reply.status === 200 && foreign.some(text => reply.text.includes(text))) report('contains data of another agency')
  if (
    reply.status === 200 &&
    /uuid foreign/i.test(what) &&
    operation.method !== 'GET' &&
    !idIgnored.test(operation.path) &&
    !/"deleted":false/.test(reply.text)
  )
    report('accepted another agency’s id')
}

/** Calls that may respond with 200 to a foreign id, with own data or none. */
const idIgnored = /users\/me|\/products$|_payload|\/list$/

async function sendProbe(scenario: Scenario, { operation, params, body, headers = {} }: Probe): Promise<Reply | string> {
  const agent = await agentFor(scenario, operation)
  let path = operation.path
  const query = new URLSearchParams()
  for (const { name, in: location } of operation.parameters) {
    const text = textOf(params[name]).toWellFormed()
    if (location === 'path') path = path.replace(`{${name}}`, encodeURIComponent(text) || '%20')
    if (location === 'query') query.set(name, text)
  }
  const address = `${path}${query.size > 0 ? `?${query.toString()}` : ''}`
  const options = { method: operation.method, headers, timeoutMs: 20_000 }
  try {
    if (operation.method === 'GET') return await agent.ask(address, options)
    if (operation.multipart) return await agent.ask(address, { ...options, ...multipartOf(body) })
    return await agent.ask(address, { ...options, payload: JSON.stringify(body ?? {}) })
  } catch (error) {
    return `no response: ${String(error).slice(0, 100)}`
  }
}

/**
 * Returns the user who sends a call. The administrator belongs to both agencies and sends only administration calls.
 * Signing out uses a session of its own.
 */
async function agentFor({ ask, manager, admin }: Scenario, { method, path, needs }: Operation): Promise<Agent> {
  if (method === 'DELETE' && path === '/api/auth/session') return signIn(ask, 'viewer@azahar.example')
  return needs === 'b2b-admin' ? admin : manager
}

const textOf = (value: Json): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))

function multipartOf(body: Json): { payload: Uint8Array<ArrayBuffer>; headers: Record<string, string> } {
  const boundary = 'x-portolan-fuzz-x'
  const parts = Object.entries<Json>(body ?? {}).map(([name, value]) => {
    const file = name === 'files' ? '; filename="a.pdf"\r\nContent-Type: application/pdf' : ''
    return `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n${textOf(value)}\r\n`
  })
  return {
    payload: new Uint8Array(Buffer.from(`${parts.join('')}--${boundary}--\r\n`)),
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
  }
}

function operationsOf(openapi: Json): Operation[] {
  return Object.entries<Record<string, Json>>(openapi.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): Operation => {
      const content = operation.requestBody?.content ?? {}
      const body = content['application/json']?.schema ?? content['multipart/form-data']?.schema
      return {
        method: method.toUpperCase(),
        path,
        parameters: operation.parameters ?? [],
        body,
        multipart: Boolean(content['multipart/form-data']),
        needs: operation['x-needs'] ?? '',
      }
    }),
  )
}

/** Returns a valid request, and that request with each hostile value at each path. */
function probesOf(operation: Operation, scenario: Scenario, random: Random): Probe[] {
  const known = knownValues(scenario)
  const validBody = () => (operation.body ? sampleOf(operation.body, '', known, random) : undefined)
  const params = Object.fromEntries(
    operation.parameters.filter(each => each.in !== 'header').map(({ name, schema }) => [name, sampleOf(schema, name, known, random)]),
  )
  const values = hostileValues(scenario)
  const probes: Probe[] = [{ operation, what: 'as documented', params, body: validBody() }]
  for (const name of Object.keys(params))
    for (const { what, value } of values)
      probes.push({ operation, what: `${name} ${what}`, params: { ...params, [name]: value }, body: validBody() })
  if (!operation.body) return probes
  for (const path of pathsIn(validBody()))
    for (const { what, value } of values)
      probes.push({ operation, what: `${path.join('.') || 'the body'} ${what}`, params, body: replaced(validBody(), path, value) })
  probes.push({ operation, what: 'an unknown field', params, body: { ...validBody(), invented: 1 } })
  if (operation.parameters.some(({ name }) => name === 'Idempotency-Key'))
    for (const key of ['', 'x'.repeat(256), 'ключ'.slice(0, 0), '%00', '\t'])
      probes.push({
        operation,
        what: `key ${JSON.stringify(key).slice(0, 9)}`,
        params,
        body: validBody(),
        headers: { 'idempotency-key': key },
      })
  return probes
}

function pathsIn(value: Json, path: (string | number)[] = []): (string | number)[][] {
  if (typeof value !== 'object' || value === null || path.length > 4) return [path]
  const inner = Array.isArray(value) ? value.slice(0, 1).map((_, index) => index) : Object.keys(value)
  return [path, ...inner.flatMap(key => pathsIn(value[key], [...path, key]))]
}

function replaced(body: Json, [key, ...rest]: (string | number)[], value: unknown): Json {
  if (key === undefined) return value
  const copy = Array.isArray(body) ? [...body] : { ...body }
  copy[key] = replaced(body?.[key], rest, value)
  return copy
}

/** Returns values that a caller knows: own ids, an insurable trip, valid travellers. */
function knownValues({ admin, sold, budget }: Scenario): Record<string, Json> {
  const start = addDays(today(new Date(), 'Europe/Madrid'), 11)
  const productUUID = admin.products.find(({ code }) => code === 'ESS').uuid
  return {
    productUUID,
    productUuid: productUUID,
    businessUnitUuid: admin.unitId,
    paymentGatewayUUID: admin.gateway('Deferred'),
    policyUuid: budget.a.policyUuid,
    purchaseUUID: sold.a.purchaseUUID,
    startDate: start,
    endDate: addDays(start, 7),
    countryOriginId: 724,
    countriesDestinationId: '380',
    paxNumber: 2,
    birthDates: ['1990-05-05', '1988-01-01'],
    users: [ana, leo],
    roleFirstUser: 1,
    insuranceType: 1,
    saveBudget: true,
    email: 'fuzz@e.example',
    emails: ['fuzz@e.example'],
    password: 'a password of the fuzzer',
    page: 1,
    perPage: 10,
    export: false,
    searchData: '',
    country: 380,
    state: 1,
  }
}
