import { randomUUID } from 'node:crypto'
import { type Agent, purchase, register, saleBody } from '#fault-tests/harness/agent.ts'
import type { Postgres } from '#fault-tests/harness/postgres.ts'
import type { Statement } from '#fault-tests/harness/recorder.ts'
import { withoutBaseline, compare, type Figure } from './compare.ts'
import { copyDatabase, type Setup, openSetup } from './setup.ts'
import { headOf, type Connection, load } from './load.ts'
import { pgbenchScript, runPgbench } from './pgbench.ts'

type Effort = { rounds: number; seconds: number; callers: number[] }

/** design 8: a sale over HTTP (register and purchase on the agency's account), against pgbench with the same statements. */
export async function benchSales(
  { service, agent, postgres }: Setup,
  script: string | undefined,
  { rounds, seconds, callers }: Effort,
): Promise<Figure[]> {
  const selling = (many: number) => async () => (await load(service.origin, many, seconds, seller(agent))).perSecond
  await selling(8)()
  const figures: Figure[] = []
  for (const many of callers) {
    const ours = selling(many)
    const named = { work: `sales/s, ${many} callers, ${postgres ? 'PostgreSQL' : 'embedded'}, fsync on`, unit: '/s' }
    if (!postgres || !script) figures.push(withoutBaseline({ ...named, target: '–' }, await ours(), () => true))
    else
      figures.push(
        await compare(
          {
            ...named,
            ours,
            baseline: () => Promise.resolve(runPgbench(postgres, 'bare', script, many, seconds)),
            against: 'pgbench, the same SQL',
            target: '≥ 0.6',
            met: ratio => ratio >= 0.6,
          },
          rounds,
        ),
      )
  }
  return figures
}

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

/** Records the statements of one sale, without jobs, as a pgbench script, and copies the database for it. */
export async function recordSale(postgres: Postgres): Promise<string> {
  const setup = await openSetup(postgres, { JOBS: 'off' })
  await setup.service.ask('record')
  const first = await sellOnce(setup, 'k1')
  const second = await sellOnce(setup, 'k2')
  await setup.stop()
  await copyDatabase(postgres, 'bare')
  const existing = idsIn(first.statements)
  const fresh = [...idsIn(second.statements)].filter(id => !existing.has(id))
  return pgbenchScript(second.statements, [second.number, ...second.keys, ...fresh])
}

/** Sells once with its own idempotency keys. */
async function sellOnce({ agent, service }: Setup, name: string) {
  await service.ask('recorded')
  const keys = [`${name}-register-of-the-bench`, `${name}-purchase-of-the-bench`] as const
  const { body } = await register(agent, {}, { 'idempotency-key': keys[0] })
  const bought = await purchase(agent, { purchaseUUID: body.data.purchaseUUID }, { 'idempotency-key': keys[1] })
  if (bought.status !== 200) throw new Error(`not sold: ${bought.text}`)
  const statements = await service.ask('recorded')
  return { statements, keys, number: String(bought.body.data.policyData.policyNumber) }
}

/** Returns the ids, and the keys derived from them. */
const idsIn = (statements: Statement[]): Set<string> =>
  new Set(
    statements.flatMap(({ values }) =>
      values.flatMap(value => value?.match(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|^[\w+/=-]{40,}$/g) ?? []),
    ),
  )
