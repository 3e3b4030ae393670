import {
  type DeleteQueryBuilder,
  type DeleteResult,
  type InsertObject,
  type InsertQueryBuilder,
  type InsertResult,
  type Kysely,
  type QueryExecutor,
  type QueryExecutorProvider,
  type SelectQueryBuilder,
  sql,
  type Transaction,
  type UpdateQueryBuilder,
  type UpdateResult,
} from 'kysely'
import type { Tables } from '#server/kit/sql/tables.ts'
import type { Scope } from '#server/kit/scope.ts'

/** A transaction that is not bound to a unit: the service's or the administration's. Work for one unit goes through `within` (database.ts). */
export type Tx = Transaction<Tables>
/** The service's transaction, for rows of no unit, and for jobs and batches. */
export type ServiceTx = Tx & { readonly [isOf]: 'service' }
/** The administration's transaction across all units. */
export type AllUnitsTx = Tx & { readonly [isOf]: 'administration' }
/** The transaction of the retention, which alone changes people, versions and histories after they were written (decision 64). */
export type PrivacyTx = Tx & { readonly [isOf]: 'privacy' }

declare const isOf: unique symbol

/** A table with rows of units, or `business_units` with the unit's own row. */
export type UnitTable =
  | { [T in keyof Tables]: Tables[T] extends { business_unit_id: unknown } ? T : never }[keyof Tables]
  | 'business_units'
/** A table whose rows belong to no unit, such as products and places. */
export type SharedTable = Exclude<keyof Tables, UnitTable>
/** Selects from tables whose rows belong to no unit. */
export type SharedReader = { selectFrom<T extends SharedTable>(table: T): Select<T> }
/** Selects from one such table: a `SharedReader` or a transaction. */
export type ReaderOf<T extends SharedTable> = { selectFrom(table: T): Select<T> }
/** A row to insert, without its unit, which the transaction adds. */
export type UnitRow<T extends keyof Tables> = Omit<InsertObject<Tables, T>, 'business_unit_id'>

/**
 * A transaction within one business unit (decision 29). It selects, updates and deletes the unit's rows only, and inserts rows for no other unit;
 * row-level security enforces the same under the unit's role. Joined tables, subqueries and raw SQL must name the unit themselves. Only
 * database.ts creates one, and only from a `Scope`.
 */
export class UnitTransaction implements QueryExecutorProvider {
  readonly scope: Scope
  readonly #tx: Tx
  readonly #afterCommit: (() => void)[] | undefined

  constructor(tx: Tx, scope: Scope, afterCommit: (() => void)[] | undefined) {
    this.#tx = tx
    this.scope = scope
    this.#afterCommit = afterCommit
  }

  get businessUnitId(): string {
    return this.scope.businessUnitId
  }

  selectFrom<T extends UnitTable>(table: T): Select<T> {
    // Safe: see the types below.
    return this.#tx.selectFrom<UnitTable>(table).where(unitColumn(table), '=', this.businessUnitId) as Select<T>
  }

  insertInto<T extends Exclude<UnitTable, 'business_units'>>(table: T): { values(rows: UnitRow<T> | readonly UnitRow<T>[]): Insert<T> } {
    const own = { business_unit_id: this.businessUnitId }
    return {
      values: rows => {
        // Safe: every row is an object.
        const all = ([rows].flat() as object[]).map(row => ({ ...row, ...own }))
        // Safe: see the types below.
        return this.#tx.insertInto<UnitTable>(table).values(all) as unknown as Insert<T>
      },
    }
  }

  updateTable<T extends UnitTable>(table: T): Update<T> {
    // Safe: see the types below.
    return this.#tx.updateTable<UnitTable>(table).where(unitColumn(table), '=', this.businessUnitId) as unknown as Update<T>
  }

  deleteFrom<T extends Exclude<UnitTable, 'business_units'>>(table: T): Delete<T> {
    // Safe: see the types below.
    return this.#tx.deleteFrom<UnitTable>(table).where(unitColumn(table), '=', this.businessUnitId) as Delete<T>
  }

  /** Reads a table whose rows belong to no unit. */
  selectFromShared<T extends SharedTable>(table: T): Select<T> {
    return this.#tx.selectFrom<SharedTable>(table)
  }

  /** Selects from this transaction's own queries, which are within the unit. It has no tables. */
  get derived(): Pick<Kysely<NoTables>, 'selectFrom' | 'with'> {
    return this.#tx
  }

  /** Calls `then` once the transaction is committed; never, if it is rolled back. */
  afterCommit(then: () => void): void {
    if (!this.#afterCommit) throw new Error('nothing runs after the commit of a transaction that database.ts did not open')
    this.#afterCommit.push(then)
  }

  /** Lets raw SQL run in this transaction: `` sql`...`.execute(tx) ``. */
  getExecutor(): QueryExecutor {
    return this.#tx.getExecutor()
  }
}

/** A unit's view of an unbound transaction, `whole`, for jobs, batches and the administration. */
export class UnitWithin<Whole extends Tx> extends UnitTransaction {
  readonly whole: Whole

  constructor(whole: Whole, scope: Scope, afterCommit: (() => void)[] | undefined) {
    super(whole, scope, afterCommit)
    this.whole = whole
  }
}

type NoTables = { readonly [table: symbol]: never }

// Kysely cannot infer the types of a table that is a type parameter. These are the types that it infers for each concrete table, so the casts above
// are safe.
type Select<T extends keyof Tables> = SelectQueryBuilder<Tables, T, object>
type Insert<T extends keyof Tables> = InsertQueryBuilder<Tables, T, InsertResult>
type Update<T extends keyof Tables> = UpdateQueryBuilder<Tables, T, T, UpdateResult>
type Delete<T extends keyof Tables> = DeleteQueryBuilder<Tables, T, DeleteResult>

/** Returns the unit's column with its table's name, so that a join does not make it ambiguous. */
const unitColumn = (table: UnitTable) => sql.ref<string>(table === 'business_units' ? 'business_units.id' : `${table}.business_unit_id`)
