import { sql } from 'kysely'
import type { UnitTx } from '#server/kit/database.ts'
import type { StoredStatus } from '../tables.ts'

const shown = 5

export type Found = { total: number; ids: string[] }

type Days = { own: string | undefined; statuses: StoredStatus[]; from: string; to: string }

/** What departs in these days, the first of them first. */
export async function departing(tx: UnitTx, { own, statuses, from, to }: Days): Promise<Found> {
  let found = tx.selectFrom('policies').where('status', 'in', statuses).where('start_date', '>=', from).where('start_date', '<=', to)
  if (own !== undefined) found = found.where('seller_id', '=', own)
  const first = await found.select('id').orderBy('start_date').orderBy('id').limit(shown).execute()
  const { total } = await found.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  return { total, ids: first.map(({ id }) => id) }
}

/** Mails about policies that the caller may see and that did not arrive; the newest first. */
export async function failedMails(
  tx: UnitTx,
  { own, statuses, since }: { own: string | undefined; statuses: StoredStatus[]; since: Date },
) {
  if (statuses.length === 0) return { total: 0, mails: [] }
  let found = tx
    .selectFrom('mails')
    .innerJoin('policies', join =>
      join.onRef('policies.business_unit_id', '=', 'mails.business_unit_id').onRef('policies.id', '=', 'mails.about'),
    )
    .where('mails.state', '=', 'refused')
    .where('mails.at', '>=', since)
    .where('policies.status', 'in', statuses)
  if (own !== undefined) found = found.where('policies.seller_id', '=', own)
  const { total } = await found.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  const mails = await found
    .select(['mails.id', 'mails.at', 'mails.recipient_address', 'mails.subject', 'policies.id as about', 'policies.status'])
    .orderBy('mails.at', 'desc')
    .limit(shown)
    .execute()
  return { total, mails }
}

/** `of` is YYYY-MM, or whose id it is: two may bear one name, and one two. */
export type SoldBy = { kind: 'month' | 'product' | 'seller'; of: string; policies: number; cents: number }

/** What was sold from that month on (YYYY-MM), counted three ways in one reading. */
export async function soldSince(
  tx: UnitTx,
  { own, first, timeZone }: { own: string | undefined; first: string; timeZone: string },
): Promise<SoldBy[]> {
  const { rows } = await sql<SoldBy>`
    select case when grouping(month) = 0 then 'month' when grouping(product_id) = 0 then 'product' else 'seller' end as kind,
      coalesce(month, product_id::text, seller_id::text) as of, count(*)::int as policies, sum(total_cents)::bigint as cents
    from (
      select to_char(purchased_at at time zone ${timeZone}, 'YYYY-MM') as month, product_id, seller_id, total_cents
      from policies
      where business_unit_id = ${tx.businessUnitId} and status = 'purchased' 
        and seller_id = coalesce(${own ?? null}::uuid, seller_id)
        and purchased_at >= (${`${first}-01`}::date)::timestamp at time zone ${timeZone}
    ) sold
    group by grouping sets ((month), (product_id), (seller_id))
    order by cents desc`.execute(tx)
  return rows
}

/** What each product, or seller, was called when he last sold. */
export async function lastNames(tx: UnitTx, kind: 'product' | 'seller', ids: string[]): Promise<Map<string, string>> {
  const [id, name] = [sql.ref(`${kind}_id`), sql.ref(`${kind}_name`)]
  const { rows } = await sql<{ id: string; name: string }>`
    select wanted.id, last.name
    from unnest(${ids}::uuid[]) as wanted (id)
    cross join lateral (
      select ${name} as name from policies
      where business_unit_id = ${tx.businessUnitId} and status = 'purchased' and ${id} = wanted.id
      order by ${kind === 'product' ? sql`id` : sql`created_at`} desc limit 1
    ) as last`.execute(tx)
  return new Map(rows.map(row => [row.id, row.name]))
}
