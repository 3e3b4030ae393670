import type { ColumnType, JSONColumnType } from 'kysely'

/** A moment, written as a Date or an ISO text, read as a Date. */
export type Instant = ColumnType<Date, Date | string, Date | string>
export type InstantOrNull = ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
/** A JSON column. It is written as text, because the driver would write an array as a PostgreSQL array. */
export type Json<T extends object> = JSONColumnType<T>
export type JsonOrNull<T extends object> = ColumnType<T | null, string | null | undefined, string | null>
/** The unit of a row. It has no type for updates, so that no update moves a row to another unit. */
export type UnitId = ColumnType<string, string, never>

/** The types of all tables. The kit's own are here; each feature adds its own in its tables.ts. */
export interface Tables {
  allowances: { business_unit_id: UnitId; who: string; kind: string; used_until: Instant }
  business_units: BusinessUnitsTable
  jobs: JobsTable
  held_jobs: { only_one: ColumnType<boolean, boolean | undefined, never>; since: Instant }
  business_clock: { only_one: ColumnType<boolean, boolean | undefined, never>; at: Instant; runs_from: Instant }
  idempotency: IdempotencyTable
}

export type BusinessUnitsTable = {
  id: UnitId
  key: string
  settings: Json<Record<string, unknown>>
  suspended: ColumnType<boolean, boolean | undefined, boolean>
  version: ColumnType<number, number | undefined, number>
  /** The settings that the administration has changed, and that the catalogue therefore leaves alone. */
  set_by_hand: ColumnType<string[], string[] | undefined, string[]>
  created_at: Instant
  updated_at: Instant
}

type JobsTable = {
  business_unit_id: UnitId
  id: string
  topic: string
  subscriber: string
  payload: Json<Record<string, unknown>>
  state: 'waiting' | 'running' | 'done' | 'failed'
  attempts: ColumnType<number, number | undefined, number>
  lost: ColumnType<number, number | undefined, number>
  run_at: Instant
  created_at: Instant
  finished_at: InstantOrNull
  last_error: ColumnType<string | null, string | null | undefined, string | null>
}

type IdempotencyTable = {
  business_unit_id: UnitId
  user_id: string
  key: string
  call: string
  question_hash: Buffer
  status: ColumnType<number | null, number | null | undefined, number | null>
  /** The reply as an older version stored it, in clear. Newer ones are encrypted. */
  reply: ColumnType<string | null, string | null | undefined, string | null>
  sealed: ColumnType<Buffer | null, Buffer | null | undefined, Buffer | null>
  sealed_by: ColumnType<string | null, string | null | undefined, string | null>
  claimed_at: Instant
}
