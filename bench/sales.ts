import { randomUUID } from 'node:crypto'
import { type Agent, purchase, register, saleBody } from '#fault-tests/harness/agent.ts'
import type { Postgres } from '#fault-tests/harness/postgres.ts'
import type { Statement } from '#fault-tests/harness/recorder.ts'
import { alone, compare, type Figure } from './compare.ts'
import { copyDatabase, type Ground, openGround } from './setup.ts'
import { headOf, type Line, load } from './load.ts'
import { pgbenchScript, runPgbench } from './pgbench.ts'

type Effort = { rounds: number; seconds: number; callers: number[] }

/** design 8: a sale over HTTP (register and purchase, on the agency's account), against pgbench with the same statements. */
export async function benchSales(
  { service, agent, postgres }: Ground,
  script: string | undefined,
  { rounds, seconds, callers }: Effort,
): Promise<Figure[]> {
  const selling = (many: number) => async () => (await load(service.origin, many, seconds, seller(agent))).perSecond
  await selling(8)()
  const figures: Figure[] = []
  for (const many of callers) {
    const ours = selling(many)
    const named = { work: `sales/s, ${many} callers, ${postgres ? 'PostgreSQL' : 'embedded'}, fsync on`, unit: '/s' }
    if (!postgres || !script) figures.push(alone({ ...named, reach: '–' }, await ours(), () => true))
    else
      figures.push(
        await compare(
          {
            ...named,
            ours,
            theirs: () => Promise.resolve(runPgbench(postgres, 'bare', script, many, seconds)),
            against: 'pgbench, the same SQL',
            reach: '≥ 0.6',
            reached: ratio => ratio >= 0.6,
          },
          rounds,
        ),
      )
  }
  return figures
}

/** As the portal does: each call with a key of its own. */
export function seller(agent: Agent): (line: Line) => Promise<void> {
  const body = JSON.stringify(saleBody(agent))
  const paymentGatewayUUID = agent.gateway('Deferred')
  const ask = async (line: Line, path: string, sent: string) => {
    const reply = await line.ask(headOf('POST', path, { ...agent.headers, 'idempotency-key': randomUUID() }), sent)
    if (reply.status !== 200) throw new Error(`${path} answered ${reply.status}: ${reply.body.slice(0, 200)}`)
    return reply.body
  }
  return async line => {
    const registered = await ask(line, '/api/policy/register', body)
    const purchaseUUID = /"purchaseUUID":"([^"]+)"/.exec(registered)?.[1]
    await ask(line, '/api/policy/purchase', JSON.stringify({ purchaseUUID, paymentGatewayUUID }))
  }
}

/** What one sale asks of the database, taken down on a node without jobs, as a script; and a copy of the database to ask it of. */
export async function recordSale(postgres: Postgres): Promise<string> {
  const ground = await openGround(postgres, { JOBS: 'off' })
  await ground.service.ask('record')
  const first = await sellOnce(ground, 'k1')
  const second = await sellOnce(ground, 'k2')
  await ground.stop()
  await copyDatabase(postgres, 'bare')
  const standing = idsIn(first.statements)
  const fresh = [...idsIn(second.statements)].filter(id => !standing.has(id))
  return pgbenchScript(second.statements, [second.number, ...second.keys, ...fresh])
}

/** With keys of its own, as the portal asks. */
async function sellOnce({ agent, service }: Ground, name: string) {
  await service.ask('recorded')
  const keys = [`${name}-register-of-the-bench`, `${name}-purchase-of-the-bench`] as const
  const { body } = await register(agent, {}, { 'idempotency-key': keys[0] })
  const bought = await purchase(agent, { purchaseUUID: body.data.purchaseUUID }, { 'idempotency-key': keys[1] })
  if (bought.status !== 200) throw new Error(`not sold: ${bought.text}`)
  const statements = await service.ask('recorded')
  return { statements, keys, number: String(bought.body.data.policyData.policyNumber) }
}

/** Ids, and what was made of them. */
const idsIn = (statements: Statement[]): Set<string> =>
  new Set(
    statements.flatMap(({ values }) =>
      values.flatMap(value => value?.match(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|^[\w+/=-]{40,}$/g) ?? []),
    ),
  )
