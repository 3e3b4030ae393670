import type { Compilable, Kysely } from 'kysely'
import type { Tables } from '#server/database/tables.ts'
import { alone, type Line } from './alone.ts'

/**
 * A statement that every call asks: written out once, and planned once for each connection, which for a join of a few tables takes many
 * times as long as carrying it out. It is asked as the service, alone. Its columns are named one by one, for its shape must not change beneath a running node.
 */
export function prepared<Row extends object, Given extends unknown[]>(
  name: string,
  write: (db: Kysely<Tables>, ...given: Given) => Compilable<Row>,
): (asked: Asked, ...given: Given) => Promise<Row[]> {
  let written: { text: string; places: readonly unknown[] } | undefined
  return async ({ kysely, line }, ...given) => {
    if (!written) {
      const { sql, parameters } = write(kysely, ...(given.map((_, place) => new Place(place)) as Given)).compile()
      written = { text: sql, places: parameters }
    }
    const { text } = written
    const values = written.places.map(each => (each instanceof Place ? given[each.of] : each))
    try {
      return (await alone(line, () => line.query<Row>({ name, text, values }))).rows
    } catch (error) {
      // A migration has changed what it was planned for ("cached plan must not change result type").
      if ((error as { code?: unknown }).code !== '0A000') throw error
      return (await alone(line, () => line.query<Row>(text, values))).rows
    }
  }
}

type Asked = { kysely: Kysely<Tables>; line: Line }

/** Where a value goes that differs from call to call. */
class Place {
  readonly of: number
  constructor(of: number) {
    this.of = of
  }
}
