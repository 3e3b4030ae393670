import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { quoteBody } from '#testing/agent.ts'
import type { Postgres } from '#testing/postgres.ts'
import { runPgbench } from '../pgbench.ts'
import type { Setup } from '../setup.ts'

const database = 'least'
const textOf = (file: string): string => readFileSync(join(import.meta.dirname, file), 'utf8')

/**
 * The minimum that a sale requires of PostgreSQL, 16 writes and two commits. pgbench plays it prepared, and nothing is read, checked or generated.
 */
export type LeastSale = { database: string; perSecond(callers: number, seconds: number): number }

export async function openLeastSale(postgres: Postgres, { agent }: Setup): Promise<LeastSale> {
  await postgres.query(`create database ${database}`, 'postgres')
  await postgres.query(textOf('least-tables.sql'), database)
  // A version stores the quote as it was sent, so the script's is as long.
  const { text } = await agent.ask('/api/quotes', { body: quoteBody(agent) })
  const script = textOf('least-sale.sql')
  let runs = 0
  return {
    database,
    perSecond(callers, seconds) {
      const variables = { start: String(++runs), n: '0', content: text }
      return runPgbench(postgres, { database, script, mode: 'prepared', variables }, callers, seconds)
    },
  }
}
