import type { ColumnType, JSONColumnType } from 'kysely'

/** The tables as the program sees them. A room adds its own below, beside its migration. */
export type Tables = {
  business_units: BusinessUnitsTable
  jobs: JobsTable
  idempotency: IdempotencyTable
}

/** Written as a Date or an ISO text, read as a Date. */
export type Instant = ColumnType<Date, Date | string, Date | string>
export type InstantOrNull = ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
/** JSON goes in as text that we wrote ourselves: PostgreSQL arrays and JSON arrays are easily mistaken for each other. */
export type Json<T extends object> = JSONColumnType<T>

export type BusinessUnitsTable = {
  id: string
  key: string
  settings: Json<Record<string, unknown>>
  suspended: ColumnType<boolean, boolean | undefined, boolean>
  created_at: Instant
  updated_at: Instant
}

export type JobsTable = {
  business_unit_id: string
  id: string
  topic: string
  subscriber: string
  payload: Json<Record<string, unknown>>
  state: 'waiting' | 'running' | 'done' | 'failed'
  attempts: ColumnType<number, number | undefined, number>
  run_at: Instant
  created_at: Instant
  finished_at: InstantOrNull
  last_error: ColumnType<string | null, string | null | undefined, string | null>
}

export type IdempotencyTable = {
  business_unit_id: string
  user_id: string
  key: string
  call: string
  question_hash: Buffer
  status: ColumnType<number | null, number | null | undefined, number | null>
  reply: ColumnType<string | null, string | null | undefined, string | null>
  claimed_at: Instant
}
