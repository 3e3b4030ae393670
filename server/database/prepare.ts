import { sql } from 'kysely'
import type { Config } from '#server/config.ts'
import { seedGeography } from '#server/geography/seed.ts'
import { atLeisureAlone, type Database } from '#server/kit/database.ts'
import { migrate } from './migrate.ts'
import { seedDemo } from './seed.ts'

/** The database as the service needs it: the schema of this version, the world's places, and in the demo its insurer, agencies and users. */
export async function prepare(database: Database, config: Pick<Config, 'demo'>, say: (text: string) => void = () => {}): Promise<void> {
  const fresh = (await migrate(database)).length > 0
  if (fresh) say('The schema is up to date. Filling in places and, in the demo, insurer, agencies and users …')
  const changed = [fresh, await seedGeography(database), config.demo && (await seedDemo(database))]
  if (changed.some(Boolean)) await analyze(database)
}

/** Nothing is planned well on a table that was never looked at, and the embedded database has nobody who looks by himself. Only their owner may. */
export const analyze = async (database: Database): Promise<void> => void (await atLeisureAlone(database, db => sql`analyze`.execute(db)))
