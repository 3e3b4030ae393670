import { statfs } from 'node:fs/promises'
import { type CompiledQuery, type Dialect, DummyDriver, Kysely, sql, Transaction } from 'kysely'
import pg from 'pg'
import type { Tables } from '#server/kit/sql/tables.ts'
import { type OwnFolder, ownFolder } from '#server/kit/engine/own-folder.ts'
import { embeddedOf } from '#server/kit/store/embedded.ts'
import { noticesOfServer } from './notices/hearing.ts'
import { type Notices, noticesInProcess } from './notices/notices.ts'
import type { AllUnits, Scope } from './scope.ts'
import { asWholeTransaction, withTheNext } from './sql/connection.ts'
import { dialectOf, openDistribution } from './sql/dialect.ts'
import { isOfAPlan, openPlans } from './sql/plans.ts'
import {
  type AllUnitsTx,
  type PrivacyTx,
  type ServiceTx,
  type SharedReader,
  type SharedTable,
  type Tx,
  UnitTransaction,
  UnitWithin,
} from './sql/unit.ts'
import { valueTypes } from '#server/kit/store/value-types.ts'

export type { AllUnitsTx, PrivacyTx, ReaderOf, ServiceTx, Tx } from './sql/unit.ts'
/** A transaction within one unit. */
export type UnitTx = UnitTransaction
/** A unit's view of the service's transaction, which is its `whole`. */
export type UnitWithinTx = UnitWithin<ServiceTx>
/** A unit's view of the retention's transaction. */
export type PrivacyUnitTx = UnitWithin<PrivacyTx>

/** Runs one statement as a transaction of the service. */
export type RunAlone = <R>(query: CompiledQuery<R>) => Promise<R[]>

type Role = 'portolan_app' | 'portolan_admin' | 'portolan_service' | 'portolan_privacy' | 'none'

/**
 * Gives access to all rows, in transactions under one of four roles. That of a unit is bound by row-level security. That of the administration spans all
 * units. That of the service also has rows without a unit (sign-in, the outbox, the catalogue). That of the retention blocks and erases personal data.
 * `shared`, `ping`, `kysely` and `pool` take no role: their queries are the table owner's, to whom row-level security shows no unit's row (decision 25).
 */
export type Database = {
  inScope<T>(scope: Scope, work: (tx: UnitTx) => Promise<T>): Promise<T>
  /** Runs one statement as a transaction within a unit, sent in one packet with begin and commit. */
  statementInScope<R>(scope: Scope, query: CompiledQuery<R>): Promise<R[]>
  acrossUnits<T>(all: AllUnits, work: (tx: AllUnitsTx) => Promise<T>): Promise<T>
  asService<T>(work: (tx: ServiceTx) => Promise<T>): Promise<T>
  asPrivacy<T>(work: (tx: PrivacyTx) => Promise<T>): Promise<T>
  /** As the service, without time limits: for operators' commands, and for work before the first call. */
  atLeisure<T>(work: (tx: ServiceTx) => Promise<T>): Promise<T>
  /** Lends one connection. Each statement on it is a transaction of the service, sent in one packet with begin and commit. */
  onConnection: <T>(work: (alone: RunAlone) => Promise<T>) => Promise<T>
  /** False if the embedded database's disk is nearly full. A server's disk is watched by its own operator. */
  hasRoom(): Promise<boolean>
  readonly embedded: boolean
  /** True if the database may be distributed over machines (docs/scaling.md). Known within a transaction. */
  isDistributed(): boolean
  /** Reads tables whose rows belong to no unit, such as places. */
  readonly shared: SharedReader
  /** Resolves if the database responds. */
  ping(): Promise<unknown>
  /** Announces changes of tables on all nodes. */
  readonly notices: Notices
  /** Only the kit counts its connections. */
  readonly pool: pg.Pool
  /** Only the schema and copies use it (server/database), and tests. */
  readonly kysely: Kysely<Tables>
  close(): Promise<void>
}

