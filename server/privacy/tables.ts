import type { ColumnType, Generated } from 'kysely'
import type { Locale } from '#common/kit/locales.ts'
import type { Instant, InstantOrNull, JsonOrNull, UnitId } from '#server/kit/sql/tables.ts'

export type BlockedKind = 'policy' | 'ticket'
export type Cause = 'age' | 'erasure' | 'objection' | 'restriction'

export type RequestKind = 'export' | 'erase' | 'object' | 'restrict' | 'rectify'

type PrivacyTables = {
  blocked_data: {
    business_unit_id: UnitId
    id: string
    kind: BlockedKind
    object_id: string
    cause: Cause
    blocked_at: Instant
    until: string
    sealed: Buffer
    sealed_by: string
  }
  blocked_people: {
    business_unit_id: UnitId
    blocked_id: string
    position: number
    document_hash: Buffer | null
    birth_date_hash: Buffer | null
    email_hash: Buffer | null
    name_hash: Buffer | null
  }
  holds: {
    business_unit_id: UnitId
    id: string
    kind: BlockedKind
    object_id: string
    until: string
    reason: string
    user_id: string
    at: Instant
    lifted_at: InstantOrNull
  }
  person_requests: {
    business_unit_id: UnitId
    id: string
    kind: RequestKind
    asked_by: 'person' | 'guardian' | 'representative'
    reason: string
    at: Instant
    received_on: ColumnType<string, string, never>
    due_on: string
    extension: ColumnType<string | null, string | null | undefined, string | null>
    closing: ColumnType<string | null, never, string | null>
    user_id: string
    done_at: InstantOrNull
    outcome: JsonOrNull<Record<string, unknown>>
    /** The language of the letter that answers it. */
    locale: ColumnType<Locale | null, Locale | null | undefined, never>
  }
  person_copies: {
    business_unit_id: UnitId
    /** Also the id of its file. */
    id: string
    request_id: string
    made_at: Instant
    expires_at: Instant
    token_hash: ColumnType<Buffer | null, Buffer | null | undefined, Buffer | null>
    spent_at: InstantOrNull
    document_hash: Buffer | null
    birth_date_hash: Buffer | null
    email_hash: Buffer | null
    name_hash: Buffer | null
  }
  retention_counts: { business_unit_id: UnitId; day: string; class: string; what: 'blocked' | 'erased'; objects: number }
  retention_runs: { day: string; finished_at: InstantOrNull; counts: Generated<ColumnType<Record<string, number>, string, string>> }
}

declare module '#server/kit/sql/tables.ts' {
  interface Tables extends PrivacyTables {}
}
