import { type Insertable, type Selectable, sql } from 'kysely'
import { type BookedBefore, nearDays } from '#common/accounting/by-hand.ts'
import type { BookedWay } from '#common/accounting/book.ts'
import { type AllUnitsTx, isOfUnit, type UnitTx } from '#server/kit/database.ts'
import { lastStatement } from '../statements/queries.ts'
import type { AccountingTables } from '../tables.ts'

export type Facts = Omit<Insertable<AccountingTables['account_bookings']>, 'business_unit_id'>

export const insertFacts = (tx: UnitTx, facts: Facts) => tx.insertInto('account_bookings').values(facts).execute()

/** True for the rows of `fact` in force: not reversed, and not reversing another. */
const holds = sql`fact.reverses is null and not exists (
  select from account_bookings as reversal where reversal.business_unit_id = fact.business_unit_id and reversal.reverses = fact.id)`

type Sought = { way: BookedWay; cents: number; currency: string; on: string; now: Date }

/** Returns the last payment of the same amount that was booked recently or has a day near this one's. */
export async function bookedLately(tx: UnitTx, { way, cents, currency, on, now }: Sought): Promise<BookedBefore | undefined> {
  const { rows } = await sql<BookedBefore>`
    select to_char(fact.paid_on, 'YYYY-MM-DD') as on, fact.reference from account_bookings as fact
    join money_book as book on book.business_unit_id = fact.business_unit_id and book.id = fact.id
    where fact.business_unit_id = ${tx.businessUnitId} and fact.way = ${way} and fact.cents = ${cents} and fact.currency = ${currency} and ${holds}
      and (abs(fact.paid_on - ${on}::date) <= ${nearDays} or book.at >= ${now}::timestamptz - ${nearDays} * interval '1 day')
    order by fact.id desc limit 1`.execute(tx)
  return rows[0]
}

export type HandBooking = { unitId: string; way: BookedWay; cents: number; currency: string; on: string; reference: string }

/** Returns the payments by hand with one of these amounts, newest first: of one agency, or of all. */
export async function bookedByHand(tx: AllUnitsTx | UnitTx, amounts: readonly number[]): Promise<HandBooking[]> {
  const unit = isOfUnit(tx) ? sql`and fact.business_unit_id = ${tx.businessUnitId}` : sql``
  const { rows } = await sql<HandBooking>`
    select fact.business_unit_id as "unitId", fact.way, fact.cents, fact.currency, to_char(fact.paid_on, 'YYYY-MM-DD') as on, fact.reference
    from account_bookings as fact
    where fact.cents = any(${[...amounts]}::bigint[]) and fact.way <> 'write_off' and not fact.from_file and ${holds} ${unit}
    order by fact.id desc`.execute(tx)
  return rows
}

/** Returns the agency's open commission in cents: carried over outside the account, or earned since. */
export async function openCommission(tx: UnitTx, currency: string): Promise<number> {
  const last = await lastStatement(tx, currency)
  const since = last ? sql`and (book.at >= ${last.ends_at} or book.id >= ${last.next_id}::uuid)` : sql``
  const { rows } = await sql<{ cents: number }>`
    select coalesce(-sum(commission_payable), 0)::bigint as cents from money_book as book
    where book.business_unit_id = ${tx.businessUnitId} and book.currency = ${currency} and book.kind <> 'netting' ${since}`.execute(tx)
  const carried = last && !last.netted ? last.commission_after_cents : 0
  return carried + (rows[0]?.cents ?? 0)
}

/** A booking with its entries and facts, and the booking that takes it back. */
export type Booked = Pick<
  Selectable<AccountingTables['money_book']>,
  'kind' | 'currency' | 'bank' | 'agency_account' | 'commission_payable' | 'write_off'
> &
  Pick<Selectable<AccountingTables['account_bookings']>, 'id' | 'way' | 'cents' | 'reference' | 'taken_back' | 'reverses'> & {
    on: string
    reversed_by: string | null
  }

export async function bookingById(tx: UnitTx, id: string): Promise<Booked | undefined> {
  const { rows } = await sql<Booked>`
    select fact.id, fact.way, fact.cents, fact.currency, to_char(fact.paid_on, 'YYYY-MM-DD') as on, fact.reference, fact.taken_back, fact.reverses, reversal.id as reversed_by, book.kind, book.bank,
      book.agency_account, book.commission_payable, book.write_off
    from account_bookings as fact
    join money_book as book on book.business_unit_id = fact.business_unit_id and book.id = fact.id
    left join account_bookings as reversal on reversal.business_unit_id = fact.business_unit_id and reversal.reverses = fact.id
    where fact.business_unit_id = ${tx.businessUnitId} and fact.id = ${id}::uuid`.execute(tx)
  return rows[0]
}

/** Returns the booking that a request reversed; null if it booked without reversing, undefined if it is new. */
export async function reversedBy(tx: UnitTx, requestId: string): Promise<string | null | undefined> {
  const { rows } = await sql<{ reverses: string | null }>`
    select fact.reverses from money_book as book
    left join account_bookings as fact on fact.business_unit_id = book.business_unit_id and fact.id = book.id
    where book.business_unit_id = ${tx.businessUnitId} and book.request_id = ${requestId}::uuid`.execute(tx)
  return rows[0]?.reverses
}

/**
 * Reserves an entry for a unit for good. False if any unit has it. A concurrent request waits for this one. The unit's role may only insert, so the
 * query returns no columns.
 */
export async function claimEntry(tx: UnitTx, { id, alike, at }: { id: string; alike: string; at: Date }): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into bank_entries (id, alike, booked_for, booked_at) values (${id}, ${alike}, ${tx.businessUnitId}, ${at})
    on conflict do nothing`.execute(tx)
  return numAffectedRows === 1n
}

/** A booked entry with its agency. */
export type BookedEntry = { id: string; alike: string; unitId: string; brandName: string }

/** Returns the booked entries that have one of these `alike` fingerprints. */
export async function bookedAmong(tx: AllUnitsTx, alike: readonly string[]): Promise<BookedEntry[]> {
  const { rows } = await sql<BookedEntry>`
    select entry.id, entry.alike, unit.id as "unitId", unit.settings->>'brandName' as "brandName"
    from bank_entries as entry join business_units as unit on unit.id = entry.booked_for
    where entry.alike = any(${[...alike]}::uuid[])`.execute(tx)
  return rows
}
