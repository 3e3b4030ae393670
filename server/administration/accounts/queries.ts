import { sql } from 'kysely'
import type { AllUnitsTx } from '#server/kit/database.ts'
import { offsetOf, type Paging } from '../paging.ts'

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
  due: number | null
}

/** Selects the accounts of all agencies in their own currency, those that are overdue and those with the least room first. */
export async function accountRows(
  tx: AllUnitsTx,
  unitId: string | undefined,
  paging: Paging,
): Promise<{ total: number; rows: AccountRow[] }> {
  const { rows } = await sql<AccountRow & { total: number }>`
    select unit.id as "unitId", unit.settings->>'brandName' as "brandName", unit.settings->>'currency' as currency,
      coalesce(terms.netted, true) as netted, coalesce(terms.limit_cents, 0) - coalesce(room.cents, 0) as account,
      coalesce(last.commission, 0) + coalesce(since.commission, 0) as commission, terms.limit_cents as limit,
      case when terms.limit_cents is not null then room.cents end as headroom, terms.lifted_until as "liftedUntil",
      terms.overdue_since as "overdueSince", coalesce(terms.names_in_bordereau, false) as "namesInBordereau", last.number, last.due_on as "dueOn", last.due, count(*) over ()::int as total
    from business_units as unit
    left join account_terms as terms on terms.business_unit_id = unit.id
    left join lateral (
      select sum(cents)::bigint as cents from account_headroom
      where account_headroom.business_unit_id = unit.id and account_headroom.currency = unit.settings->>'currency') as room on true
    left join lateral (
      select number, to_char(due_on, 'YYYY-MM-DD') as due_on, ends_at, next_id, currency,
        case when netted then account_after_cents - commission_after_cents else account_after_cents end as due,
        case when netted then 0 else commission_after_cents end as commission
      from statements where statements.business_unit_id = unit.id and statements.currency = unit.settings->>'currency'
      order by month desc limit 1) as last on true
    left join lateral (
      select coalesce(-sum(commission_payable), 0)::bigint as commission from money_book as book
      where book.business_unit_id = unit.id and book.currency = unit.settings->>'currency' and book.kind <> 'netting'
        and (last.ends_at is null or book.at >= last.ends_at or book.id >= last.next_id)) as since on true
    where unit.id = coalesce(${unitId ?? null}::uuid, unit.id)
    order by terms.overdue_since nulls last, headroom nulls last, lower(unit.settings->>'brandName'), unit.id
    limit ${paging.perPage} offset ${offsetOf(paging)}`.execute(tx)
  return { total: rows[0]?.total ?? 0, rows }
}
