import type { Config } from '#server/config.ts'
import { seedGeography } from '#server/geography/seed.ts'
import type { Database } from '#server/kit/database.ts'
import { migrate } from './migrate.ts'
import { seedDemo } from './seed.ts'

/** The database as the service needs it: the schema of this version, and in the demo its insurer, agencies and users. */
export async function prepare(database: Database, config: Config): Promise<void> {
  await migrate(database)
  await seedGeography(database)
  if (config.demo) await seedDemo(database)
}
