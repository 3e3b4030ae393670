import { sql } from 'kysely'
import type { Config } from '#server/config.ts'
import { seedGeography } from '#server/geography/public.ts'
import { atLeisureAlone, type Database } from '#server/kit/database.ts'
import { migrate } from './migrate.ts'
import { seedDemo } from './seed.ts'

/** Prepares the database for the service: schema and geography. In the demo it seeds insurer, agencies and users, too. */
export async function prepare(database: Database, config: Pick<Config, 'demo'>, say: (text: string) => void = () => {}): Promise<void> {
  const fresh = (await migrate(database, say)).length > 0
  if (fresh) say('The schema is up to date. Filling in places and, in the demo, insurer, agencies and users …')
  const changed = [fresh, await seedGeography(database), config.demo && (await seedDemo(database))]
  if (changed.some(Boolean)) await analyze(database)
}

/** Analyses the tables as their owner, so that queries are planned well. The embedded database does not do so by itself. */
export const analyze = async (database: Database): Promise<void> => void (await atLeisureAlone(database, db => sql`analyze`.execute(db)))
