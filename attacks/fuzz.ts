import { addDays, today } from '#common/kit/dates.ts'
import { diceOf } from '#fault-tests/dice.ts'
import { type Agent, ana, type Json, leo, type Reply, signIn } from '#fault-tests/harness/agent.ts'
import type { Field } from './field.ts'
import { hostileValues } from './hostile.ts'
import { type Dice, sampleOf, type Schema } from './sample.ts'

export type Fuzzed = {
  requests: number
  calls: number
  seed: number
  byStatus: Record<string, number>
  slowestMs: number
  faults: string[]
}

type Operation = { method: string; path: string; parameters: Parameter[]; body: Schema; multipart: boolean; needs: string }
type Parameter = { name: string; in: string; schema: Schema }
type Shot = { operation: Operation; what: string; params: Record<string, Json>; body: Json; headers?: Record<string, string> }

const slowMs = 2_000

/** Every call of the document, every field, one wrong thing at a time; the same seed, the same requests. */
export async function fuzz(field: Field, seed: number, most: number): Promise<Fuzzed> {
  const dice = diceOf(seed)
  // Somebody's session may have been ended by what was played before.
  const fresh = {
    ...field,
    manager: await signIn(field.ask, field.manager.user.email),
    admin: await signIn(field.ask, field.admin.user.email),
  }
  const operations = operationsOf(field.openapi)
  const shots = operations.flatMap(operation => shotsAt(operation, fresh, dice))
  const chosen = shots.length > most ? shuffled(shots, dice).slice(0, most) : shots
  const fuzzed: Fuzzed = { requests: chosen.length, calls: operations.length, seed, byStatus: {}, slowestMs: 0, faults: [] }
  // What is never sent itself: whoever writes a foreign id into a text of his own may be shown it again.
  const foreign = [field.sold.b.purchaseUUID, field.b.user.email, field.b.user.name, field.b.unitToken, field.b.accessToken]
  let at = 0
  const gun = async () => {
    for (let shot = chosen[at++]; shot; shot = chosen[at++]) judge(fuzzed, shot, foreign, await fire(fresh, shot), field.timed)
  }
  await Promise.all([gun(), gun(), gun(), gun()])
  await field.target.sql('delete from sign_in_failures')
  return fuzzed
}

function judge(fuzzed: Fuzzed, { operation, what }: Shot, foreign: string[], reply: Reply | string, timed: boolean): void {
  const fault = (text: string) => fuzzed.faults.length < 40 && fuzzed.faults.push(`${operation.method} ${operation.path}, ${what}: ${text}`)
  if (typeof reply === 'string') return void fault(reply)
  fuzzed.byStatus[reply.status] = (fuzzed.byStatus[reply.status] ?? 0) + 1
  fuzzed.slowestMs = Math.max(fuzzed.slowestMs, Math.round(reply.ms))
  if (reply.status >= 500) fault(`${reply.status} ${reply.text.slice(0, 120)}`)
  if (timed && reply.ms > slowMs) fault(`answered after ${Math.round(reply.ms)} ms`)
  if (reply.status === 200 && foreign.some(text => reply.text.includes(text))) fault('tells of another agency')
  if (
    reply.status === 200 &&
    /uuid foreign/i.test(what) &&
    operation.method !== 'GET' &&
    !harmless.test(operation.path) &&
    !/"deleted":false/.test(reply.text)
  )
    fault('another agency’s id was taken')
}

/** Calls that may name a foreign id and answer with one’s own, or with nothing, all the same. */
const harmless = /users\/me|\/products$|_payload|\/list$/

async function fire(field: Field, { operation, params, body, headers = {} }: Shot): Promise<Reply | string> {
  const agent = await gunnerOf(field, operation)
  let path = operation.path
  const query = new URLSearchParams()
  for (const { name, in: place } of operation.parameters) {
    const text = textual(params[name]).toWellFormed()
    if (place === 'path') path = path.replace(`{${name}}`, encodeURIComponent(text) || '%20')
    if (place === 'query') query.set(name, text)
  }
  const address = `${path}${query.size > 0 ? `?${query.toString()}` : ''}`
  const asking = { method: operation.method, headers, patienceMs: 20_000 }
  try {
    if (operation.method === 'GET') return await agent.ask(address, asking)
    if (operation.multipart) return await agent.ask(address, { ...asking, ...multipartOf(body) })
    return await agent.ask(address, { ...asking, payload: JSON.stringify(body ?? {}) })
  } catch (error) {
    return `no answer: ${String(error).slice(0, 100)}`
  }
}