/** Opens the server or the embedded database. Calls `owned` once the folder is locked, before anything is created in it. */
export async function openDatabase(
  options: { DATABASE_URL?: string | undefined; DATABASE_POOL: number; DATA_DIR: string; leastRoom?: () => number },
  owned: () => void | Promise<void> = () => {},
): Promise<Database> {
  if (options.DATABASE_URL) {
    await owned()
    const pool = new pg.Pool({
      connectionString: options.DATABASE_URL,
      max: options.DATABASE_POOL,
      connectionTimeoutMillis: 10_000,
      // Set when the connection is opened, so that no statement or forgotten transaction holds locks for ever.
      options: '-c statement_timeout=30s -c idle_in_transaction_session_timeout=60s -c lock_timeout=10s',
      types: valueTypes,
      // Several statements may be running on one connection (sql/connection.ts).
      pipeline: true,
    })
    return databaseOf(pool, false, () => pool.end())
  }
  return openOwn(await ownFolder(options.DATA_DIR, owned), options)
}

/** Opens the embedded database, whose engine is already starting. */
export async function openOwn({ engine, release }: OwnFolder, options: { DATA_DIR: string; leastRoom?: () => number }): Promise<Database> {
  const embedded = embeddedOf(await engine)
  const close = async () => {
    await embedded.close()
    release()
  }
  return { ...databaseOf(embedded.pool, true, close), hasRoom: () => hasRoom(options.DATA_DIR, options.leastRoom?.() ?? twoLogFiles) }
}

/** The embedded database writes its log in files of 16 MB. Without room for two it still reads, and refuses writes. */
const twoLogFiles = 32 * 1024 * 1024

async function hasRoom(folder: string, least: number): Promise<boolean> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize >= least
}

export function databaseOf(pool: pg.Pool, embedded: boolean, close: () => Promise<void>): Database {
  // A connection that dies while idle or between two statements is replaced at its next use; without a listener its error
  // would end the process.
  pool.on('error', () => {})
  pool.on('connect', client => client.on('error', () => {}))
  const plans = openPlans()
  const { notices, announcer } = embedded ? noticesInProcess() : noticesOfServer(pool)
  const distribution = openDistribution(embedded)
  const dialect = dialectOf(pool, plans, announcer, distribution)
  const kysely = new Kysely<Tables>({ dialect })

  async function transact<T>(role: string, work: (tx: Tx) => Promise<T>): Promise<T> {
    const then: (() => void)[] = []
    const outcome = await kysely.transaction().execute(async one => {
      const tx = await pipelined(one, dialect)
      await tx.executeQuery(withTheNext(role))
      afterCommit.set(tx, then)
      return work(tx)
    })
    for (const each of then) each()
    return outcome
  }

  /** Retries with new plans if PostgreSQL refused one, in which case it has done nothing yet. */
  async function replanned<T>(work: () => Promise<T>): Promise<T> {
    const since = plans.generation()
    try {
      return await work()
    } catch (error) {
      if (!isOfAPlan(error)) throw error
      plans.forget(since)
      return work()
    }
  }

  return {
    hasRoom: () => Promise.resolve(true),
    embedded,
    isDistributed: () => distribution.isDistributed(),
    shared: { selectFrom: table => kysely.selectFrom<SharedTable>(table) },
    ping: () => sql`select 1`.execute(kysely),
    notices,
    pool,
    kysely,
    inScope: (scope, work) => replanned(() => transact(settingsOf(scope), tx => work(new UnitTransaction(tx, scope, afterCommitOf(tx))))),
    statementInScope: (scope, query) =>
      kysely.connection().execute(db => replanned(async () => (await db.executeQuery(asWholeTransaction(query, settingsOf(scope)))).rows)),
    // Safe: the type only names the role that the transaction has taken.
    acrossUnits: (_all, work) => replanned(() => transact(settingOf('portolan_admin'), tx => work(tx as AllUnitsTx))),
    // Safe: the type only names the role that the transaction has taken.
    asService: work => replanned(() => transact(settingOf('portolan_service'), tx => work(tx as ServiceTx))),
    // Safe: the type only names the role that the transaction has taken.
    asPrivacy: work => replanned(() => transact(settingOf('portolan_privacy'), tx => work(tx as PrivacyTx))),
    atLeisure: work =>
      replanned(() =>
        transact(settingOf('portolan_service'), async tx => {
          await withoutLimits(tx)
          // Safe: the type only names the role that the transaction has taken.
          return work(tx as ServiceTx)
        }),
      ),
    onConnection: work =>
      kysely
        .connection()
        .execute(db =>
          work(query => replanned(async () => (await db.executeQuery(asWholeTransaction(query, settingOf('portolan_service')))).rows)),
        ),
    async close() {
      await notices.stop()
      await close()
    },
  }
}

