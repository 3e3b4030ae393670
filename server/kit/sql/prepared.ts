import type { Compilable, CompiledQuery, Kysely } from 'kysely'
import type { Tables } from '#server/kit/sql/tables.ts'

/**
 * Returns a statement that is compiled once and filled with the values of each call, for what every call asks: to write out a join of a few
 * tables takes longer than to send it. Its columns are named one by one, for its shape must not change beneath a running node.
 */
export function prepared<Row extends object, Values extends unknown[]>(
  write: (db: Kysely<Tables>, ...values: Values) => Compilable<Row>,
): (db: Kysely<Tables>, ...values: Values) => CompiledQuery<Row> {
  let compiled: CompiledQuery<Row> | undefined
  return (db, ...values) => {
    // Only the compiler sees the slots, and it looks into no parameter.
    compiled ??= write(db, ...(values.map((_, index) => new Slot(index)) as Values)).compile()
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
