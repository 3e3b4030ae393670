import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Kysely, sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { OperatorError } from '#server/config/operator-error.ts'
import { atLeisureAlone, type Database } from '#server/kit/database.ts'
import { ensureRoles } from './roles/ensure.ts'
import { installRoutines } from './routines.ts'
import type { Tables } from '#server/kit/sql/tables.ts'

type Say = (text: string) => void

const folder = join(import.meta.dirname, 'migrations')

/**
 * Brings the schema up to date, forward only, and returns the names of the migrations that ran. It says each one as it begins.
 *
 * Several nodes may start at once: the migrator locks the database, and later nodes find nothing left to do.
 */
export async function migrate(database: Database, say: Say = () => undefined): Promise<string[]> {
  await ensureRoles(database.kysely)
  // An index on millions of rows takes long, and a second node waits for it.
  const applied = (await isUpToDate(database)) ? [] : await atLeisureAlone(database, db => migrateOn(db, say))
  await installRoutines(database)
  return applied
}

async function migrateOn(db: Kysely<Tables>, say: Say): Promise<string[]> {
  // The owner sees no unit's row (decision 25). A migration that changes rows must take the service's role; without it, it fails instead of changing none.
  await sql`set row_security = off`.execute(db)
  try {
    return await migrateToLatest(db, say)
  } finally {
    await sql`reset row_security`.execute(db)
  }
}

async function migrateToLatest(db: Kysely<Tables>, say: Say): Promise<string[]> {
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => migrations(say) },
    // A migration gets its number when work on it begins, so a lower number may land after a higher one. None depends on a higher number.
    allowUnorderedMigrations: true,
  })
  const { error, results } = await migrator.migrateToLatest()
  if (isDeadlock(error))
    throw new OperatorError(
      'Others use the tables that this update changes. Stop all other nodes, start this one, then the others (docs/updating.md)',
    )
  if (error) throw error
  return (results ?? []).map(result => result.migrationName)
}

/** True if a migration was in conflict with a node that is still at work. */
const isDeadlock = (error: unknown): boolean => (error as { code?: unknown } | undefined)?.code === '40P01'

/** True if all migrations are applied. Most starts find this out by one query instead of the migrator's slow check of the schema. */
export async function isUpToDate({ kysely }: Database): Promise<boolean> {
  const { rows } = await sql<{ known: boolean }>`select to_regclass('kysely_migration') is not null as known`.execute(kysely)
  if (!rows[0]?.known) return false
  const applied = new Set(await appliedMigrations(kysely))
  return Object.keys(migrations()).every(name => applied.has(name))
}

/** Returns the names of the applied migrations, in order. */
export async function appliedMigrations(db: Kysely<Tables>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db)
  return rows.map(({ name }) => name)
}

function migrations(say: Say = () => undefined): Record<string, Migration> {
  const names = readdirSync(folder)
    .filter(file => file.endsWith('.sql'))
    .map(file => file.replace('.sql', ''))
  return Object.fromEntries(
    names.sort().map(name => [
      name,
      {
        async up(db) {
          say(inWords(name))
          await runEach(db, `${name}.sql`)
        },
      },
    ]),
  )
}

/** Returns a line for the operator, such as "Migration 0097: claims bordereau". */
const inWords = (name: string): string => `Migration ${name.replace('-', ': ').replaceAll('-', ' ')}`

/** Matches statements of the first migrations that create roles. They need CREATEROLE even if the roles exist, so roles/ensure.ts does it now. */
const createsRole = /^do \$\$ begin\s+(?:create role portolan_|execute format\('grant portolan_)/

/** Runs each statement by itself, as a distributed database requires. A statement ends with `;` before an empty line. */
async function runEach(db: Parameters<Migration['up']>[0], name: string): Promise<void> {
  const statements = readFileSync(join(folder, name), 'utf8')
    .replace(/^\s*--.*$/gm, '')
    .split(/;\s*\n\s*\n|;\s*$/)
    .map(statement => statement.trim())
    .filter(statement => statement !== '' && !createsRole.test(statement))
  for (const statement of statements) await sql.raw(statement).execute(db)
}
