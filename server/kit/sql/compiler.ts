import { type DatabaseConnection, DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'
import type { Tables } from '#server/kit/sql/tables.ts'

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
