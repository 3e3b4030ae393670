import { type Insertable, type RawBuilder, sql } from 'kysely'
import { type Account, type Entry } from '#common/accounting/entries.ts'
import type { UnitTx } from '#server/kit/database.ts'
import type { AccountingTables } from './tables.ts'

type Row = Insertable<AccountingTables['money_book']>

/** The cause of a booking. `policy_version` is the version that it led to. */
export type Booking = Pick<Row, 'id' | 'at' | 'kind' | 'policy_id' | 'policy_version' | 'deed_id' | 'payment_id' | 'refund_id' | 'currency'>

/** Books entries as one transaction, by one statement. The schema refuses them unless they add up to nothing. */
export const insertBooking = (tx: UnitTx, booking: Booking, entries: readonly Entry[]) =>
  tx
    .insertInto('money_book')
    .values({ ...booking, ...columnsOf(entries) })
    .execute()

/** Returns what of a payment stands as a chargeback. */
export const chargedBack = async (tx: UnitTx, paymentId: string): Promise<number> => {
  const rows = await tx
    .selectFrom('money_book')
    .select('chargebacks')
    .where('payment_id', '=', paymentId)
    .where('kind', '=', 'chargeback')
    .execute()
  return rows.reduce((sum, { chargebacks }) => sum + chargebacks, 0)
}

/** Puts entries in the columns of their accounts. Those of taxes lie together, as their codes are data. */
export function columnsOf(entries: readonly Entry[]): Partial<Record<Account, number>> & { tax: number; taxes: string } {
  const columns: Partial<Record<Account, number>> = {}
  const taxes: Record<string, number> = {}
  for (const { account, cents } of entries) {
    if (isOfTax(account)) taxes[account.slice(taxPrefix.length)] = cents
    else columns[account] = cents
  }
  return { ...columns, tax: Object.values(taxes).reduce((sum, cents) => sum + cents, 0), taxes: JSON.stringify(taxes) }
}

const taxPrefix = 'tax:'

const isOfTax = (account: Entry['account']): account is `tax:${string}` => account.startsWith(taxPrefix)

/** The kinds of bookings that an agency earns by. All others move money alone. */
export const deedKinds = ['sale', 'change', 'undo', 'cancellation', 'withdrawal', 'reinstatement'] as const

export type DeedKind = (typeof deedKinds)[number]
export type Way = 'account' | 'card' | 'both' | 'none'

export type Window = { from: Date; until: Date; currency: string }

export type EarnedRow = {
  id: string
  at: Date
  kind: DeedKind
  policy_id: string
  number: string | null
  product_id: string
  product_name: string
  seller_id: string
  seller_name: string
  way: Way
  gross_cents: number
  account_cents: number
  earned_cents: number
}

/**
 * Selects the deeds of a window as an agency sees them: what the client paid or got back, what of it stands on the agency's account, and what the
 * agency earned. The insurer's cost is a tax that the client gets back although the state keeps it.
 */
export const deedsBetween = (tx: UnitTx, { from, until, currency }: Window): RawBuilder<EarnedRow> => sql<EarnedRow>`
  select book.id, book.at, book.kind, book.policy_id, policies.number, policies.product_id, policies.product_name, policies.seller_id,
    policies.seller_name, -(book.insurer_premium + book.tax + book.insurer_cost) as gross_cents, book.agency_account as account_cents,
    -book.commission_payable as earned_cents,
    case when book.agency_account <> 0 then case when book.card_clearing <> 0 or book.refunds_payable <> 0 then 'both' else 'account' end
      when book.card_clearing <> 0 or book.refunds_payable <> 0 then 'card' else 'none' end as way
  from money_book as book
  join policies on policies.business_unit_id = book.business_unit_id and policies.id = book.policy_id
  where book.business_unit_id = ${tx.businessUnitId} and book.at >= ${from} and book.at < ${until} and book.currency = ${currency}
    and book.kind = any(${[...deedKinds]}::text[])`
