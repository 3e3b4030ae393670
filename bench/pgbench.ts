import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Postgres, postgresPrograms } from '#testing/postgres.ts'
import { byTransaction, type Statement } from '#testing/recorder.ts'

/**
 * Returns recorded statements as a pgbench script with the same texts and values.
 * `fresh` are the ids, numbers and keys that must be new in each run.
 */
export function pgbenchScript(statements: Statement[], fresh: string[]): string {
  const names = fresh.map((_, index) => `n${index}`)
  const variables = names.map(name => `\\set ${name} random(1, 9000000000000000000)`)
  const lines = byTransaction(statements).map(({ text, values }) => `${inlined(text, values, fresh).replaceAll(/\s*\n\s*/g, ' ')};`)
  return [...variables, ...lines, ''].join('\n')
}

const inlined = (text: string, values: (string | null)[], fresh: string[]): string =>
  text.replaceAll(/\$(\d+)/g, (_, index: string) => literal(values[Number(index) - 1] ?? null, fresh))

function literal(value: string | null, fresh: string[]): string {
  if (value === null) return 'null'
  const parts = partsOf(value, fresh)
  if (parts.every(part => !fresh.includes(part))) return escape(value)
  const joined = parts.map(part => (fresh.includes(part) ? randomValue(part, fresh) : escape(part))).join(' || ')
  return `(${joined})${typeOf(value)}`
}

/** Splits `a<fresh>b` into `a`, `<fresh>` and `b`. */
function partsOf(value: string, fresh: string[]): string[] {
  const found = fresh.find(each => value.includes(each))
  if (found === undefined) return value === '' ? [] : [value]
  const at = value.indexOf(found)
  return [...partsOf(value.slice(0, at), fresh), found, ...partsOf(value.slice(at + found.length), fresh)]
}

/** Returns a random id for an id, and a random text for anything else. */
function randomValue(part: string, fresh: string[]): string {
  const hex = `lpad(to_hex(:n${fresh.indexOf(part)}::bigint), 32, '0')`
  return isUuid(part) ? hex : `right(${hex}, 16)`
}

function typeOf(value: string): string {
  if (isUuid(value)) return '::uuid'
  if (!/^[{[]/.test(value)) return ''
  try {
    JSON.parse(value)
    return '::jsonb'
  } catch {
    return ''
  }
}

const isUuid = (text: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text)

/** Escapes a text. A colon would start a pgbench variable. */
const escape = (text: string): string =>
  `E'${text.replaceAll('\\', '\\\\').replaceAll("'", "''").replaceAll(':', '\\x3a').replaceAll('\n', '\\n')}'`

type Play = { database: string; script: string; mode?: 'extended' | 'prepared'; variables?: Record<string, string> }

/** Returns the transactions per second of a script with this many callers. */
export function runPgbench(postgres: Postgres, play: Play, callers: number, seconds: number): number {
  const { database, script, mode = 'extended', variables = {} } = play
  const folder = mkdtempSync(join(tmpdir(), 'portolan-pgbench-'))
  const file = join(folder, 'script.sql')
  writeFileSync(file, script)
  const defined = Object.entries(variables).flatMap(([name, value]) => ['-D', `${name}=${value}`])
  try {
    const output = execFileSync(
      join(postgresPrograms() ?? '', 'pgbench'),
      ['-n', '-M', mode, ...defined, '-f', file, '-c', String(callers), '-j', '1', '-T', String(seconds), postgres.url(database)],
      { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] },
    )
    const failed = Number(/failed transactions: (\d+)/.exec(output)?.[1] ?? 0)
    if (failed > 0) throw new Error(`pgbench: ${failed} transactions failed`)
    return Number(/tps = ([\d.]+)/.exec(output)?.[1])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