/** The administrator belongs to both agencies: he asks only what nobody else may. Whoever signs out does so for himself. */
async function gunnerOf({ ask, manager, admin }: Field, { method, path, needs }: Operation): Promise<Agent> {
  if (method === 'DELETE' && path === '/api/auth/session') return signIn(ask, 'viewer@azahar.example')
  return needs === 'b2b-admin' ? admin : manager
}

const textual = (value: Json): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))

function multipartOf(body: Json): { payload: Uint8Array<ArrayBuffer>; headers: Record<string, string> } {
  const boundary = 'x-portolan-fuzz-x'
  const parts = Object.entries((body ?? {}) as Record<string, Json>).map(([name, value]) => {
    const file = name === 'files' ? '; filename="a.pdf"\r\nContent-Type: application/pdf' : ''
    return `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n${textual(value)}\r\n`
  })
  return {
    payload: new Uint8Array(Buffer.from(`${parts.join('')}--${boundary}--\r\n`)),
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
  }
}

function operationsOf(openapi: Json): Operation[] {
  return Object.entries(openapi.paths as Record<string, Record<string, Json>>).flatMap(([path, methods]) =>
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

/** One sound request, and each place in it with each hostile value. */
function shotsAt(operation: Operation, field: Field, dice: Dice): Shot[] {
  const known = knownOf(field)
  const sound = () => (operation.body ? sampleOf(operation.body, '', known, dice) : undefined)
  const params = Object.fromEntries(
    operation.parameters.filter(each => each.in !== 'header').map(({ name, schema }) => [name, sampleOf(schema, name, known, dice)]),
  )
  const values = hostileValues(field)
  const shots: Shot[] = [{ operation, what: 'as documented', params, body: sound() }]
  for (const name of Object.keys(params))
    for (const { what, value } of values)
      shots.push({ operation, what: `${name} ${what}`, params: { ...params, [name]: value }, body: sound() })
  if (!operation.body) return shots
  for (const place of placesIn(sound()))
    for (const { what, value } of values)
      shots.push({ operation, what: `${place.join('.') || 'the whole'} ${what}`, params, body: replaced(sound(), place, value) })
  shots.push({ operation, what: 'an unknown field', params, body: { ...sound(), invented: 1 } })
  if (operation.parameters.some(({ name }) => name === 'Idempotency-Key'))
    for (const key of ['', 'x'.repeat(256), 'ключ'.slice(0, 0), '%00', '\t'])
      shots.push({ operation, what: `key ${JSON.stringify(key).slice(0, 9)}`, params, body: sound(), headers: { 'idempotency-key': key } })
  return shots
}

function placesIn(value: Json, path: (string | number)[] = []): (string | number)[][] {
  if (typeof value !== 'object' || value === null || path.length > 4) return [path]
  const inner = Array.isArray(value) ? value.slice(0, 1).map((_, index) => index) : Object.keys(value)
  return [path, ...inner.flatMap(key => placesIn(value[key], [...path, key]))]
}

function replaced(body: Json, [key, ...rest]: (string | number)[], value: unknown): Json {
  if (key === undefined) return value
  const copy = Array.isArray(body) ? [...body] : { ...body }
  copy[key] = replaced(body?.[key], rest, value)
  return copy
}

/** What a caller would know: own ids, a trip that can be insured, people who can travel. */
function knownOf({ admin, sold, budget }: Field): Record<string, Json> {
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

function shuffled<T>(items: T[], dice: Dice): T[] {
  return items
    .map(item => ({ item, place: dice() }))
    .sort((x, y) => x.place - y.place)
    .map(({ item }) => item)
}
