import type { ColumnType } from 'kysely'
import type { AgencyTables } from '#server/agency/tables.ts'
import type { DocumentTables } from '#server/documents/tables.ts'
import type { GeographyTables } from '#server/geography/tables.ts'
import type { MailTables } from '#server/mail/tables.ts'
import type { PaymentTables } from '#server/payments/tables.ts'
import type { PolicyTables } from '#server/policies/tables.ts'
import type { ProductTables } from '#server/products/tables.ts'
import type { QuoteTables } from '#server/quotes/tables.ts'
import type { SessionTables } from '#server/session/tables.ts'
import type { TicketTables } from '#server/tickets/tables.ts'
import type { Instant, InstantOrNull, Json, UnitId } from './columns.ts'

/** The tables as the program sees them: each room tells of its own. */
export type Tables = AgencyTables &
  DocumentTables &
  GeographyTables &
  KitTables &
  MailTables &
  PaymentTables &
  PolicyTables &
  ProductTables &
  QuoteTables &
  SessionTables &
  TicketTables

type KitTables = {
  allowances: { business_unit_id: UnitId; who: string; kind: string; used_until: Instant }
  business_units: BusinessUnitsTable
  jobs: JobsTable
  held_jobs: { only_one: ColumnType<boolean, boolean | undefined, never>; since: Instant }
  idempotency: IdempotencyTable
}

export type BusinessUnitsTable = {
  id: string
  key: string
  settings: Json<Record<string, unknown>>
  suspended: ColumnType<boolean, boolean | undefined, boolean>
  version: ColumnType<number, number | undefined, number>
  /** The settings that the catalogue may not change any more. */
  set_by_hand: ColumnType<string[], string[] | undefined, string[]>
  created_at: Instant
  updated_at: Instant
}

export type JobsTable = {
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

export type IdempotencyTable = {
  business_unit_id: UnitId
  user_id: string
  key: string
  call: string
  question_hash: Buffer
  status: ColumnType<number | null, number | null | undefined, number | null>
  reply: ColumnType<string | null, string | null | undefined, string | null>
  claimed_at: Instant
}
