import { AbortedTransactionError, CompiledQuery, type DatabaseConnection, type QueryResult } from 'kysely'
import pg from 'pg'
import type { Plans } from './plans.ts'

/** A plan that was made while a table was small would be kept while the table grows. */
const freshForMs = 30_000

/** Sent in one packet with the statement that follows; nobody reads its answer, and its error is that statement's. */
export const withTheNext = (text: string): CompiledQuery => Object.freeze({ ...CompiledQuery.raw(text), [isDeferred]: true })

/** A statement that is a whole transaction that begins with this setting: its begin, itself and its commit go out in one packet. */
export const asWholeTransaction = <R>(query: CompiledQuery<R>, asWhom: string): CompiledQuery<R> =>
  Object.freeze({ ...query, [wholeAs]: asWhom })

const isDeferred = Symbol('sent with the next statement')
const wholeAs = Symbol('setting of a transaction of one statement')
type Marked = CompiledQuery & { [isDeferred]?: true; [wholeAs]?: string }

/** One connection to PostgreSQL, as Kysely uses it. */
export class Connection implements DatabaseConnection {
  readonly #client: pg.PoolClient
  readonly #plans: Plans
  #pending: string[] = []
  #isInTransaction = false
  #isBroken = false
  #plannedAt = performance.now()

  constructor(client: pg.PoolClient, plans: Plans) {
    this.#client = client
    this.#plans = plans
  }

  /** Called for each new user of the connection. */
  acquired(): void {
    if (performance.now() - this.#plannedAt < freshForMs) return
    this.#plannedAt = performance.now()
    this.#pending.push('discard plans')
  }

  begin(how: string): void {
    this.#pending.push(how)
    this.#isInTransaction = true
  }

  async commit(): Promise<void> {
    this.#isInTransaction = false
    notAborted(await this.#send({ text: 'commit' }))
  }

  async rollback(): Promise<void> {
    this.#isInTransaction = false
    try {
      await this.#send({ text: 'rollback' })
    } catch (error) {
      this.#isBroken = true
      throw error
    }
  }

  release(): void {
    this.#client.release(this.#isBroken)
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const { [isDeferred]: deferred, [wholeAs]: asWhom, sql, parameters }: Marked = query
    if (deferred) {
      this.#pending.push(sql)
      return { rows: [] }
    }
    // A value that cannot be written fails before anything is sent: half of a statement would leave the connection of no use.
    const values = parameters.map(value => utils.prepareValue(value))
    // Outside of a transaction nothing begins anew when a plan is refused.
    const name = values.length > 0 && (asWhom || this.#isInTransaction) ? this.#plans.nameOf(sql) : undefined
    const statement = name ? { name, text: sql, values } : { text: sql, values }
    return asWhom ? resultOf(await this.#whole(asWhom, statement)) : resultOf(await this.#send(statement))
  }

  streamQuery(): AsyncIterableIterator<never> {
    throw new Error('rows are not streamed')
  }

  async #whole(asWhom: string, statement: pg.QueryConfig): Promise<pg.QueryResult> {
    this.#pending.push('begin', asWhom)
    const [committed, result] = await this.#together([...this.#taken(), statement, { text: 'commit' }])
    notAborted(committed)
    return result
  }

  async #send(statement: pg.QueryConfig): Promise<pg.QueryResult> {
    if (this.#pending.length === 0) return this.#client.query(statement)
    const [result] = await this.#together([...this.#taken(), statement])
    return result
  }

  #taken(): pg.QueryConfig[] {
    const text = this.#pending.join('; ')
    this.#pending = []
    return [{ text }]
  }

  /** Sends all, and returns the last two results, the last first. The first error is thrown, after all have their answer. */
  async #together(statements: pg.QueryConfig[]): Promise<[pg.QueryResult, pg.QueryResult]> {
    const isPipelined = this.#client.pipeline
    const answers: Promise<pg.QueryResult>[] = []
    if (isPipelined) this.#client.connection.stream.cork()
    for (const statement of statements) {
      const answer = this.#client.query(statement)
      answers.push(answer)
      // The embedded database takes one at a time.
      if (!isPipelined) await answer.catch(() => {})
    }
    if (isPipelined) this.#client.connection.stream.uncork()
    const outcomes = await Promise.allSettled(answers)
    const results = outcomes.map(outcome => {
      if (outcome.status === 'rejected') throw outcome.reason
      return outcome.value
    })
    return [results.at(-1) as pg.QueryResult, results.at(-2) as pg.QueryResult]
  }
}

// pg exports its utils without telling so in its types.
const { utils } = pg as unknown as { utils: { prepareValue(value: unknown): unknown } }

/** PostgreSQL answers a commit with ROLLBACK where a statement had failed. */
function notAborted({ command }: pg.QueryResult): void {
  if (command === 'ROLLBACK') throw new AbortedTransactionError()
}

/** Several statements in one text, as a migration has them, have several results: none of them is read. */
function resultOf<R extends pg.QueryResultRow>(result: pg.QueryResult<R> | pg.QueryResult<R>[]): QueryResult<R> {
  if (Array.isArray(result)) return { rows: [] }
  const { command, rowCount, rows } = result
  return writing.has(command) ? { rows, numAffectedRows: BigInt(rowCount ?? 0) } : { rows }
}

const writing = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE'])
