import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { type Kysely, sql } from 'kysely'
import { atLeisureAlone, type Database } from '#server/kit/database.ts'
import type { Tables } from '#server/kit/sql/tables.ts'
import { withColumns } from './written-columns.ts'

/**
 * The functions of the database, one a file, beside the code that calls them. A function has the name of its file, and may call earlier ones. Nodes of
 * the previous version call it until they are stopped, so a change that they would not understand needs a new name.
 */
const files = ['accounting/limit/take_headroom.sql', 'kit/http/keep_reply.sql', 'policies/writing/write_movement.sql']

type Routine = { name: string; text: string; mark: string }

const routines: Routine[] = files.map(file => {
  const text = withColumns(readFileSync(join(import.meta.dirname, '..', file), 'utf8'))
  return { name: basename(file, '.sql'), text, mark: createHash('sha256').update(text).digest('hex') }
})

/** Installs the functions that are missing, or whose text has changed. Several nodes may start at once: the later ones find them installed. */
export async function installRoutines(database: Database): Promise<void> {
  if ((await outdated(database.kysely)).length === 0) return
  await atLeisureAlone(database, db =>
    db.transaction().execute(async tx => {
      await sql`select pg_advisory_xact_lock(hashtextextended('routines', 0))`.execute(tx)
      for (const { name, text, mark } of await outdated(tx)) {
        await sql.raw(text).execute(tx)
        await sql`comment on function ${sql.ref(name)} is ${sql.lit(mark)}`.execute(tx)
      }
    }),
  )
}

/** Returns the functions to install. An installed one carries its mark as a comment. */
async function outdated(db: Kysely<Tables>): Promise<Routine[]> {
  const { rows } = await sql<{ name: string; mark: string | null }>`
    select proname as name, obj_description(oid, 'pg_proc') as mark from pg_proc
    where pronamespace = 'public'::regnamespace and proname = any(${routines.map(({ name }) => name)}::text[])`.execute(db)
  const installed = new Map(rows.map(({ name, mark }) => [name, mark]))
  return routines.filter(({ name, mark }) => installed.get(name) !== mark)
}
