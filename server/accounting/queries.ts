import type { Insertable } from 'kysely'
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
