import { sql } from 'kysely'
import type { StoredStatus } from '#common/policies/states.ts'
import type { UnitTx } from '#server/kit/database.ts'

/** Finds each agent of these policies by one lookup in an index, with the name of the latest policy. */
export async function agentsOf(tx: UnitTx, statuses: StoredStatus[]): Promise<{ id: string; name: string }[]> {
  const next = (after: ReturnType<typeof sql>) => sql`select seller_id from policies
    where business_unit_id = ${tx.businessUnitId} and seller_id > ${after} order by seller_id limit 1`
  const { rows } = await sql<{ id: string; name: string }>`
    with recursive sellers as (
      (${next(sql`'00000000-0000-0000-0000-000000000000'::uuid`)})
      union all
      select following.seller_id from sellers cross join lateral (${next(sql`sellers.seller_id`)}) as following)
    select seller_id as id, last.name from sellers cross join lateral (
      select seller_name as name from unnest(${statuses}::text[]) as each (status) cross join lateral (
        select seller_name, created_at from policies
        where business_unit_id = ${tx.businessUnitId} and seller_id = sellers.seller_id and status = each.status
        order by created_at desc, id desc limit 1) as newest
      order by created_at desc limit 1) as last
    order by name, id`.execute(tx)
  return rows
}
