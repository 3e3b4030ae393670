import { randomUUID } from 'node:crypto'
import { rename, rm } from 'node:fs/promises'
import { sql } from 'kysely'
import { asOwner, type Database, type ServiceTx, takeRole, type Tx, withoutLimits } from '#server/kit/database.ts'
import { linesIn } from '#server/kit/store/lines.ts'
import { holdJobs } from '#server/kit/work/jobs.ts'
import { takeNumbers } from '#server/policies/public.ts'
import { readBackup, writeBackup } from './backup-file.ts'
import { appliedMigrations } from './migrate.ts'

/**
 * Writes a logical copy of all tables as compressed lines of JSON. It can be restored into an embedded database or a server, whichever it came from.
 * All of it is of one moment. The first of the keys, if there is any, encrypts it.
 */
export async function backup(
  database: Database,
  file: string,
  progress: (table: string, rows: number) => void,
  { keys: [key] = [] }: { keys?: readonly string[] } = {},
): Promise<number> {
  const partial = `${file}.partial`
  let rows = 0
  try {
    await database.kysely
      .transaction()
      .setIsolationLevel('repeatable read')
      .execute(async tx => {
        await takeRole(tx, 'portolan_service')
        await withoutLimits(tx)
        const lines = async function* () {
          yield `${JSON.stringify({ portolan: 1, migrations: await appliedMigrations(tx) })}\n`
          for (const table of await tablesInOrder(tx)) {
            yield `${JSON.stringify({ table })}\n`
            for await (const row of rowsOf(tx, table)) {
              rows += 1
              if (rows % 10_000 === 0) progress(table, rows)
              yield `${row}\n`
            }
          }
          yield `${JSON.stringify({ end: rows })}\n`
        }
        await writeBackup(partial, lines(), key)
      })
    // A file with the final name is always complete.
    await rename(partial, file)
  } catch (error) {
    await rm(partial, { force: true })
    throw error
  }
  return rows
}

/** How many policy numbers a restore leaves out: more than are sold between two copies. Seven digits suffice for ninety restores. */
export const numbersLeftOut = 100_000

/**
 * Restores a copy into a database that has only the schema, completely or not at all. Its jobs are held, and it gives out no number that was sold after
 * the copy was made. It continues the installation that it was copied from, unless that one goes on running (`asCopy`).
 */
export async function restore(
  database: Database,
  file: string,
  progress: (table: string, rows: number) => void,
  { asCopy = false, keys = [] }: { asCopy?: boolean; keys?: readonly string[] } = {},
): Promise<number> {
  return database.atLeisure(async tx => {
    const tables = await tablesInOrder(tx)
    await refuseUsed(tx)
    const content = await readBackup(file, keys)
    // Rows that a start adds by itself are removed. The audit is left out, because not even the owner of the tables may empty it.
    const empty = sql.raw(
      `truncate ${tables
        .filter(name => name !== 'audit')
        .map(quoted)
        .join(', ')}`,
    )
    await asOwner(tx, () => empty.execute(tx))
    let [table, rows, isComplete] = ['', 0, false]
    let batch: string[] = []
    const flush = async () => {
      if (batch.length > 0) await insertRows(tx, table, batch)
      batch = []
    }
    for await (const line of linesIn(content)) {
      const marker =
        line.startsWith('{"portolan":') || line.startsWith('{"table":') || line.startsWith('{"end":')
          ? // Safe: `backup` writes these lines, and no row has such a first field.
            (JSON.parse(line) as Marker)
          : undefined
      if (marker?.migrations) await refuseOtherSchema(tx, marker.migrations)
      else if (marker?.table !== undefined) {
        await flush()
        if (!tables.includes(marker.table)) throw new Error(`the copy has a table that this version does not know: ${marker.table}`)
        table = marker.table
      } else if (marker?.end !== undefined) isComplete = marker.end === rows
      else {
        batch.push(line)
        rows += 1
        if (batch.length === 500) await flush()
        if (rows % 10_000 === 0) progress(table, rows)
      }
      if (marker?.end !== undefined) await flush()
    }
    if (!isComplete) throw new Error('the copy is not whole: its end is missing')
    await holdJobs(tx)
    await takeNumbers(tx, numbersLeftOut)
    if (asCopy) await becomeNewInstallation(tx)
    return rows
  })
}

