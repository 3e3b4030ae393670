import type { Generated } from 'kysely'
import type { Instant, Json } from '#server/database/columns.ts'

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
