import { join } from 'node:path'
import { sql } from 'kysely'
import { systemClock, timeOrderedIds } from '#server/kit/clock.ts'
import type { Database, ReaderOf } from '#server/kit/database.ts'
import { loadCatalogue, openCatalogue } from '#server/products/public.ts'
import { seedUsers } from '#server/session/public.ts'

const folder = join(import.meta.dirname, '../../catalogue')

/** Seeds the demo's insurer, agencies and users. Returns false if that has been done. */
export async function seedDemo(database: Database): Promise<boolean> {
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
