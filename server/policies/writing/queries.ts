import { type RawBuilder, sql } from 'kysely'
import type { accountColumns } from '#server/accounting/public.ts'
import type { UnitTx } from '#server/kit/database.ts'
import { compiler } from '#server/kit/sql/compiler.ts'
import type { Database } from '#server/kit/database.ts'
import type { Scope } from '#server/kit/scope.ts'
import type { NewFile } from '#server/documents/public.ts'
import type { KeptReply } from '#server/kit/http/idempotency.ts'
import type { RequestKeys } from '#server/kit/http/request-keys.ts'
import type { JobRow } from '#server/kit/work/jobs.ts'
import type { PaymentRow } from '#server/payments/public.ts'
import type { auditRow } from '#server/session/public.ts'
import type { eventRow, PolicyRow } from '../queries.ts'
import type { rowsOf } from '../sale/registration.ts'

// Each of these is one statement (register_sale.sql, settle_sale.sql). It compares what the sale was judged by and writes everything, or nothing.

/** Every statement writes these beside its rows; the reply for repeated requests only if it is kept here. */
type Said = { kept: KeptReply | null; event: ReturnType<typeof eventRow>; audit: ReturnType<typeof auditRow> }

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

export type NewPayment = Omit<PaymentRow, 'business_unit_id' | keyof typeof unpaid>

/** The revisions of what a sale was priced by. */
export type PricedBy = { unit: number; commission: number; product: number; catalogue: number }

type Rows = ReturnType<typeof rowsOf>

export type SaleToRegister = Omit<Rows, 'people'> &
  Said & {
    /** The people, with their document numbers encrypted. */
    people: readonly object[]
    /** The keys of the request, the present one first. */
    keys: readonly string[]
    terms: PricedBy
    replaced: Pick<PolicyRow, 'status'> | null
    payment: NewPayment
    /** The row in which the policy is counted. */
    part: number
  }

export type SaleToSettle = Said & {
  /** The revision of the policy that was judged. */
  revision: string
  terms: { unit: number; gateway: string } | null
  account: { cents: number; currency: string; at: Date; slot: number } | null
  policy: { id: string; number: string; purchased_at: Date; sold_cents: number; search: string }
  payment: Pick<PaymentRow, 'id' | 'intent_id' | 'received_cents'> & { settled_at: Date }
  booking: Booking & ReturnType<typeof accountColumns>
  files: readonly NewFile[]
  jobs: readonly JobRow[]
  part: number
}

type Booking = {
  id: string
  at: Date
  kind: 'sale'
  policy_id: string
  policy_version: number
  payment_id: string
  currency: string
  product_id: string
  seller_id: string
}

/** The code of the error with which a settlement fails where a slot of the credit limit has too little. */
export const slotIsFull = 'PLIMT'

/** `known`, `outdated`, or the revision of the rows written. */
export const registerSale = (unitId: string, sale: SaleToRegister) => called(sql`register_sale`, unitId, sale)

export const settleSale = (unitId: string, sale: SaleToSettle) => called(sql`settle_sale`, unitId, sale)

type Called = RawBuilder<{ outcome: string }>

const called = (routine: RawBuilder<unknown>, unit: string, sale: object): Called =>
  sql<{ outcome: string }>`select ${routine}(${JSON.stringify({ unit, ...sale })}::jsonb) as outcome`

/** Writes within a transaction that has read more. */
export async function write(tx: UnitTx, statement: Called): Promise<string> {
  const { rows } = await statement.execute(tx)
  return outcomeOf(rows)
}

/** Writes as a transaction of its own, in one packet. */
export const writeAlone = async (database: Database, scope: Scope, statement: Called): Promise<string> =>
  outcomeOf(await database.statementInScope(scope, statement.compile(compiler)))

const outcomeOf = ([row]: readonly { outcome: string }[]): string => row?.outcome ?? ''

/** The result of an earlier request: the payment of a registration, a deed, or a change that waits. */
export type MadeBefore = { what: 'payment' | 'deed' | 'open_change'; id: string }

/** Finds the result of an earlier request with the same key, which outlives its reply. No other function reads request keys, which are unique in each table. */
export async function askedBefore(tx: UnitTx, keys: RequestKeys): Promise<MadeBefore | undefined> {
  const made = (table: 'payments' | 'policy_deeds' | 'open_changes', what: MadeBefore['what']) =>
    tx.selectFrom(table).where('request_key', 'in', keys).select('id').select(sql.lit(what).as('what'))
  return made('payments', 'payment').unionAll(made('policy_deeds', 'deed')).unionAll(made('open_changes', 'open_change')).executeTakeFirst()
}
