import { sql } from 'kysely'
import type { Payer } from '#common/accounting/bank/propose.ts'
import type { BookedWay } from '#common/accounting/book.ts'
import { paidSince, termsAndRoom, unitsWithBookings } from '#server/accounting/public.ts'
import type { AllUnitsTx } from '#server/kit/database.ts'
import { offsetOf, type Paging } from '#server/kit/paging.ts'

export type AccountRow = {
  unitId: string
  brandName: string
  currency: string
  netted: boolean
  account: number
  commission: number
  limit: number | null
  headroom: number | null
  liftedUntil: Date | null
  overdueSince: string | null
  namesInBordereau: boolean
  number: string | null
  dueOn: string | null
  /** The last statement's balances, and what was paid since. */
  lastNetted: boolean | null
  lastAccount: number | null
  lastCommission: number | null
  received: number
  returned: number
  paidCommission: number
}

/**
 * Selects the accounts of all agencies in their own currency, overdue ones and those with the least room first. The rows of a unit are joined first,
 * which a distributed database does on each machine. Agencies without rows are added last.
 */
export async function accountRows(
  tx: AllUnitsTx,
  unitId: string | undefined,
  paging: Paging,
): Promise<{ total: number; rows: AccountRow[] }> {
  const { rows } = await sql<AccountRow & { total: number }>`
    with ${termsAndRoom(unitId)}, last as materialized (
      select own.business_unit_id, statement.number, statement.due_on, statement.netted, statement.account,
        case when statement.netted then 0 else coalesce(statement.commission, 0) end + since.commission as commission,
        statement.commission as commission_then, paid.received, paid.returned, paid.commission as paid_commission
      from ${unitsWithBookings(unitId)} as own
      left join lateral (
        select distinct on (business_unit_id) business_unit_id, currency, number, to_char(due_on, 'YYYY-MM-DD') as due_on, ends_at, next_id, netted,
          account_after_cents as account, commission_after_cents as commission
        from statements where statements.business_unit_id = own.business_unit_id and statements.currency = own.currency
        order by business_unit_id, month desc) as statement on true
      left join lateral (${paidSince}) as paid on true
      left join lateral (
        select coalesce(-sum(commission_payable) filter (where book.kind <> 'netting'), 0)::bigint as commission
        from money_book as book
        where book.business_unit_id = own.business_unit_id and book.currency = own.currency
          and (statement.ends_at is null or book.at >= statement.ends_at or book.id >= statement.next_id)) as since on true)
    select unit.id as "unitId", unit.settings->>'brandName' as "brandName", unit.settings->>'currency' as currency,
      coalesce(terms.netted, true) as netted, coalesce(terms.limit_cents, 0) - coalesce(room.cents, 0) as account,
      coalesce(last.commission, 0) as commission, terms.limit_cents as limit,
      case when terms.limit_cents is not null then room.cents end as headroom, terms.lifted_until as "liftedUntil",
      terms.overdue_since as "overdueSince", coalesce(terms.names_in_bordereau, false) as "namesInBordereau", last.number, last.due_on as "dueOn",
      last.netted as "lastNetted", last.account as "lastAccount", last.commission_then as "lastCommission", coalesce(last.received, 0) as received,
      coalesce(last.returned, 0) as returned, coalesce(last.paid_commission, 0) as "paidCommission", count(*) over ()::int as total
    from business_units as unit
    left join terms on terms.business_unit_id = unit.id
    left join room on room.business_unit_id = unit.id and room.currency = unit.settings->>'currency'
    left join last on last.business_unit_id = unit.id
    ${unitId === undefined ? sql`` : sql`where unit.id = ${unitId}::uuid`}
    order by terms.overdue_since nulls last, headroom nulls last, lower(unit.settings->>'brandName'), unit.id
    limit ${paging.perPage} offset ${offsetOf(paging)}`.execute(tx)
  return { total: rows[0]?.total ?? 0, rows }
}

export type OpenStatementRow = {
  unitId: string
  number: string
  dueOn: string
  netted: boolean
  account: number
  commission: number
  received: number
  returned: number
  paidCommission: number
}

