import { type RawBuilder, sql, type SqlBool } from 'kysely'
import type { Database, Tx } from '#server/kit/database.ts'
import type { Secrets } from '#server/kit/store/secrets.ts'

/** Rows whose column `sealed_by` names the key that sealed them. */
export type SealedRows = {
  table: string
  /** True for rows that an older version stored openly. */
  isOpen: RawBuilder<SqlBool>
  /** Runs a small transaction that may change the rows. */
  inTx: <T>(database: Database, work: (tx: Tx) => Promise<T>) => Promise<T>
  /** Seals some rows that one key sealed, or none, with the present key. Rows that another node seals are left to it. Returns how many. */
  seal: (secrets: Secrets, tx: Tx, key: string | null) => Promise<number>
}

type Sealing = { database: Database; secrets: Secrets }

/** Returns the keys by which rows are sealed; null stands for rows that are not. Reads one row for each. */
async function keysOf(tx: Tx, { table, isOpen }: SealedRows): Promise<(string | null)[]> {
  // Each name says whose column it is: a table may have one that is called like those of the query.
  const { rows } = await sql<{ key: string | null }>`
    with recursive found as (
      (select stored.sealed_by as key from ${sql.table(table)} as stored where stored.sealed_by is not null order by stored.sealed_by limit 1)
      union all
      select (select stored.sealed_by from ${sql.table(table)} as stored where stored.sealed_by > found.key order by stored.sealed_by limit 1)
      from found where found.key is not null)
    select found.key from found where found.key is not null
    union all
    (select null from ${sql.table(table)} where ${isOpen} limit 1)`.execute(tx)
  return rows.map(({ key }) => key)
}

/** Throws if a key is missing that sealed rows, so that the start tells it and not a user's page. */
export async function checkSealedRows({ database, secrets }: Sealing, all: readonly SealedRows[]): Promise<void> {
  for (const rows of all) for (const key of await rows.inTx(database, tx => keysOf(tx, rows))) if (key !== null) secrets.demandKey(key)
}

/**
 * Seals with the present key all rows that an older version left open, or that a former key sealed, in small transactions. Users and other nodes may
 * work meanwhile. Returns how many rows they were.
 */
export async function resealRows({ database, secrets }: Sealing, rows: SealedRows, isStopping = () => false): Promise<number> {
  let all = 0
  for (const key of await rows.inTx(database, tx => keysOf(tx, rows))) {
    if (key === secrets.sealedBy) continue
    let sealed = 0
    do {
      sealed = isStopping() ? 0 : await rows.inTx(database, tx => rows.seal(secrets, tx, key))
      all += sealed
    } while (sealed > 0)
  }
  return all
}
