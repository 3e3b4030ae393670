import { type Agent, type Ask, asker, type Json, register, type Reply, sell, signIn } from '#testing/agent.ts'
import type { Target } from './target.ts'

/** Two agencies with users, a sold policy and a quote each. */
export type Scenario = {
  target: Target
  /** Sends requests without a session. */
  ask: Ask
  /** Sellers of the agencies A and B; A also has a viewer, a manager and the administrator. */
  a: Agent
  b: Agent
  viewer: Agent
  manager: Agent
  admin: Agent
  sold: { a: Json; b: Json }
  budget: { a: Json; b: Json }
  /** Every response so far, for the oracle. */
  responses: { path: string; reply: Reply }[]
  /** `METHOD /path` of every documented call. */
  served: Set<string>
  openapi: Json
  /** The number of rounds of a race. */
  rounds: number
  /** True if response times are checked, which they are not where tests share the machine. */
  timed: boolean
}

/** The references of the first sold policies, each unique to its agency. */
export const references = { a: 'Expediente of A alone', b: 'Expediente of B alone' }

export async function openScenario(target: Target, rounds: number, timed = true): Promise<Scenario> {
  const responses: Scenario['responses'] = []
  const ask = asker(
    () => target.origin,
    (path, reply) => responses.push({ path, reply }),
  )
  const [a, b] = [await signIn(ask, 'agent@azahar.example'), await signIn(ask, 'agent@rotta.example')]
  const others = { viewer: 'viewer@azahar.example', manager: 'manager@azahar.example', admin: 'admin@portolan.example' }
  const [viewer, manager, admin] = [await signIn(ask, others.viewer), await signIn(ask, others.manager), await signIn(ask, others.admin)]
  const sold = { a: await sell(a, { buReference: references.a }), b: await sell(b, { buReference: references.b }) }
  const kept = async (agent: Agent): Promise<Json> => (await register(agent, { saveBudget: true })).body.data
  const budget = { a: await kept(a), b: await kept(b) }
  const openapi = (await ask('/api/openapi.json')).body
  const served = new Set(
    Object.entries<object>(openapi.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map(method => `${method.toUpperCase()} ${path}`),
    ),
  )
  return { target, ask, a, b, viewer, manager, admin, sold, budget, responses, served, openapi, rounds, timed }
}

export type Case = {
  id: string
  title: string
  /** The calls under attack. A case fails if one of them does not exist. */
  needs?: string[]
  /** True if it is fast enough for every test run. */
  quick?: true
  /** The number of refusals that the audit log must contain. */
  denied?: number
  /** True if users of the other agency also act, so that its rows may change. */
  bothAct?: true
  run(scenario: Scenario): Promise<unknown>
}
