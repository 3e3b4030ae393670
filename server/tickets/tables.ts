import type { ColumnType, Generated } from 'kysely'
import type { Locale } from '#common/kit/locales.ts'
import type { Problem } from '#common/kit/problems.ts'
import type { InFive } from '#common/products/texts.ts'
import type { TicketField, TicketKind } from '#common/products/tickets.ts'
import type { Answer } from '#common/tickets/answers.ts'
import type { TicketStatus } from '#common/tickets/states.ts'
import type { Instant, Json, UnitId } from '#server/kit/sql/tables.ts'

export type StoredAnswer = { name: string; kind: TicketField['kind']; label: InFive; value: Answer; choice?: InFive | undefined }

/** The ticket's own copy of its form, so that it reads the same after the catalogue changes. */
export type StoredForm = { name: InFive; answers: StoredAnswer[]; outsideCover?: Problem[] }

export type TicketTables = {
  tickets: {
    business_unit_id: UnitId
    id: string
    reference: string
    kind: TicketKind
    type_key: string
    form: Json<StoredForm>
    status: TicketStatus
    subject: string
    /** Empty if encrypted: `wordsOf` reads it, and the answers of `form`. */
    description: string
    policy_id: string | null
    policy_number: string | null
    incident_date: string | null
    contact_name: string
    contact_email: string
    contact_phone: string
    locale: Locale
    user_id: string
    user_name: string
    messages: Generated<number>
    created_at: Instant
    updated_at: Instant
    search: string
    /** Description and answers, encrypted. Null for a ticket of an older version until it is encrypted, and for a blocked one. */
    sealed: ColumnType<Buffer | null, Buffer | null | undefined, Buffer | null>
    sealed_by: ColumnType<string | null, string | null | undefined, string | null>
    /** True if it was filed by mistake, so that it does not count as a claim on its policy. */
    misfiled: Generated<boolean>
    /** The movement of the money book that it asks about. */
    entry_id: ColumnType<string | null, string | null | undefined, never>
  }
  ticket_messages: {
    business_unit_id: UnitId
    ticket_id: string
    position: number
    id: string
    at: Instant
    from_support: boolean
    user_id: string | null
    author: string
    /** Empty if encrypted: `bodyOf` reads it. */
    body: string
    sealed: ColumnType<Buffer | null, Buffer | null | undefined, Buffer | null>
    sealed_by: ColumnType<string | null, string | null | undefined, string | null>
    mail_id: ColumnType<string | null, string | null | undefined, never>
  }
  ticket_files: { business_unit_id: UnitId; file_id: string; ticket_id: string; position: number; place: number }
  ticket_reads: { business_unit_id: UnitId; ticket_id: string; user_id: string; position: number }
  /** The states of a claim one after another, the filing first. */
  claim_steps: { business_unit_id: UnitId; ticket_id: string; position: number; at: Instant; status: TicketStatus; misfiled: boolean }
  ticket_numbers: { business_unit_id: UnitId; next_number: number }
}

declare module '#server/kit/sql/tables.ts' {
  interface Tables extends TicketTables {}
}
