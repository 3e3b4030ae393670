import { createRequire } from 'node:module'
import type pg from 'pg'

/** A statement as it went to the database: its values as the driver writes them. */
export type Statement = { line: number; text: string; values: (string | null)[] }

/** What several connections asked at the same time, one transaction after the other. */
export function inTurn(statements: Statement[]): Statement[] {
  const open = new Map<number, Statement[]>()
  return statements.flatMap(statement => {
    const { line, text } = statement
    const transaction = [...(open.get(line) ?? []), statement]
    const isOver = text === 'commit' || text === 'rollback' || (transaction.length === 1 && !text.startsWith('begin'))
    open.set(line, isOver ? [] : transaction)
    return isOver ? transaction : []
  })
}

const driver = createRequire(import.meta.url)('pg/lib/utils') as { prepareValue(value: unknown): string | Buffer | null }

/** From now on, whatever is asked of this pool is taken down. */
export function recordStatements(pool: pg.Pool, into: Statement[]): void {
  const listen = (client: pg.PoolClient, line: number) => {
    const ask = client.query.bind(client) as (...given: unknown[]) => unknown
    client.query = ((...given: unknown[]) => {
      const [first, values = []] = given as [string | { text: string; values?: unknown[] }, unknown[]?]
      const text = typeof first === 'string' ? first : first.text
      const sent = (typeof first === 'object' ? first.values : undefined) ?? values
      into.push({ line, text, values: Array.isArray(sent) ? sent.map(written) : [] })
      return ask(...given)
    }) as typeof client.query
  }
  const seen = new Set<pg.PoolClient>()
  pool.on('acquire', client => {
    if (!seen.has(client)) listen(client, seen.size)
    seen.add(client)
  })
}

function written(value: unknown): string | null {
  const text = driver.prepareValue(value)
  return typeof text === 'string' || text === null ? text : `\\x${text.toString('hex')}`
}
