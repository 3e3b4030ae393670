import { type Agent, type Ask, asker, type Json, register, type Reply, sell, signIn } from '#fault-tests/harness/agent.ts'
import type { Target } from './target.ts'

/** Two agencies with their people and a sold and a kept policy each: what an attacker finds. */
export type Field = {
  target: Target
  /** Nobody in particular. */
  ask: Ask
  /** Sellers of the agencies A and B; in A also one who only looks, one who manages, and the administrator. */
  a: Agent
  b: Agent
  viewer: Agent
  manager: Agent
  admin: Agent
  sold: { a: Json; b: Json }
  budget: { a: Json; b: Json }
  /** Every answer so far, for the oracle. */
  answers: { path: string; reply: Reply }[]
  /** `METHOD /path` of all that the service says it serves. */
  served: Set<string>
  openapi: Json
  /** How often a race is run. */
  rounds: number
  /** Whether answers are held to a time: not where tests share the machine. */
  timed: boolean
}

/** What the policies that were sold first are known by, in one agency alone. */
export const references = { a: 'Expediente of A alone', b: 'Expediente of B alone' }

export async function openField(target: Target, rounds: number, timed = true): Promise<Field> {
  const answers: Field['answers'] = []
  const ask = asker(
    () => target.origin,
    (path, reply) => answers.push({ path, reply }),
  )
  const [a, b] = [await signIn(ask, 'agent@azahar.example'), await signIn(ask, 'agent@rotta.example')]
  const others = { viewer: 'viewer@azahar.example', manager: 'manager@azahar.example', admin: 'admin@portolan.example' }
  const [viewer, manager, admin] = [await signIn(ask, others.viewer), await signIn(ask, others.manager), await signIn(ask, others.admin)]
  // Numbers run in each agency by themselves: far apart, so that what is the other's can be told from what is one's own.
  const ahead = 'insert into policy_numbers (business_unit_id, next_number) values ($1, 500000) on conflict do nothing'
  await target.sql(ahead, [b.unitId])
  const sold = { a: await sell(a, { buReference: references.a }), b: await sell(b, { buReference: references.b }) }
  const kept = async (agent: Agent): Promise<Json> => (await register(agent, { saveBudget: true })).body.data
  const budget = { a: await kept(a), b: await kept(b) }
  const openapi = (await ask('/api/openapi.json')).body
  const served = new Set(
    Object.entries(openapi.paths as Record<string, object>).flatMap(([path, methods]) =>
      Object.keys(methods).map(method => `${method.toUpperCase()} ${path}`),
    ),
  )
  return { target, ask, a, b, viewer, manager, admin, sold, budget, answers, served, openapi, rounds, timed }
}

export type Case = {
  id: string
  title: string
  /** Calls without which there is nothing to attack: a case that has no target does not hold. */
  needs?: string[]
  /** Fit for every run of the tests: done in a moment. */
  quick?: true
  /** Refusals that must have left their line in the audit (O6). */
  denied?: number
  /** The other agency's own people act in it, so its rows may change. */
  bothAct?: true
  run(field: Field): Promise<unknown>
}
