import { type RawBuilder, sql, type SqlBool } from 'kysely'
import type { Database, Tx } from '#server/kit/database.ts'
import type { Secrets } from '#server/kit/store/secrets.ts'

/** Rows whose column `sealed_by` names the key that encrypted them. */
export type SealedRows = {
  table: string
  /** True for rows that an older version stored in clear. */
  isOpen: RawBuilder<SqlBool>
  /** Runs a small transaction that may change the rows. */
  inTx: <T>(database: Database, work: (tx: Tx) => Promise<T>) => Promise<T>
  /** Encrypts some rows of a unit anew that one key encrypted, or none. Skips rows that another node is encrypting. Returns how many. */
  seal: (secrets: Secrets, tx: Tx, key: string | null, unitId: string) => Promise<number>
}

type Sealing = { database: Database; secrets: Secrets }

/**
 * Returns the keys that encrypt rows; null stands for rows in clear. Reads one row for each key, in a query of its own: a recursive one would read only
 * one unit of a distributed table.
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

/** `among`: the rows that are read at all. `isOpen`: true for those that are not encrypted. */
type Among = { isOpen?: RawBuilder<SqlBool>; among?: RawBuilder<SqlBool> }

/** Returns the ids of all units. Rows are locked unit by unit, because a distributed table locks no others. */
export async function unitsOf(tx: Tx): Promise<string[]> {
  const units = await tx.selectFrom('business_units').select('id').orderBy('id').execute()
  return units.map(({ id }) => id)
}

/** Throws at the start if a key of encrypted rows is missing, instead of later on a user's page. */
export async function checkSealedRows({ database, secrets }: Sealing, all: readonly SealedRows[]): Promise<void> {
  for (const rows of all)
    for (const key of await rows.inTx(database, tx => keysIn(tx, rows.table, rows))) if (key !== null) secrets.demandKey(key)
}

/**
 * Encrypts all rows with the present key that an older version left in clear or a former key encrypted, in small transactions. Users and other nodes
 * may work meanwhile. Returns how many rows there were.
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
