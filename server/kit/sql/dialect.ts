import {
  type Dialect,
  type Driver,
  type Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryCompiler,
  type TransactionSettings,
} from 'kysely'
import pg from 'pg'
import type { Announcer } from '#server/kit/notices/notices.ts'
import { Connection } from './connection.ts'
import type { Plans } from './plans.ts'

/** Returns the dialect by which Kysely uses the connections of a pool (decision 22). */
export const dialectOf = (pool: pg.Pool, plans: Plans, announcer: Announcer, distribution: Distribution): Dialect => ({
  createDriver: () => driverOf(pool, plans, announcer, distribution),
  createQueryCompiler: (): QueryCompiler => new PostgresQueryCompiler(),
  createAdapter: () => new PostgresAdapter(),
  createIntrospector: (db: Kysely<unknown>) => new PostgresIntrospector(db),
})

function driverOf(pool: pg.Pool, plans: Plans, announcer: Announcer, distribution: Distribution): Driver {
  const connections = new WeakMap<pg.PoolClient, Connection>()
  return {
    init: () => Promise.resolve(),
    async acquireConnection() {
      const client = await pool.connect()
      await distribution.learnFrom(client).catch((error: unknown) => {
        client.release(true)
        throw error
      })
      const connection = connections.get(client) ?? new Connection(client, plans, announcer, distribution.isDistributed())
      connections.set(client, connection)
      connection.acquired()
      return connection
    },
    beginTransaction: (connection, settings) => Promise.resolve(ours(connection).begin(beginning(settings))),
    commitTransaction: connection => ours(connection).commit(),
    rollbackTransaction: connection => ours(connection).rollback(),
    releaseConnection: connection => Promise.resolve(ours(connection).release()),
    destroy: () => pool.end(),
  }
}

function ours(connection: unknown): Connection {
  if (connection instanceof Connection) return connection
  throw new TypeError('a connection of another driver')
}

function beginning({ isolationLevel, accessMode }: TransactionSettings): string {
  return ['begin', isolationLevel && `isolation level ${isolationLevel}`, accessMode].filter(Boolean).join(' ')
}

/** Whether a database may be distributed over machines. Known from its first connection on. */
type Distribution = {
  isDistributed(): boolean
  learnFrom(client: pg.PoolClient): Promise<void>
}

/** The embedded database runs on one machine, and is not asked. */
export function openDistribution(isEmbedded: boolean): Distribution {
  let known: boolean | undefined = isEmbedded ? false : undefined
  return {
    isDistributed: () => known === true,
    async learnFrom(client) {
      if (known !== undefined) return
      const { rows } = await client.query("select from pg_extension where extname = 'citus'")
      known = rows.length > 0
    },
  }
}