/**
 * Makes the copy an installation of its own at the card network. Open payments belong to the original, so the copy closes them, and the changes that
 * wait for them expire.
 */
async function becomeNewInstallation(tx: ServiceTx): Promise<void> {
  await tx.updateTable('installation').set({ id: randomUUID() }).execute()
  await tx
    .updateTable('payments')
    .set({ state: 'closed', check_at: null })
    .where('gateway', '=', 'StripeV2')
    .where('state', '=', 'open')
    .execute()
  await tx
    .updateTable('open_changes')
    .set(eb => ({ state: 'expired', ended_at: eb.ref('until'), asked: null, step: null, sealed: null, sealed_by: null, request_key: null }))
    .where('ended_at', 'is', null)
    .execute()
}

/** Throws if the database has been used: a copy never overwrites data. */
async function refuseUsed(tx: ServiceTx): Promise<void> {
  const used = [await tx.selectFrom('users').select('id').limit(1).execute(), await tx.selectFrom('audit').select('id').limit(1).execute()]
  if (used.some(rows => rows.length > 0))
    throw new Error('this database is in use. Restore into an empty one: another DATA_DIR or DATABASE_URL')
}

/** A line between rows. It has the migrations of the schema, the table that follows, or the number of rows at the end. */
type Marker = { migrations?: string[]; table?: string; end?: number }

async function refuseOtherSchema(tx: ServiceTx, copied: string[]): Promise<void> {
  const own = await appliedMigrations(tx)
  if (copied.join() !== own.join())
    throw new Error(`the copy is of another version of the schema (${copied.at(-1)}, here ${own.at(-1)}): use the version that made it`)
}

/** Returns the tables, each after those that it refers to. A reference that is checked only at the commit does not count. */
async function tablesInOrder(tx: Tx): Promise<string[]> {
  const { rows: names } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' and table_name not like 'kysely%' order by 1`.execute(tx)
  const { rows: references } = await sql<{ from: string; to: string }>`
    select conrelid::regclass::text as "from", confrelid::regclass::text as "to" from pg_constraint
    where contype = 'f' and not condeferred and connamespace = 'public'::regnamespace and conrelid <> confrelid`.execute(tx)
  const ordered: string[] = []
  const add = (name: string) => {
    if (ordered.includes(name)) return
    for (const { to } of references.filter(({ from }) => from === name)) add(to)
    ordered.push(name)
  }
  for (const { name } of names) add(name)
  return ordered
}

const quoted = (name: string): string => `"${name}"`

/** Yields rows as JSON of the database itself, which also reads it, so that every type is kept. A cursor keeps memory constant. */
async function* rowsOf(tx: Tx, table: string): AsyncGenerator<string> {
  await sql.raw(`declare copied no scroll cursor for select row_to_json(t)::text as row from ${quoted(table)} t`).execute(tx)
  for (;;) {
    const { rows } = await sql<{ row: string }>`fetch 500 from copied`.execute(tx)
    for (const { row } of rows) yield row
    if (rows.length < 500) break
  }
  await sql`close copied`.execute(tx)
}

/** Inserts rows, without generated columns. */
async function insertRows(tx: ServiceTx, table: string, batch: string[]): Promise<void> {
  const { rows: columns } = await sql<{ name: string }>`
    select column_name as name from information_schema.columns
    where table_schema = 'public' and table_name = ${table} and is_generated = 'NEVER' order by ordinal_position`.execute(tx)
  const names = sql.raw(columns.map(({ name }) => quoted(name)).join(', '))
  const rows = `[${batch.join(',')}]`
  await sql`insert into ${sql.table(table)} (${names}) select ${names} from json_populate_recordset(null::${sql.table(table)}, ${rows}::json)`.execute(
    tx,
  )
}
