import { sql } from 'kysely'
import { atLeisureAlone, type Database } from '#server/kit/database.ts'
import { columns } from '../registry.ts'

/** Tables with columns about persons. */
const personal = Object.keys(columns).filter(table => Object.keys(columns[table] ?? {}).some(kind => kind !== 'none'))

/** Rewriting so many bytes takes a second or two, in which every call waits. */
const mostBytes = 32 * 1024 * 1024

/**
 * Removes from the embedded database's files what was erased from its tables. PostgreSQL only marks rows as dead: their bytes stay in the pages, in the
 * samples of the statistics and in used files of the log. Larger tables keep them until new rows take their place (docs/privacy.md).
 */
export async function scrub(database: Database): Promise<void> {
  const once = (statement: ReturnType<typeof sql>) => atLeisureAlone(database, db => statement.execute(db))
  for (const table of [...personal, 'pg_statistic']) {
    const { rows } = await once(sql`select pg_total_relation_size(${table}::regclass) as bytes`)
    // Safe: the query returns it.
    const [size] = rows as { bytes: number }[]
    if (Number(size?.bytes) <= mostBytes) await once(sql`vacuum (full) ${sql.table(table)}`)
  }
  await atLeisureAlone(database, async db => {
    await sql`set wal_recycle = off`.execute(db)
    await sql`select pg_switch_wal()`.execute(db)
    await sql`checkpoint`.execute(db)
  })
}
