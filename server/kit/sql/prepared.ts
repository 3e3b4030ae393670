import {
  type Compilable,
  type CompiledQuery,
  type DatabaseConnection,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from 'kysely'
import type { Tables } from '#server/kit/sql/tables.ts'

/**
 * Returns a statement that is compiled once and filled with the values of each call. It is for queries of every request: compiling a join takes
 * longer than sending it. Its columns must be named one by one, because its shape must not change while a node runs.
 */
export function prepared<Row extends object, Values extends unknown[]>(
  write: (db: Kysely<Tables>, ...values: Values) => Compilable<Row>,
): (...values: Values) => CompiledQuery<Row> {
  let compiled: CompiledQuery<Row> | undefined
  return (...values) => {
    // Safe: only the compiler gets the slots, and it does not read parameters.
    compiled ??= write(compiler, ...(values.map((_, index) => new Slot(index)) as Values)).compile()
    return { ...compiled, parameters: compiled.parameters.map(each => (each instanceof Slot ? values[each.index] : each)) }
  }
}

/** Stands for a value that differs from call to call. */
class Slot {
  readonly index: number
  constructor(index: number) {
    this.index = index
  }
}

class NoDriver extends DummyDriver {
  override acquireConnection(): Promise<DatabaseConnection> {
    return Promise.reject(new Error('the compiler has no connection'))
  }
}

/** Compiles queries for `onConnection`, and cannot run them. */
export const compiler = new Kysely<Tables>({
  dialect: {
    createDriver: () => new NoDriver(),
    createQueryCompiler: () => new PostgresQueryCompiler(),
    createAdapter: () => new PostgresAdapter(),
    createIntrospector: db => new PostgresIntrospector(db),
  },
})
