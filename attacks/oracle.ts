import type { Case, Field } from './field.ts'

/** What must hold after every case, whatever the case itself expects. */
export type Oracle = { before(): Promise<void>; faults(each: Case): Promise<string[]> }

export async function openOracle(field: Field): Promise<Oracle> {
  const { target } = field
  const tables = await unitTables(field)
  const calm = await target.memory()
  let others: Prints = {}
  let [denied, answered, logged] = [0, 0, 0]
  return {
    async before() {
      await target.drain()
      others = await contentOf(field, tables, field.b.unitId)
      denied = await deniedSoFar(field)
      answered = field.answers.length
      logged = target.log().length
    },
    async faults(each) {
      await target.drain()
      const answers = field.answers.slice(answered)
      const faults = answers.flatMap(({ path, reply }) => answerFaults(path, reply))
      if (!each.bothAct) {
        const now = await contentOf(field, tables, field.b.unitId)
        const changed = tables.filter(name => now[name] !== others[name])
        if (changed.length > 0) faults.push(`O2 rows of the other agency have changed: ${changed.join(', ')}`)
      }
      faults.push(...(await target.invariants()).map(line => `O3 ${line}`))
      faults.push(...secretsIn(field, target.log().slice(logged)))
      faults.push(...(await lifeFaults(field, calm)))
      const audited = (await deniedSoFar(field)) - denied
      if (audited < (each.denied ?? 0)) faults.push(`O6 ${audited} of ${each.denied} refusals are in the audit`)
      return [...new Set(faults)].slice(0, 5)
    },
  }
}

const giveaway = /node_modules|\bat \S+ \(|\.ts:\d|\bselect\b.+\bfrom\b|\bpg_|syntax error|kysely|fastify|\/work\/|\/home\//i

function answerFaults(path: string, { status, body, text }: Field['answers'][number]['reply']): string[] {
  if (status < 400) return []
  const where = `${status} ${path.slice(0, 60)}`
  if (status >= 500 && status !== 503) return [`O1 ${where}`]
  if (body === undefined) return /^<!doctype html/i.test(text) || text === '' ? [] : [`O1 not JSON: ${where}`]
  if (typeof body?.code !== 'number' && body?.success !== false) return [`O1 no code: ${where}`]
  return body?.code === 200 || giveaway.test(text) ? [`O1 gives away too much: ${where} ${text.slice(0, 120)}`] : []
}

type Prints = Record<string, string>

/** Everything that belongs to one agency, as a fingerprint of each table. */
async function contentOf({ target }: Field, tables: string[], unit: string): Promise<Prints> {
  const parts = tables.map(name => `select '${name}' as name, t::text as row from ${name} t where business_unit_id = $1`)
  const found = await target.sql(
    `select name, md5(string_agg(row, E'\\n' order by row)) as print from (${parts.join(' union all ')}) x group by name`,
    [unit],
  )
  return Object.fromEntries(found.map(({ name, print }) => [String(name), String(print)]))
}

async function unitTables({ target }: Field): Promise<string[]> {
  const rows = await target.sql(
    `select c.table_name as name from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
     where c.table_schema = 'public' and c.column_name = 'business_unit_id' and t.table_type = 'BASE TABLE' and c.table_name not in ('audit', 'policy_numbers', 'allowances') order by 1`,
  )
  return rows.map(({ name }) => String(name))
}

async function deniedSoFar({ target }: Field): Promise<number> {
  const [row] = await target.sql(`select count(*)::int as count from audit where outcome = 'refused' and reason is not null`)
  return Number(row?.['count'])
}

function secretsIn({ a, b, viewer, admin }: Field, log: string): string[] {
  const known = [a, b, viewer, admin].flatMap(({ accessToken, unitToken }) => [accessToken, unitToken])
  const secrets = [...known, 'portolan-demo', '12345678Z', 'X1234567L', 'ana@example.es', '4242424242424242', '_secret_', 'sk_test_']
  return secrets.filter(secret => secret !== '' && log.includes(secret)).map(secret => `O4 in the log: ${secret.slice(0, 12)}…`)
}

async function lifeFaults({ target, ask, timed }: Field, calm: number | undefined): Promise<string[]> {
  if (!target.alive()) return ['O5 the process has ended']
  const { ms, status } = await ask('/health/live')
  const now = await target.memory()
  return [
    ...(status !== 200 || (timed && ms > 500) ? [`O5 /health/live: ${status} after ${Math.round(ms)} ms`] : []),
    ...(calm !== undefined && now !== undefined && now > Math.max(1.5 * calm, calm + 50e6)
      ? [`O5 ${Math.round(now / 1e6)} MB of memory, ${Math.round(calm / 1e6)} MB at the start`]
      : []),
  ]
}
