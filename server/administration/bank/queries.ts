import { sql } from 'kysely'
import type { Payer } from '#common/accounting/bank/propose.ts'
import { termsAndRoom, unitsWithBookings } from '#server/accounting/public.ts'
import type { AllUnitsTx } from '#server/kit/database.ts'

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
