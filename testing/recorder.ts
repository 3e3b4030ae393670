import { createRequire } from 'node:module'
import type pg from 'pg'

/** A statement as sent to the database, with its values as the driver writes them. */
export type Statement = { connection: number; text: string; values: (string | null)[] }

/** Reorders the statements of concurrent connections, one transaction after the other. */
export function byTransaction(statements: Statement[]): Statement[] {
  const open = new Map<number, Statement[]>()
  return statements.flatMap(statement => {
    const { connection, text } = statement
    const transaction = [...(open.get(connection) ?? []), statement]
    const isOver = text === 'commit' || text === 'rollback' || (transaction.length === 1 && !text.startsWith('begin'))
    open.set(connection, isOver ? [] : transaction)
    return isOver ? transaction : []
  })
}

/**
 * Counts statements and committed transactions. A statement outside a transaction counts as one. Begin, commit, rollback, and the settings of role
 * and unit sent with them are not counted. Neither is the query of the test's clock, which runs at most once in 200 ms and never in production.
 */
export function countStatements(recorded: readonly Statement[]): { statements: number; commits: number } {
  const open = new Set<number>()
  let [statements, commits] = [0, 0]
  for (const { connection, text } of recorded) {
    if (text.includes('business_clock')) continue
    const parts = text.split('; ')
    if (parts.some(part => part.startsWith('begin'))) open.add(connection)
    if (parts.every(part => isFrame.test(part))) {
      if (text === 'commit') commits += 1
      if (text === 'commit' || text === 'rollback') open.delete(connection)
      continue
    }
    statements += 1
    if (!open.has(connection)) commits += 1
  }
  return { statements, commits }
}

const isFrame = /^(?:begin|commit$|rollback$|discard plans$|set local role |set local portolan\.business_unit = )/

// Safe: pg 8 has this function, but its types lack it.
const driver = createRequire(import.meta.url)('pg/lib/utils') as { prepareValue(value: unknown): string | Buffer | null }

/** Records all statements of a pool from now on. */
export function recordStatements(pool: pg.Pool, into: Statement[]): void {
  const record = (client: pg.PoolClient, connection: number) => {
    // Safe: only the caller's arguments are passed on.
    const ask = client.query.bind(client) as (...args: unknown[]) => unknown
    // Safe: it calls the original with the same arguments.
    client.query = ((...args: unknown[]) => {
      // Safe: the server calls `query` in these forms only.
      const [first, values = []] = args as [string | { text: string; values?: unknown[] }, unknown[]?]
      const text = typeof first === 'string' ? first : first.text
      const sent = (typeof first === 'object' ? first.values : undefined) ?? values
      into.push({ connection, text, values: Array.isArray(sent) ? sent.map(textOf) : [] })
      return ask(...args)
    }) as typeof client.query
  }
  const seen = new Set<pg.PoolClient>()
  pool.on('acquire', client => {
    if (!seen.has(client)) record(client, seen.size)
    seen.add(client)
  })
}

function textOf(value: unknown): string | null {
  const text = driver.prepareValue(value)
  return typeof text === 'string' || text === null ? text : `\\x${text.toString('hex')}`
}
