import { join } from 'node:path'
import { sql } from 'kysely'
import type { Config } from '#server/config.ts'
import { seedGeography } from '#server/geography/public.ts'
import { systemClock, timeOrderedIds } from '#server/kit/clock.ts'
import { atLeisureAlone, type Database, type ReaderOf } from '#server/kit/database.ts'
import { loadCatalogue, openCatalogue } from '#server/products/public.ts'
import { seedUsers } from '#server/session/public.ts'
import { migrate } from './migrate.ts'

/** Prepares the database for the service: schema and geography. In the demo it seeds insurer, agencies and users, too. */
export async function prepare(database: Database, config: Pick<Config, 'demo'>, say: (text: string) => void = () => {}): Promise<void> {
  const fresh = (await migrate(database, say)).length > 0
  if (fresh) say('The schema is up to date. Filling in places and, in the demo, insurer, agencies and users …')
  const changed = [fresh, await seedGeography(database), config.demo && (await seedDemo(database))]
  if (changed.some(Boolean)) await analyze(database)
}

/** Analyses the tables as their owner, so that queries are planned well. The embedded database does not do so by itself. */
export const analyze = async (database: Database): Promise<void> => void (await atLeisureAlone(database, db => sql`analyze`.execute(db)))

const folder = join(import.meta.dirname, '../../catalogue')

/** Seeds the demo's insurer, agencies and users. Returns false if that has been done. */
async function seedDemo(database: Database): Promise<boolean> {
  if (await isSeeded(database.shared)) return false
  const { catalogue, problems } = openCatalogue(folder)
  if (!catalogue) throw new Error(`the demo's catalogue is broken: ${JSON.stringify(problems)}`)
  const now = systemClock.now()
  return database.atLeisure(async tx => {
    // If several nodes start on an empty database, one seeds; the others wait here and find it done.
    await sql`select pg_advisory_xact_lock(hashtextextended('seed', 0))`.execute(tx)
    if (await isSeeded(tx)) return false
    await loadCatalogue(tx, catalogue, now)
    await seedUsers(tx, timeOrderedIds(systemClock), now)
    return true
  })
}

const isSeeded = async (db: ReaderOf<'users'>): Promise<boolean> =>
  (await db.selectFrom('users').select('id').limit(1).executeTakeFirst()) !== undefined
