import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { type Agent, saleBody } from '#testing/agent.ts'
import { type Connection, headOf, load, type Measured, openConnection } from '../load.ts'
import type { Setup } from '../setup.ts'
import type { Side } from './sides.ts'

/** Sells as the portal does, each call with a new idempotency key. */
export function seller(agent: Agent): (connection: Connection) => Promise<void> {
  const body = JSON.stringify(saleBody(agent))
  const paymentGatewayUUID = agent.gateway('Deferred')
  const ask = async (connection: Connection, path: string, sent: string) => {
    const reply = await connection.ask(headOf('POST', path, { ...agent.headers, 'idempotency-key': randomUUID() }), sent)
    if (reply.status !== 200) throw new Error(`${path} answered ${reply.status}: ${reply.body.slice(0, 200)}`)
    return reply.body
  }
  return async connection => {
    const registered = await ask(connection, '/api/policy/register', body)
    const purchaseUUID = /"purchaseUUID":"([^"]+)"/.exec(registered)?.[1]
    await ask(connection, '/api/policy/purchase', JSON.stringify({ purchaseUUID, paymentGatewayUUID }))
  }
}

/** Sells for this many seconds. */
export const sellFor = ({ service, agent }: Setup, callers: number, seconds: number): Promise<Measured> =>
  load(service.origin, callers, seconds, seller(agent))

/** Sells this many policies, and returns the seconds needed. */
export async function sellMany({ service, agent }: Setup, many: number, callers = 8): Promise<number> {
  const sell = seller(agent)
  const connections = await Promise.all(Array.from({ length: callers }, () => openConnection(service.origin)))
  const began = performance.now()
  let left = many
  await Promise.all(
    connections.map(async connection => {
      while (left-- > 0) await sell(connection)
      connection.close()
    }),
  )
  return (performance.now() - began) / 1000
}

/** The query of the queue, which the counts of a sale leave out. */
export const openJobs = `select from jobs where state = 'running' or (state = 'waiting' and run_at <= now()) limit 1`

/** Returns the sales per second, including all their documents and emails. */
export async function sustained(side: Jobs, callers: number, seconds: number): Promise<number> {
  await untilAllMade(side)
  const began = performance.now()
  const { count } = await sellFor(side, callers, seconds)
  await untilAllMade(side)
  return (count * 1000) / (performance.now() - began)
}

type Jobs = Setup & Pick<Side, 'jobs'>

/** Waits until the documents and the email of every sale are made. Returns the number of its queries. */
export async function untilAllMade({ service, jobs }: Jobs): Promise<number> {
  if (!jobs) return 0
  for (let looks = 1; ; looks++) {
    if ((await service.ask('sql', openJobs)).length === 0) return looks
    await delay(50)
  }
}