const settingOf = (role: Role): string => `set local role ${role}`

/** Takes the unit's role and binds it to the unit. */
const settingsOf = ({ businessUnitId }: Scope): string =>
  `${settingOf('portolan_app')}; set local portolan.business_unit = ${pg.escapeLiteral(businessUnitId)}`

export const takeRole = (tx: Tx, role: Role): Promise<unknown> => tx.executeQuery(withTheNext(settingOf(role)))

/** Returns a unit's view of the service's or the administration's transaction. It is for work on behalf of a unit. */
export const within = <Whole extends Tx>(tx: Whole, scope: Scope): UnitWithin<Whole> => new UnitWithin(tx, scope, afterCommitOf(tx))

/** True for a transaction that is bound to a unit, in functions that take both kinds. */
export const isOfUnit = (tx: Tx | UnitTx): tx is UnitTx => tx instanceof UnitTransaction

const afterCommitOf = (tx: Tx): (() => void)[] | undefined => afterCommit.get(tx)

/** The callbacks of each open transaction, to run after its commit. */
const afterCommit = new WeakMap<Tx, (() => void)[]>()

/** Runs work as the owner of the tables, within the service's transaction. The owner may change tables but sees no unit's row. */
export async function asOwner<T>(tx: ServiceTx, work: () => Promise<T>): Promise<T> {
  await takeRole(tx, 'none')
  const outcome = await work()
  await takeRole(tx, 'portolan_service')
  return outcome
}

/** Removes the time limits on statements and locks until the end of this transaction. */
export const withoutLimits = (tx: Tx): Promise<unknown> => liftLimits(tx, true)

/** Runs work without time limits on a connection of its own, for work that cannot be one transaction. */
export const atLeisureAlone = <T>({ kysely }: Database, work: (db: Kysely<Tables>) => Promise<T>): Promise<T> =>
  kysely.connection().execute(async db => {
    await liftLimits(db, false)
    try {
      return await work(db)
    } finally {
      for (const limit of limits) await sql`reset ${sql.ref(limit)}`.execute(db)
    }
  })

const liftLimits = (db: Kysely<Tables>, isLocal: boolean): Promise<unknown> =>
  sql`select set_config(name, '0', ${isLocal}) from unnest(${limits}::text[]) as name`.execute(db)

const limits = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout']

/**
 * Returns a transaction whose statements need not wait for each other. They are sent in the order in which they are asked for, and those of one turn
 * (`Promise.all`) in one packet. Kysely would send each after the result of the one before.
 */
async function pipelined(tx: Transaction<Tables>, dialect: Dialect): Promise<Transaction<Tables>> {
  const executor = tx.getExecutor()
  const connection = await executor.provideConnection(each => Promise.resolve(each))
  return new Transaction({
    config: { dialect },
    dialect,
    // Only a new connection or a new transaction would use the driver.
    driver: new DummyDriver(),
    executor: executor.withConnectionProvider({ provideConnection: work => work(connection) }),
  })
}
