import { AbortedTransactionError, CompiledQuery, type DatabaseConnection, type QueryResult } from 'kysely'
import pg from 'pg'
import { type Change, changesOf } from '#server/kit/notices/changes.ts'
import type { Announcer } from '#server/kit/notices/notices.ts'
import { type Elapsed, systemElapsed } from '#server/kit/clock.ts'
import type { Plans } from './plans.ts'

/** The age at which plans are discarded. Otherwise a plan for a small table would stay while the table grows. */
const freshForMs = 30_000

/** Returns a statement that is sent in one packet with the next one, which also throws its error. Its result is ignored. */
export const withTheNext = (text: string): CompiledQuery => Object.freeze({ ...CompiledQuery.raw(text), [isDeferred]: true })

/** Returns a statement that is a transaction of its own, under a role. Begin, statement and commit are sent in one packet. */
export const asWholeTransaction = <R>(query: CompiledQuery<R>, role: string): CompiledQuery<R> =>
  Object.freeze({ ...query, [wholeAs]: role })

const betweenSettings = /; (?=set local )/

const isDeferred = Symbol('sent with the next statement')
const wholeAs = Symbol('role of a transaction of one statement')
type Marked = CompiledQuery & { [isDeferred]?: true; [wholeAs]?: string }

/** One connection to PostgreSQL, as Kysely uses it. */
export class Connection implements DatabaseConnection {
  readonly #client: pg.PoolClient
  readonly #plans: Plans
  readonly #announcer: Announcer
  readonly #isDistributed: boolean
  #pending: string[] = []
  /** The announced changes of the open transaction. */
  #changes: Change[] = []
  #isInTransaction = false
  #isBroken = false
  #isGathering = false
  readonly #elapsed: Elapsed
  #plannedAt: number

  /** `isDistributed`: a cluster forwards the whole text that contains a setting to its other machines, so each setting is sent by itself. */
  constructor(client: pg.PoolClient, plans: Plans, announcer: Announcer, isDistributed = false, elapsed = systemElapsed) {
    this.#client = client
    this.#plans = plans
    this.#announcer = announcer
    this.#isDistributed = isDistributed
    this.#elapsed = elapsed
    this.#plannedAt = elapsed()
  }

  /** Called for each new user of the connection. */
  acquired(): void {
    if (this.#elapsed() - this.#plannedAt < freshForMs) return
    this.#plannedAt = this.#elapsed()
    this.#pending.push('discard plans')
  }

  begin(text: string): void {
    this.#pending.push(text)
    this.#isInTransaction = true
  }

  async commit(): Promise<void> {
    this.#isInTransaction = false
    await this.#telling(async () => notAborted(await this.#send({ text: 'commit' })))
  }

  async rollback(): Promise<void> {
    this.#isInTransaction = false
    this.#changes = []
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
    const { [isDeferred]: deferred, [wholeAs]: role, sql, parameters }: Marked = query
    if (deferred) {
      this.#pending.push(sql)
      return { rows: [] }
    }
    // A value that cannot be serialised fails before anything is sent: half a statement would make the connection unusable.
    const values = parameters.map(value => utils.prepareValue(value))
    // Statements outside of a transaction get no plan, because nothing retries them if PostgreSQL refuses it.
    const name = values.length > 0 && (role || this.#isInTransaction) ? this.#plans.nameOf(sql) : undefined
    const statement = name ? { name, text: sql, values } : { text: sql, values }
    const changes = changesOf(query)
    if (role || (changes.length > 0 && !this.#isInTransaction)) return resultOf(await this.#whole(role, statement, changes))
    this.#announce(changes)
    return resultOf(await this.#send(statement))
  }

  streamQuery(): AsyncIterableIterator<never> {
    throw new Error('rows are not streamed')
  }

  async #whole(role: string | undefined, statement: pg.QueryConfig, changes: readonly Change[]): Promise<pg.QueryResult> {
    this.#pending.push('begin', ...(role ? [role] : []))
    this.#announce(changes)
    return this.#telling(async () => {
      const [committed, result] = await this.#together([...this.#takePending(), statement, { text: 'commit' }])
      notAborted(committed)
      return result
    })
  }

  /** Announces changes in the packet of the statement that makes them. PostgreSQL tells the other nodes when the transaction commits. */
  #announce(changes: readonly Change[]): void {
    if (changes.length === 0) return
    this.#changes.push(...changes)
    const notice = this.#announcer.statementFor(changes)
    if (notice) this.#pending.push(notice)
  }

  /** Tells this node of the transaction's changes before its outcome is known to anyone. A commit that failed may have happened. */
  async #telling<T>(commit: () => Promise<T>): Promise<T> {
    const changes = this.#changes
    this.#changes = []
    try {
      return await commit()
    } finally {
      this.#announcer.tell(changes)
    }
  }

  async #send(statement: pg.QueryConfig): Promise<pg.QueryResult> {
    this.#gather()
    if (this.#pending.length === 0) return this.#client.query(statement)
    const [result] = await this.#together([...this.#takePending(), statement])
    return result
  }

  /** Sends all statements of one turn of the event loop in one packet. */
  #gather(): void {
    if (this.#isGathering) return
    const { stream } = this.#client.connection
    this.#isGathering = true
    stream.cork()
    process.nextTick(() => {
      this.#isGathering = false
      stream.uncork()
    })
  }

  #takePending(): pg.QueryConfig[] {
    const texts = this.#isDistributed ? this.#pending.flatMap(text => text.split(betweenSettings)) : [this.#pending.join('; ')]
    this.#pending = []
    return texts.map(text => ({ text }))
  }

  /** Sends all statements and returns the last two results, the last first. Throws the first error once all have a result. */
  async #together(statements: pg.QueryConfig[]): Promise<[pg.QueryResult, pg.QueryResult]> {
    const { stream } = this.#client.connection
    stream.cork()
    const running = statements.map(statement => this.#client.query(statement))
    stream.uncork()
    const outcomes = await Promise.allSettled(running)
    const results = outcomes.map(outcome => {
      if (outcome.status === 'rejected') throw outcome.reason
      return outcome.value
    })
    // Safe: every caller sends at least two statements.
    return [results.at(-1) as pg.QueryResult, results.at(-2) as pg.QueryResult]
  }
}

// Safe: pg exports its utils, and only its types lack them.
const { utils } = pg as unknown as { utils: { prepareValue(value: unknown): unknown } }

/** Throws if PostgreSQL answers a commit with ROLLBACK, as it does after a failed statement. */
function notAborted({ command }: pg.QueryResult): void {
  if (command === 'ROLLBACK') throw new AbortedTransactionError()
}

/** Converts a result for Kysely. A text of several statements, as in migrations, has several results, and none is used. */
function resultOf<R extends pg.QueryResultRow>(result: pg.QueryResult<R> | pg.QueryResult<R>[]): QueryResult<R> {
  if (Array.isArray(result)) return { rows: [] }
  const { command, rowCount, rows } = result
  return writing.has(command) ? { rows, numAffectedRows: BigInt(rowCount ?? 0) } : { rows }
}

const writing = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE'])
