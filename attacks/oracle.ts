import type { Case, Scenario } from './scenario.ts'

/** The checks that must pass after every case. */
export type Oracle = { before(): Promise<void>; findProblems(each: Case): Promise<string[]> }

export async function openOracle(scenario: Scenario): Promise<Oracle> {
  const { target } = scenario
  const tables = await agencyTables(scenario)
  const startMemory = await target.memory()
  let others: Fingerprints = {}
  let [deniedBefore, seenBefore, loggedBefore] = [0, 0, 0]
  return {
    async before() {
      await target.drain()
      others = await fingerprintsOf(scenario, tables, scenario.b.unitId)
      deniedBefore = await countDenied(scenario)
      seenBefore = scenario.responses.length
      loggedBefore = target.log().length
    },
    async findProblems(each) {
      await target.drain()
      const responses = scenario.responses.slice(seenBefore)
      const problems = responses.flatMap(({ path, reply }) => responseProblems(path, reply))
      if (!each.bothAct) {
        const now = await fingerprintsOf(scenario, tables, scenario.b.unitId)
        const changed = tables.filter(name => now[name] !== others[name])
        if (changed.length > 0) problems.push(`O2 rows of the other agency changed: ${changed.join(', ')}`)
      }
      problems.push(...(await target.invariants()).map(problem => `O3 ${problem}`))
      problems.push(...secretsIn(scenario, target.log().slice(loggedBefore)))
      problems.push(...(await healthProblems(scenario, startMemory)))
      const audited = (await countDenied(scenario)) - deniedBefore
      if (audited < (each.denied ?? 0)) problems.push(`O6 ${audited} of ${each.denied} refusals are in the audit log`)
      return [...new Set(problems)].slice(0, 5)
    },
  }
}

const internals = /node_modules|\bat \S+ \(|\.ts:\d|\bselect\b.+\bfrom\b|\bpg_|syntax error|kysely|fastify|\/work\/|\/home\//i

function responseProblems(path: string, { status, body, text }: Scenario['responses'][number]['reply']): string[] {
  if (status < 400) return []
  const where = `${status} ${path.slice(0, 60)}`
  if (status >= 500 && status !== 503) return [`O1 ${where}`]
  if (body === undefined) return /^<!doctype html/i.test(text) || text === '' ? [] : [`O1 not JSON: ${where}`]
  if (typeof body?.code !== 'number' && body?.success !== false) return [`O1 no code: ${where}`]
  return body?.code === 200 || internals.test(text) ? [`O1 reveals internals: ${where} ${text.slice(0, 120)}`] : []
}

type Fingerprints = Record<string, string>

/** Returns a fingerprint of each table's rows of one agency. */
async function fingerprintsOf({ target }: Scenario, tables: string[], unit: string): Promise<Fingerprints> {
  const parts = tables.map(name => `select '${name}' as name, t::text as row from ${name} t where business_unit_id = $1`)
  const found = await target.sql(
    `select name, md5(string_agg(row, E'\\n' order by row)) as print from (${parts.join(' union all ')}) x group by name`,
    [unit],
  )
  return Object.fromEntries(found.map(({ name, print }) => [String(name), String(print)]))
}

async function agencyTables({ target }: Scenario): Promise<string[]> {
  const rows = await target.sql(
    `select c.table_name as name from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
     where c.table_schema = 'public' and c.column_name = 'business_unit_id' and t.table_type = 'BASE TABLE' and c.table_name not in ('audit', 'allowances') order by 1`,
  )
  return rows.map(({ name }) => String(name))
}

async function countDenied({ target }: Scenario): Promise<number> {
  const [row] = await target.sql(`
    select coalesce(sum(coalesce(times, 1)), 0)::int as count from audit left join audit_repeats on audit_id = audit.id
    where outcome = 'refused' and audit.reason is not null`)
  return Number(row?.['count'])
}

function secretsIn({ a, b, viewer, admin }: Scenario, log: string): string[] {
  const known = [a, b, viewer, admin].flatMap(({ accessToken, unitToken }) => [accessToken, unitToken])
  const secrets = [...known, 'portolan-demo', '12345678Z', 'X1234567L', 'ana@example.es', '4242424242424242', '_secret_', 'sk_test_']
  return secrets.filter(secret => secret !== '' && log.includes(secret)).map(secret => `O4 in the log: ${secret.slice(0, 12)}…`)
}

async function healthProblems({ target, ask, timed }: Scenario, startMemory: number | undefined): Promise<string[]> {
  if (!target.alive()) return ['O5 the process has ended']
  const { ms, status } = await ask('/health/live')
  const now = await target.memory()
  return [
    ...(status !== 200 || (timed && ms > 500) ? [`O5 /health/live: ${status} after ${Math.round(ms)} ms`] : []),
    ...(startMemory !== undefined && now !== undefined && now > Math.max(1.5 * startMemory, startMemory + 50e6)
      ? [`O5 ${Math.round(now / 1e6)} MB of memory, ${Math.round(startMemory / 1e6)} MB at the start`]
      : []),
  ]
}
