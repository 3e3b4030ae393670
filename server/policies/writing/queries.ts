import { type RawBuilder, type Selectable, sql } from 'kysely'
import { demandFollowing } from '#common/kit/states.ts'
import { policyLife, type StoredStatus } from '#common/policies/states.ts'
import type { bookingRow } from '#server/accounting/public.ts'
import type { Database, UnitTx } from '#server/kit/database.ts'
import { compiler } from '#server/kit/sql/prepared.ts'
import type { Tables } from '#server/kit/sql/tables.ts'
import type { Scope } from '#server/kit/scope.ts'
import type { NewFile } from '#server/documents/public.ts'
import type { KeptReply, RequestKeys } from '#server/kit/http/idempotency.ts'
import type { JobRow } from '#server/kit/work/jobs.ts'
import type { PaymentRow } from '#server/payments/public.ts'
import type { auditRow } from '#server/session/public.ts'
import type { countsMoved, eventRow, NewVersion } from '../queries.ts'
import type { priceLines } from '../sale/registration.ts'

// A movement of a policy is one statement (write_movement.sql). It compares what the movement was judged by and writes everything, or nothing.

type Row<T extends keyof Tables> = Omit<Selectable<Tables[T]>, 'business_unit_id'>

/** The columns of a payment that is open. */
export const unpaid = {
  intent_id: null,
  received_cents: 0,
  refunded_cents: 0,
  settled_at: null,
  purpose: 'sale' as const,
  settled: null,
  settled_id: null,
} satisfies Partial<PaymentRow>

/** The revisions of what a sale was judged by; the price only if it is new. */
type Terms = { unit: number; product: string; gateway: string; price?: { commission: number; product: number; catalogue: number } }

/** A version of a policy, with its people, whose document numbers are encrypted, and its price. */
export type NewContents = {
  version: Omit<NewVersion, 'content'> & { content: Record<string, unknown> }
  people: readonly object[]
  lines: ReturnType<typeof priceLines>
  segments?: readonly Row<'policy_segments'>[]
}

export type Movement = Partial<NewContents> & {
  policyId: string
  expects: {
    /** The keys of the request, by which no payment was made. */
    keys?: readonly string[]
    /** Missing if the policy is new. */
    status?: StoredStatus
    revision?: string
    terms?: Terms
  }
  /** The reply for repeated requests, if it is kept here. */
  kept?: KeptReply
  /** The amount to take from a slot of the credit limit, if that is not done yet. */
  account?: { cents: number; currency: string; at: Date | string; slot: number }
  policy: Partial<Row<'policies'>>
  deed?: Row<'policy_deeds'>
  booking?: ReturnType<typeof bookingRow>
  opens?: Omit<PaymentRow, 'business_unit_id'>
  settles?: Pick<PaymentRow, 'id' | 'policy_version' | 'intent_id' | 'received_cents'> & { settled_at: Date }
  event: ReturnType<typeof eventRow>
  audit: ReturnType<typeof auditRow>
  files?: readonly NewFile[]
  jobs?: readonly JobRow[]
  counts?: ReturnType<typeof countsMoved>
}

/** The code of the error with which a movement fails where a slot of the credit limit has too little. */
export const slotIsFull = 'PLIMT'

function statementOf(unit: string, movement: Movement): RawBuilder<{ outcome: string }> {
  const { expects, policy } = movement
  if (expects.status && policy.status) demandFollowing(policyLife, expects.status, policy.status)
  return sql<{ outcome: string }>`select write_movement(${JSON.stringify({ unit, ...movement })}::jsonb) as outcome`
}

/** Writes within a transaction that has read more. Returns `known`, `outdated`, or the policy's revision. */
export async function write(tx: UnitTx, movement: Movement): Promise<string> {
  const { rows } = await statementOf(tx.businessUnitId, movement).execute(tx)
  return outcomeOf(rows)
}

/** Writes as a transaction of its own, in one packet. */
export const writeAlone = async (database: Database, scope: Scope, movement: Movement): Promise<string> =>
  outcomeOf(await database.statementInScope(scope, statementOf(scope.businessUnitId, movement).compile(compiler)))

/** Writes what was judged under the policy's lock, so that nothing can have changed since. */
export async function writeJudged(tx: UnitTx, movement: Movement): Promise<void> {
  const outcome = await write(tx, movement)
  if (isRefused(outcome)) throw new Error(`a locked movement is ${outcome}`)
}

export const isRefused = (outcome: string): outcome is 'known' | 'outdated' => outcome === 'known' || outcome === 'outdated'

const outcomeOf = ([row]: readonly { outcome: string }[]): string => row?.outcome ?? ''

/** The result of an earlier request: the payment of a registration, a movement, or a change that waits. */
export type MadeBefore = { what: 'payment' | 'movement' | 'open_change'; id: string }

/** Finds the result of an earlier request with the same key, which outlives its reply. No other function reads request keys, which are unique in each table. */
export async function askedBefore(tx: UnitTx, keys: RequestKeys): Promise<MadeBefore | undefined> {
  const made = (table: 'payments' | 'policy_deeds' | 'open_changes', what: MadeBefore['what']) =>
    tx.selectFrom(table).where('request_key', 'in', keys).select('id').select(sql.lit(what).as('what'))
  return made('payments', 'payment')
    .unionAll(made('policy_deeds', 'movement'))
    .unionAll(made('open_changes', 'open_change'))
    .executeTakeFirst()
}
