import type { ColumnType } from 'kysely'
import type { Instant, InstantOrNull } from '#server/database/columns.ts'

export type SessionTables = {
  users: {
    id: string
    email: string
    name: string
    password_hash: string | null
    active: ColumnType<boolean, boolean | undefined, boolean>
    created_at: Instant
  }
  memberships: {
    business_unit_id: string
    user_id: string
    roles: string[]
    rank: ColumnType<number, number | undefined, number>
    active: ColumnType<boolean, boolean | undefined, boolean>
    created_at: Instant
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
    purpose: 'sign-in' | 'password'
    user_id: string
    flow_hash: Buffer | null
    expires_at: Instant
    used_at: InstantOrNull
  }
  sign_in_failures: { id: string; email_hash: Buffer; network: string; at: Instant }
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
  }
}
