import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { sql } from 'kysely'
import { asOwner, type Database, type ServiceTx, takeRole, type Tx, withoutLimits } from '#server/kit/database.ts'
import { linesOf } from '#server/kit/store/lines.ts'
import { holdJobs } from '#server/kit/work/hold.ts'
import { appliedMigrations } from './migrate.ts'

/**
 * A logical copy of everything, table by table, as packed lines of JSON: it can be read back into an embedded database or a server,
 * whichever it came from. All of it is of one moment.
 */
export async function backup(database: Database, file: string, progress: (table: string, rows: number) => void): Promise<number> {
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
        await pipeline(lines(), createGzip(), createWriteStream(partial, { mode: 0o600 }))
      })
    // A file by the wanted name is a whole one.
    await rename(partial, file)
  } catch (error) {
    await rm(partial, { force: true })
    throw error
  }
  return rows
}

/**
 * Reads a copy back into a database that has the schema and nothing else. All of it arrives, or nothing. Its jobs are held. It goes on as the
 * installation that it is of, unless that one lives on beside it (`asCopy`).
 */
export async function restore(
  database: Database,
  file: string,
  progress: (table: string, rows: number) => void,
  { asCopy = false }: { asCopy?: boolean } = {},
): Promise<number> {
  return database.atLeisure(async tx => {
    const tables = await tablesInOrder(tx)
    await refuseUsed(tx)
    // What a start fills in by itself gives way. The audit nobody may empty, not even the owner of the tables.
    const empty = sql.raw(
      `truncate ${tables
        .filter(name => name !== 'audit')
        .map(quoted)
        .join(', ')}`,
    )
    await asOwner(tx, () => empty.execute(tx))
    let [table, rows, whole] = ['', 0, false]
    let batch: string[] = []
    const flush = async () => {
      if (batch.length > 0) await insertRows(tx, table, batch)
      batch = []
    }
    for await (const line of linesOf(file, true)) {
      const sign =
        line.startsWith('{"portolan":') || line.startsWith('{"table":') || line.startsWith('{"end":')
          ? (JSON.parse(line) as Sign)
          : undefined
      if (sign?.migrations) await refuseOtherSchema(tx, sign.migrations)
      else if (sign?.table !== undefined) {
        await flush()
        if (!tables.includes(sign.table)) throw new Error(`the copy has a table that this version does not know: ${sign.table}`)
        table = sign.table
      } else if (sign?.end !== undefined) whole = sign.end === rows
      else {
        batch.push(line)
        rows += 1
        if (batch.length === 500) await flush()
        if (rows % 10_000 === 0) progress(table, rows)
      }
      if (sign?.end !== undefined) await flush()
    }
    if (!whole) throw new Error('the copy is not whole: its end is missing')
    await holdJobs(tx)
    if (asCopy) await becomeAnother(tx)
    return rows
  })
}

/** An installation of its own at the card network. Payments that are under way there are the original's: here nobody waits for them. */
async function becomeAnother(tx: ServiceTx): Promise<void> {
  await tx.updateTable('installation').set({ id: randomUUID() }).execute()
  await tx
    .updateTable('payments')
    .set({ state: 'closed', check_at: null })
    .where('gateway', '=', 'StripeV2')
    .where('state', '=', 'open')
    .execute()
}

/** What is there is never overwritten: a copy is read into a fresh database only. */
async function refuseUsed(tx: ServiceTx): Promise<void> {
  const used = [await tx.selectFrom('users').select('id').limit(1).execute(), await tx.selectFrom('audit').select('id').limit(1).execute()]
  if (used.some(rows => rows.length > 0))
    throw new Error('this database is in use. Restore into an empty one: another DATA_DIR or DATABASE_URL')
}

/** The lines between the rows: of what schema the copy is, which table follows, and how many rows there were. */
type Sign = { migrations?: string[]; table?: string; end?: number }

async function refuseOtherSchema(tx: ServiceTx, copied: string[]): Promise<void> {
  const own = await appliedMigrations(tx)
  if (copied.join() !== own.join())
    throw new Error(`the copy is of another version of the schema (${copied.at(-1)}, here ${own.at(-1)}): use the version that made it`)
}

/** The tables of the schema, each after those that it refers to. A reference that is looked at only when all has arrived sets no order. */
async function tablesInOrder(tx: Tx): Promise<string[]> {
  const { rows: names } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' and table_name not like 'kysely%' order by 1`.execute(tx)
  const { rows: references } = await sql<{ from: string; to: string }>`
    select conrelid::regclass::text as "from", confrelid::regclass::text as "to" from pg_constraint
    where contype = 'f' and not condeferred and connamespace = 'public'::regnamespace and conrelid <> confrelid`.execute(tx)
  const ordered: string[] = []
  const place = (name: string) => {
    if (ordered.includes(name)) return
    for (const { to } of references.filter(({ from }) => from === name)) place(to)
    ordered.push(name)
  }
  for (const { name } of names) place(name)
  return ordered
}

const quoted = (name: string): string => `"${name}"`

/** As JSON made by the database itself, so that every type is written and read by the same hand. Read by a cursor: memory stays flat. */
async function* rowsOf(tx: Tx, table: string): AsyncGenerator<string> {
  await sql.raw(`declare copied no scroll cursor for select row_to_json(t)::text as row from ${quoted(table)} t`).execute(tx)
  for (;;) {
    const { rows } = await sql<{ row: string }>`fetch 500 from copied`.execute(tx)
    for (const { row } of rows) yield row
    if (rows.length < 500) break
  }
  await sql`close copied`.execute(tx)
}

/** What the database works out by itself is not written. */
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
