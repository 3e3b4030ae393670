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
  /** Seals some rows of a unit that one key sealed, or none, with the present key. Rows that another node seals are left to it. Returns how many. */
  seal: (secrets: Secrets, tx: Tx, key: string | null, unitId: string) => Promise<number>
}

type Sealing = { database: Database; secrets: Secrets }

/**
 * Returns the keys by which rows are sealed; null stands for rows that are not. Reads one row for each, in a statement of its own: a recursive one
 * would read a distributed table of one unit only.
 */
export async function keysIn(tx: Tx, table: string, { isOpen, among = sql`true` }: Among): Promise<(string | null)[]> {
  const keys: (string | null)[] = []
  for (let last = ''; ; ) {
    const { rows } = await sql<{ key: string }>`
      select sealed_by as key from ${sql.table(table)} where ${among} and sealed_by > ${last} order by sealed_by limit 1`.execute(tx)
    if (!rows[0]) break
    last = rows[0].key
    keys.push(last)
  }
  const { rows: open } = isOpen ? await sql`select from ${sql.table(table)} where ${isOpen} limit 1`.execute(tx) : { rows: [] }
  return open.length > 0 ? [...keys, null] : keys
}

/** `among`: the rows that are read at all. `isOpen`: true for those of them that are not sealed. */
type Among = { isOpen?: RawBuilder<SqlBool>; among?: RawBuilder<SqlBool> }

/** Returns the ids of all units. Rows are locked unit by unit, because a distributed table locks no others. */
export async function unitsOf(tx: Tx): Promise<string[]> {
  const units = await tx.selectFrom('business_units').select('id').orderBy('id').execute()
  return units.map(({ id }) => id)
}

/** Throws if a key is missing that sealed rows, so that the start tells it and not a user's page. */
export async function checkSealedRows({ database, secrets }: Sealing, all: readonly SealedRows[]): Promise<void> {
  for (const rows of all)
    for (const key of await rows.inTx(database, tx => keysIn(tx, rows.table, rows))) if (key !== null) secrets.demandKey(key)
}

/**
 * Seals with the present key all rows that an older version left open, or that a former key sealed, in small transactions. Users and other nodes may
 * work meanwhile. Returns how many rows they were.
 */
export async function resealRows({ database, secrets }: Sealing, rows: SealedRows, isStopping = () => false): Promise<number> {
  let all = 0
  const keys = await rows.inTx(database, tx => keysIn(tx, rows.table, rows))
  for (const key of keys.filter(key => key !== secrets.sealedBy))
    for (const unitId of await rows.inTx(database, unitsOf))
      all += await untilNone(isStopping, () => rows.inTx(database, tx => rows.seal(secrets, tx, key, unitId)))
  return all
}

/** Repeats a batch until there is none. Returns the sum. */
export async function untilNone(isStopping: () => boolean, work: () => Promise<number>): Promise<number> {
  let all = 0
  for (let many = 1; many > 0; all += many) many = isStopping() ? 0 : await work()
  return all
}
