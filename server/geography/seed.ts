import { join } from 'node:path'
import { sql } from 'kysely'
import type { Database } from '#server/kit/database.ts'
import { systemClock } from '#server/kit/clock.ts'
import { readFolder } from './import-files.ts'
import { placesOfPackages } from './packages.ts'
import { countriesWithCodes, editionOf, type Places, savePlaces, setEdition } from './queries.ts'

/** Raised whenever the files of ./places change, so that a database of an older release takes them over. */
const edition = 1
const folder = join(import.meta.dirname, 'places')

/**
 * Seeds a new database with the places that come with the program: those of the packages and of ./places. A database of an older release gets the
 * countries of ./places whose cities have no postal codes yet, so an operator's import stays.
 */
export async function seedGeography(database: Database): Promise<boolean> {
  if ((await editionOf(database.shared)) === edition) return false
  const fromPackages = placesOfPackages()
  const shipped = await placesOfFolder(fromPackages)
  return database.atLeisure(async tx => {
    await sql`select pg_advisory_xact_lock(hashtextextended('seed geography', 0))`.execute(tx)
    const before = await editionOf(tx)
    if (before === edition) return false
    const kept = await countriesWithCodes(tx, [...shipped.keys()])
    const places = before === undefined ? new Map([...fromPackages, ...shipped]) : new Map([...shipped].filter(([id]) => !kept.has(id)))
    await savePlaces(tx, places, 'seed', systemClock.now())
    await setEdition(tx, edition)
    return true
  })
}

async function placesOfFolder(fromPackages: Places): Promise<Places> {
  const { places, badLines } = await readFolder(
    folder,
    async id => fromPackages.get(id) ?? [],
    () => {},
  )
  if (badLines.length > 0) throw new Error(`the places of the program are broken: ${JSON.stringify(badLines.slice(0, 3))}`)
  return places
}
