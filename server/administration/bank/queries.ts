import { sql } from 'kysely'
import type { Payer } from '#common/accounting/bank/propose.ts'
import type { AllUnitsTx } from '#server/kit/database.ts'

/** The statements of an agency whose numbers are looked for. */
const mostStatements = 24

export type Agency = Payer & { key: string; brandName: string }

/** Returns all agencies with what is open, in their own currency. */
export async function agenciesToPay(tx: AllUnitsTx): Promise<Agency[]> {
  const { rows } = await sql<Agency>`
    select unit.id, unit.key, unit.settings->>'brandName' as "brandName", unit.settings->>'currency' as currency,
      array[unit.key, unit.settings->>'brandName', unit.settings->>'legalName'] as names,
      coalesce(statement.numbers, '{}') as statements,
      array_remove(array[statement.due, coalesce(terms.limit_cents, 0) - coalesce(room.cents, 0)]::float8[], null) as open
    from business_units as unit
    left join account_terms as terms on terms.business_unit_id = unit.id
    left join lateral (
      select array_agg(number order by month desc) as numbers, (array_agg(due order by month desc))[1] as due from (
        select number, month, case when netted then account_after_cents - commission_after_cents else account_after_cents end as due
        from statements where statements.business_unit_id = unit.id and statements.currency = unit.settings->>'currency'
        order by month desc limit ${mostStatements}) as each) as statement on true
    left join lateral (
      select sum(cents) as cents from account_headroom
      where account_headroom.business_unit_id = unit.id and account_headroom.currency = unit.settings->>'currency') as room on true
    order by lower(unit.settings->>'brandName'), unit.id`.execute(tx)
  return rows.map(row => ({ ...row, open: row.open.filter(cents => cents !== 0) }))
}
