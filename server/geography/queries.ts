import { type Generated, sql } from 'kysely'
import type { Instant, Json } from '#server/kit/sql/tables.ts'
import type { Database, ReaderOf, ServiceTx } from '#server/kit/database.ts'

/** A city as [id, name, postal codes]; the first code is the main one. */
export type CityRow = [id: number, name: string, zipCodes: string[]]

type GeographyTables = {
  geo_states: { id: number; country_id: number; code: string; name: string; cities: Json<CityRow[]> }
  geo_version: { singleton: boolean; version: number; source: string; at: Instant; edition: Generated<number> }
}

export type State = { id: number; code: string; name: string; cities: CityRow[] }

/** The states of some countries, by country id. */
export type Places = Map<number, State[]>

declare module '#server/kit/sql/tables.ts' {
  interface Tables extends GeographyTables {}
}

export type Change = {
  countryId: number
  states: { added: number; changed: number; removed: number }
  cities: { added: number; changed: number; removed: number }
}

/** Replaces these countries and returns the changes. All other countries stay as they are. */
export async function savePlaces(
  tx: ServiceTx,
  places: Places,
  source: string,
  now: Date,
  progress: (done: number, all: number) => void = () => {},
): Promise<Change[]> {
  const changes: Change[] = []
  let done = 0
  for (const [countryId, states] of places) {
    const before = await tx.selectFrom('geo_states').select(['id', 'code', 'name', 'cities']).where('country_id', '=', countryId).execute()
    const change = compare(countryId, before, states)
    if (change) {
      changes.push(change)
      await replaceCountry(tx, countryId, states)
    }
    done += 1
    progress(done, places.size)
  }
  if (changes.length > 0) await raiseVersion(tx, source, now)
  return changes
}

async function replaceCountry(tx: ServiceTx, countryId: number, states: State[]): Promise<void> {
  await tx.deleteFrom('geo_states').where('country_id', '=', countryId).execute()
  for (let start = 0; start < states.length; start += 200) {
    const rows = states
      .slice(start, start + 200)
      .map(state => ({ id: state.id, country_id: countryId, code: state.code, name: state.name, cities: JSON.stringify(state.cities) }))
    await tx.insertInto('geo_states').values(rows).execute()
  }
}

const raiseVersion = (tx: ServiceTx, source: string, now: Date) =>
  tx
    .insertInto('geo_version')
    .values({ singleton: true, version: 1, source, at: now })
    .onConflict(conflict =>
      conflict.column('singleton').doUpdateSet(row => ({ version: row('geo_version.version', '+', 1), source, at: now })),
    )
    .execute()

function compare(countryId: number, before: State[], after: State[]): Change | undefined {
  const states = difference(
    before.map(({ id, code, name }) => [id, `${code} ${name}`]),
    after.map(({ id, code, name }) => [id, `${code} ${name}`]),
  )
  const cities = difference(before.flatMap(citiesOf), after.flatMap(citiesOf))
  const total = Object.values(states)
    .concat(Object.values(cities))
    .reduce((sum, count) => sum + count, 0)
  return total > 0 ? { countryId, states, cities } : undefined
}

const citiesOf = ({ cities }: State): [number, string][] => cities.map(([id, name, zipCodes]) => [id, `${name} ${zipCodes.join(' ')}`])

function difference(before: [number, string][], after: [number, string][]) {
  const [old, fresh] = [new Map(before), new Map(after)]
  return {
    added: [...fresh.keys()].filter(id => !old.has(id)).length,
    changed: [...fresh].filter(([id, text]) => old.has(id) && old.get(id) !== text).length,
    removed: [...old.keys()].filter(id => !fresh.has(id)).length,
  }
}

export async function geographyVersion(database: Database): Promise<number> {
  const row = await database.shared.selectFrom('geo_version').select('version').executeTakeFirst()
  return row?.version ?? 0
}

/** Returns the edition of the program's places that the database has, or undefined for a new database. */
export const editionOf = async (db: ReaderOf<'geo_version'>): Promise<number | undefined> =>
  (await db.selectFrom('geo_version').select('edition').executeTakeFirst())?.edition

export const setEdition = (tx: ServiceTx, edition: number) => tx.updateTable('geo_version').set({ edition }).execute()

/** Returns which of these countries have a city with a postal code. */
export async function countriesWithCodes(tx: ServiceTx, countries: number[]): Promise<Set<number>> {
  const rows = await tx
    .selectFrom('geo_states')
    .select('country_id')
    .distinct()
    .where('country_id', 'in', countries)
    .where(sql<boolean>`jsonb_path_exists(cities, '$[*][2][0]')`)
    .execute()
  return new Set(rows.map(row => row.country_id))
}

export const statesOf = (database: Database, countryId: number) =>
  database.shared.selectFrom('geo_states').select(['id', 'code', 'name']).where('country_id', '=', countryId).execute()

export const statesWithCities = (database: Database, countryId: number) =>
  database.shared
    .selectFrom('geo_states')
    .select(['id', 'code', 'name', 'cities'])
    .where('country_id', '=', countryId)
    .orderBy('id')
    .execute()

export const citiesOfState = (database: Database, stateId: number) =>
  database.shared.selectFrom('geo_states').select(['country_id', 'cities']).where('id', '=', stateId).executeTakeFirst()
