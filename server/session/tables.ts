import type { ColumnType } from 'kysely'
import type { Instant, InstantOrNull, JsonOrNull, UnitId } from '#server/kit/sql/tables.ts'

/** The kind of failure: a wrong password, a wrong code, or a request for a reset mail. Each counts apart. */
export type FailureKind = 'password' | 'code' | 'forgot'

export type SessionTables = {
  users: {
    id: string
    email: string
    name: string
    password_hash: string | null
    active: ColumnType<boolean, boolean | undefined, boolean>
    /** True for an administrator of the whole service, in whatever units. */
    administrator: ColumnType<boolean, boolean | undefined, boolean>
    created_at: Instant
    locale: ColumnType<string | null, string | null | undefined, string | null>
    density: ColumnType<'comfortable' | 'compact' | null, 'comfortable' | 'compact' | null | undefined, 'comfortable' | 'compact' | null>
    last_sign_in_at: InstantOrNull
  }
  memberships: {
    business_unit_id: UnitId
    user_id: string
    roles: string[]
    rank: ColumnType<number, number | undefined, number>
    active: ColumnType<boolean, boolean | undefined, boolean>
    created_at: Instant
    /** Set while an invitation is open. The name is the one that the inviting unit entered. */
    invited_at: InstantOrNull
    invited_name: ColumnType<string | null, string | null | undefined, string | null>
    accepted_at: InstantOrNull
    /** Sessions from before this moment do not open the unit. */
    access_from: InstantOrNull
  }
  sessions: {
    id: string
    user_id: string
    token_hash: Buffer
    network: string
    user_agent: string
    created_at: Instant
    last_seen_at: Instant
    ended_at: InstantOrNull
  }
  one_time_tokens: {
    token_hash: Buffer
    purpose: 'sign-in' | 'password' | 'invitation'
    user_id: string
    flow_hash: Buffer | null
    /** The unit that an invitation is for. */
    invited_to: ColumnType<string | null, string | null | undefined, string | null>
    expires_at: Instant
    used_at: InstantOrNull
  }
  sign_in_failures: {
    id: string
    email_hash: Buffer
    network: string
    at: Instant
    kind: ColumnType<FailureKind, FailureKind | undefined, FailureKind>
  }
  audit_repeats: {
    audit_id: string
    hour: Instant
    action: string
    reason: string
    network: string
    user_id: string | null
    times: number
    last_at: Instant
  }
  wrong_codes: { id: string; user_id: string; source: string; at: Instant }
  known_devices: { token_hash: Buffer; user_id: string; proven_by: 'code' | 'mail'; used_at: Instant }
  second_factors: {
    user_id: string
    secret: Buffer
    sealed_by: string | null
    last_step: ColumnType<number, number | undefined, number>
    created_at: Instant
    confirmed_at: InstantOrNull
  }
  recovery_codes: { user_id: string; code_hash: Buffer; used_at: InstantOrNull }
  audit: {
    id: string
    at: Instant
    business_unit_id: string | null
    user_id: string | null
    action: string
    object: string | null
    outcome: 'done' | 'refused'
    reason: string | null
    network: string
    user_agent: string
    request_id: string
    details: JsonOrNull<Record<string, unknown>>
  }
}

declare module '#server/kit/sql/tables.ts' {
  interface Tables extends SessionTables {}
}