/** Selects the statements of agencies in their own currency, the newest first, and what was paid since each. */
export async function statementRows(tx: AllUnitsTx, unitIds: readonly string[]): Promise<OpenStatementRow[]> {
  const { rows } = await sql<OpenStatementRow>`
    select statement.business_unit_id as "unitId", statement.number, to_char(statement.due_on, 'YYYY-MM-DD') as "dueOn", statement.netted,
      statement.account_after_cents as account, statement.commission_after_cents as commission, paid.received, paid.returned,
      paid.commission as "paidCommission"
    from statements as statement
    join business_units as unit on unit.id = statement.business_unit_id and unit.settings->>'currency' = statement.currency
    cross join lateral (${paidSince}) as paid
    where statement.business_unit_id = any(${unitIds}::uuid[])
    order by statement.business_unit_id, statement.month desc`.execute(tx)
  return rows
}

export type BookingRow = {
  uuid: string
  at: Date
  way: BookedWay
  cents: number
  currency: string
  on: string
  reference: string
  reason: string | null
  fromFile: boolean
  takenBack: boolean
  by: string | null
  reverses: string | null
  reversedBy: string | null
}

/** Selects the payments and write-offs of an agency, the last booked first. */
export async function bookingRows(tx: AllUnitsTx, unitId: string, paging: Paging): Promise<{ total: number; rows: BookingRow[] }> {
  const { rows } = await sql<BookingRow>`
    select fact.id as uuid, book.at, fact.way, fact.cents, fact.currency, to_char(fact.paid_on, 'YYYY-MM-DD') as on, fact.reference, fact.reason,
      fact.from_file as "fromFile", fact.taken_back as "takenBack", users.name as by, fact.reverses, reversal.id as "reversedBy"
    from account_bookings as fact
    join money_book as book on book.business_unit_id = fact.business_unit_id and book.id = fact.id
    left join account_bookings as reversal on reversal.business_unit_id = fact.business_unit_id and reversal.reverses = fact.id
    left join users on users.id = fact.booked_by
    where fact.business_unit_id = ${unitId}::uuid
    order by fact.id desc limit ${paging.perPage} offset ${offsetOf(paging)}`.execute(tx)
  const { rows: counted } = await sql<{ total: number }>`
    select count(*)::int as total from account_bookings where business_unit_id = ${unitId}::uuid`.execute(tx)
  return { total: counted[0]?.total ?? 0, rows }
}

/** The maximum number of an agency's statements that are searched by their numbers. */
const mostStatements = 24

export type Agency = Payer & { key: string; brandName: string }

/** Returns all agencies with their open amounts, in their own currency. */
export async function agenciesToPay(tx: AllUnitsTx): Promise<Agency[]> {
  const { rows } = await sql<Agency>`
    with ${termsAndRoom()}, closed as materialized (
      select own.business_unit_id, statement.numbers, statement.due
      from ${unitsWithBookings()} as own
      cross join lateral (
        select (array_agg(number order by month desc))[1:${mostStatements}] as numbers, (array_agg(
            case when netted then account_after_cents - commission_after_cents else account_after_cents end order by month desc))[1] as due
        from statements where statements.business_unit_id = own.business_unit_id and statements.currency = own.currency
        group by statements.business_unit_id) as statement)
    select unit.id, unit.key, unit.settings->>'brandName' as "brandName", unit.settings->>'currency' as currency,
      array[unit.key, unit.settings->>'brandName', unit.settings->>'legalName'] as names, coalesce(closed.numbers, '{}') as statements,
      array_remove(array[closed.due, coalesce(terms.limit_cents, 0) - coalesce(room.cents, 0)]::float8[], null) as open
    from business_units as unit
    left join terms on terms.business_unit_id = unit.id
    left join room on room.business_unit_id = unit.id and room.currency = unit.settings->>'currency'
    left join closed on closed.business_unit_id = unit.id
    order by lower(unit.settings->>'brandName'), unit.id`.execute(tx)
  return rows.map(row => ({ ...row, open: row.open.filter(cents => cents !== 0) }))
}
