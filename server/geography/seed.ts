import { sql } from 'kysely'
import type { Database } from '#server/kit/database.ts'
import { systemClock } from '#server/kit/clock.ts'
import { placesOfPackages } from './packages.ts'
import { geographyVersion, savePlaces } from './queries.ts'

/** Seeds a new database with the places of the installed packages. An import adds more. */
export async function seedGeography(database: Database): Promise<boolean> {
  if ((await geographyVersion(database)) > 0) return false
  const places = placesOfPackages()
  return database.atLeisure(async tx => {
    await sql`select pg_advisory_xact_lock(hashtextextended('seed geography', 0))`.execute(tx)
    if (await tx.selectFrom('geo_version').select('version').executeTakeFirst()) return false
    await savePlaces(tx, places, 'packages', systemClock.now())
    return true
  })
}
