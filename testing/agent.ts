import { addDays, today } from '#common/kit/dates.ts'
import { reach } from '#common/policies/testing.ts'

/** An unvalidated response body. */
export type Json = any
export type Reply = { status: number; body: Json; text: string; headers: Headers; ms: number }
export type RequestOptions = {
  method?: string
  body?: unknown
  payload?: string | Uint8Array<ArrayBuffer>
  headers?: Record<string, string>
  timeoutMs?: number
}
export type Ask = (path: string, request?: RequestOptions) => Promise<Reply>

/** Returns a client of the server at `origin`. `onReply` receives every response. */
export const asker =
  (origin: () => string, onReply: (path: string, reply: Reply) => void = () => {}): Ask =>
  async (path, { method, body, payload, headers = {}, timeoutMs = 30_000 } = {}) => {
    const sent = payload ?? (body === undefined ? undefined : JSON.stringify(body))
    const began = performance.now()
    const answer = await fetch(new URL(path, origin()), {
      method: method ?? (sent === undefined ? 'GET' : 'POST'),
      headers: { ...(sent === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(sent === undefined ? {} : { body: sent }),
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    })
    const text = await answer.text()
    const reply = { status: answer.status, text, body: readJson(text), headers: answer.headers, ms: performance.now() - began }
    onReply(path, reply)
    return reply
  }

function readJson(text: string): Json {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A signed-in user at one of their agencies. */
export type Agent = {
  ask: Ask
  user: Json
  accessToken: string
  unitToken: string
  unitId: string
  headers: Record<string, string>
  cookie: string
  products: Json[]
  gateway(name: 'Deferred' | 'StripeV2'): string
}

export const demoPassword = 'portolan-demo'

export const cookiesOf = (reply: Reply): Record<string, string> =>
  // Safe: each cookie has a name and a value.
  Object.fromEntries(reply.headers.getSetCookie().map(cookie => /^([^=]+)=([^;]*)/.exec(cookie)?.slice(1, 3) as [string, string]))

/** Returns the cookies of a response as a Cookie header, without deleted ones. */
const sentBack = (reply: Reply): string =>
  Object.entries(cookiesOf(reply))
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name}=${value}`)
    .join('; ')

/** Starts a sign-in and returns the callback's token and the flow cookie. */
export async function begin(ask: Ask, email: string, password = demoPassword): Promise<{ reply: Reply; token: string; flow: string }> {
  const reply = await ask('/api/auth/login', { body: { email, password } })
  const token = new URLSearchParams(String(reply.body?.data?.callback).split('?')[1]).get('token') ?? ''
  return { reply, token, flow: cookiesOf(reply)['flow'] ?? '' }
}

export async function openSession(ask: Ask, email: string, password = demoPassword): Promise<Reply> {
  const { reply, token } = await begin(ask, email, password)
  const opened = await ask('/api/auth/session', { body: { token }, headers: { cookie: sentBack(reply) } })
  if (opened.status !== 200) throw new Error(`${email} could not sign in: ${opened.text}`)
  return opened
}

export async function signIn(ask: Ask, email: string, password = demoPassword): Promise<Agent> {
  const opened = await openSession(ask, email, password)
  const { accessToken, user } = opened.body.data
  const [unit] = user.businessUnits
  const headers = { authorization: `Bearer ${accessToken}`, 'x-bunit-token': unit.token }
  const askAsUser: Ask = (path, request = {}) => ask(path, { ...request, headers: { ...headers, ...request.headers } })
  const products = (await askAsUser('/api/products', { body: {} })).body?.data ?? []
  return {
    ask: askAsUser,
    user,
    accessToken,
    unitToken: unit.token,
    unitId: unit.uuid,
    headers,
    cookie: sentBack(opened),
    products,
    gateway: name => products[0]?.paymentGateways.find((each: Json) => each.name === name)?.uuid,
  }
}

export const ana = {
  name: 'Ana',
  middleName: 'García',
  lastName: 'López',
  birthDate: '1990-05-05',
  docNumber: '12345678Z',
  identificationTypeId: 3,
  ...reach,
}
export const leo = { name: 'Leo', middleName: 'García', lastName: 'Gil', birthDate: '1988-01-01', docNumber: 'X1234567L' }

/** Returns two travellers with document numbers valid in the agency's country. */
const peopleOf = ({ user }: Agent): Json[] =>
  user.businessUnits[0].locale === 'it-IT'
    ? [
        { ...ana, docNumber: 'RSSMRA85T10A562S' },
        { ...leo, docNumber: 'GRCLEO88A01H501P' },
      ]
    : [ana, leo]

export const productOf = (agent: Agent, code = 'ESS'): Json => agent.products.find(each => each.code === code)

/** Returns eight days in Italy for two. */
function trip(agent: Agent, changes: Record<string, unknown> = {}, now = new Date()): Record<string, Json> {
  const start = addDays(today(now, 'Europe/Madrid'), 11)
  return {
    productUUID: productOf(agent).uuid,
    startDate: start,
    endDate: addDays(start, 7),
    countryOriginId: 724,
    countriesDestinationId: '380',
    paxNumber: 2,
    insuranceType: typeOf(agent, changes),
  }
}

/** Returns the type of the product named in the changes, or of the usual one. */
const typeOf = (agent: Agent, { productUUID }: Record<string, unknown>): Json =>
  (agent.products.find(({ uuid }) => uuid === productUUID) ?? productOf(agent)).id

export const quoteBody = (agent: Agent, changes: Record<string, unknown> = {}, now?: Date): Record<string, Json> => ({
  ...trip(agent, changes, now),
  birthDates: ['1990-05-05', '1988-01-01'],
  ...changes,
})

export const saleBody = (agent: Agent, changes: Record<string, unknown> = {}, now?: Date): Record<string, Json> => ({
  ...trip(agent, changes, now),
  saveBudget: false,
  users: peopleOf(agent),
  buReference: 'Expediente Ñ-7',
  paymentGatewayUUID: agent.gateway('Deferred'),
  roleFirstUser: 1,
  ...changes,
})

export const register = (agent: Agent, changes: Record<string, unknown> = {}, headers: Record<string, string> = {}): Promise<Reply> =>
  agent.ask('/api/policy/register', { body: saleBody(agent, changes), headers })

export const purchase = (agent: Agent, changes: Record<string, unknown>, headers: Record<string, string> = {}): Promise<Reply> =>
  agent.ask('/api/policy/purchase', { body: { paymentGatewayUUID: agent.gateway('Deferred'), ...changes }, headers })

/** Registers and buys a policy on the agency's account. */
export async function sell(agent: Agent, changes: Record<string, unknown> = {}): Promise<Json> {
  const { body, text } = await register(agent, changes)
  if (!body?.data) throw new Error(`not registered: ${text}`)
  const bought = await purchase(agent, { purchaseUUID: body.data.purchaseUUID })
  if (bought.status !== 200) throw new Error(`not sold: ${bought.text}`)
  return { ...body.data, ...bought.body.data }
}
