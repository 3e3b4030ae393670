import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Kysely, sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { atLeisureAlone, type Database } from '#server/kit/database.ts'
import { ensureRoles } from './roles/ensure.ts'
import type { Tables } from '#server/kit/sql/tables.ts'

const folder = join(import.meta.dirname, 'migrations')

/**
 * Brings the schema up to date, forward only. Several nodes may start at once: the migrator holds a lock of the database until it is done,
 * and who comes later finds nothing left to do.
 */
export async function migrate(database: Database): Promise<string[]> {
  await ensureRoles(database.kysely)
  if (await isUpToDate(database.kysely)) return []
  // An index on millions of rows takes its time, and who comes second waits for it.
  return atLeisureAlone(database, migrateOn)
}

async function migrateOn(db: Kysely<Tables>): Promise<string[]> {
  // The owner sees no unit's row (decision 25). A migration that changes rows must take the service's role: without it, it fails and does not find nothing.
  await sql`set row_security = off`.execute(db)
  try {
    return await migrateToLatest(db)
  } finally {
    await sql`reset row_security`.execute(db)
  }
}

async function migrateToLatest(db: Kysely<Tables>): Promise<string[]> {
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => migrations() },
    // Numbers are given when work begins, so a lower one may come after a higher one. None needs one that has a higher number.
    allowUnorderedMigrations: true,
  })
  const { error, results } = await migrator.migrateToLatest()
  if (error) throw error
  return (results ?? []).map(result => result.migrationName)
}

/** Most starts find nothing to do, and find it out by one look instead of the migrator's long one through the whole schema. */
export async function isUpToDate(db: Kysely<Tables>): Promise<boolean> {
  const { rows } = await sql<{ known: boolean }>`select to_regclass('kysely_migration') is not null as known`.execute(db)
  if (!rows[0]?.known) return false
  const applied = new Set(await appliedMigrations(db))
  return Object.keys(migrations()).every(name => applied.has(name))
}

/** The migrations that this database has seen, in order. */
export async function appliedMigrations(db: Kysely<Tables>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db)
  return rows.map(({ name }) => name)
}

function migrations(): Record<string, Migration> {
  const names = readdirSync(folder).filter(name => name.endsWith('.sql'))
  return Object.fromEntries(names.sort().map(name => [name.replace('.sql', ''), { up: async db => runEach(db, name) }]))
}

/** The first migrations made the roles themselves, which asks for CREATEROLE even where they are there: roles/ensure.ts does it now. */
const makesRole = /^do \$\$ begin\s+(?:create role portolan_|execute format\('grant portolan_)/

/** One statement a call, as a distributed database wants it. A statement ends with `;` before an empty line. */
async function runEach(db: Parameters<Migration['up']>[0], name: string): Promise<void> {
  const statements = readFileSync(join(folder, name), 'utf8')
    .replace(/^\s*--.*$/gm, '')
    .split(/;\s*\n\s*\n|;\s*$/)
    .map(statement => statement.trim())
    .filter(statement => statement !== '' && !makesRole.test(statement))
  for (const statement of statements) await sql.raw(statement).execute(db)
}
