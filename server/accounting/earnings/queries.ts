import { type RawBuilder, sql } from 'kysely'
import type { Way } from '#common/accounting/deeds.ts'
import type { UnitTx } from '#server/kit/database.ts'
import { deedsWhere, type EarnedRow, inSpan, inWindow, type Window } from '../queries.ts'

export type Sums = { deeds: number; gross: number; account: number; earned: number }

/** `of` is a month (YYYY-MM), the id of a product or seller, or a way; null for the total. */
export type Earned = Sums & { by: 'total' | 'month' | 'product' | 'seller' | 'way'; of: string | null }

/** Whole months (YYYY-MM), and their first and last instants. */
type Months = Window & { first: string; last: string; timeZone: string; own: string | undefined }

const adds = sql`coalesce(sum(deeds), 0)::int as deeds, coalesce(sum(gross_cents), 0)::bigint as gross,
  coalesce(sum(account_cents), 0)::bigint as account, coalesce(sum(earned_cents), 0)::bigint as earned`

/** Adds up whole months: from the sums of the statements, and from what the book has beyond them. */
export async function earnedIn(tx: UnitTx, { first, last, from, until, currency, timeZone, own }: Months): Promise<Earned[]> {
  const bySeller = sql`seller_id = coalesce(${own ?? null}::uuid, seller_id)`
  const closed = await lastStatement(tx, currency)
  const open = { from: closed?.ends_at ?? from, late: closed?.next_id, until, currency }
  const { rows } = await sql<Earned>`
    select case when grouping(month) = 0 then 'month' when grouping(product_id) = 0 then 'product' when grouping(seller_id) = 0 then 'seller'
      when grouping(way) = 0 then 'way' else 'total' end as by, coalesce(month, product_id::text, seller_id::text, way) as of, ${adds}
    from (
      select to_char(sums.month, 'YYYY-MM') as month, product_id, seller_id, way, sums.deeds, sums.gross_cents, sums.account_cents, sums.earned_cents
      from statements join statement_sums as sums
        on sums.business_unit_id = statements.business_unit_id and sums.statement_id = statements.id
      where statements.business_unit_id = ${tx.businessUnitId} and statements.currency = ${currency} and ${bySeller}
        and sums.month between ${`${first}-01`}::date and ${`${last}-01`}::date
      union all
      select to_char(at at time zone ${timeZone}, 'YYYY-MM'), product_id, seller_id, way, 1, gross_cents, account_cents, earned_cents
      from (${deedsWhere(sql`${inSpan(tx, open)} and book.at >= ${from}`)}) as deed where ${bySeller}) as earned
    group by grouping sets ((), (month), (product_id), (seller_id), (way))
    order by earned desc`.execute(tx)
  return rows
}

const lastStatement = (tx: UnitTx, currency: string) =>
  tx
    .selectFrom('statements')
    .select(['ends_at', 'next_id'])
    .where('currency', '=', currency)
    .orderBy('month', 'desc')
    .limit(1)
    .executeTakeFirst()

/** Returns the name that each product or seller had at its last booking. */
export async function namesOf(tx: UnitTx, kind: 'product' | 'seller', ids: string[]): Promise<Map<string, string>> {
  const [id, name] = [sql.ref(`${kind}_id`), sql.ref(`${kind}_name`)]
  const { rows } = await sql<{ id: string; name: string }>`
    select wanted.id, last.name from unnest(${ids}::uuid[]) as wanted (id)
    cross join lateral (
      select ${name} as name from policies where business_unit_id = ${tx.businessUnitId} and status in ('purchased', 'cancelled') and ${id} = wanted.id
      order by ${kind === 'product' ? sql`id` : sql`created_at`} desc limit 1) as last`.execute(tx)
  return new Map(rows.map(row => [row.id, row.name]))
}

export type EntryFilter = Window & {
  own: string | undefined
  policyId: string | undefined
  productId: string | undefined
  sellerId: string | undefined
  way: Way | undefined
}

function matching(tx: UnitTx, filter: EntryFilter): RawBuilder<EarnedRow> {
  const { own, policyId, productId, sellerId, way } = filter
  const wanted = { policy_id: policyId, product_id: productId, seller_id: sellerId }
  const conditions = Object.entries(wanted).flatMap(([column, id]) => (id === undefined ? [] : [sql`${sql.ref(column)} = ${id}::uuid`]))
  if (own !== undefined) conditions.push(sql`seller_id = ${own}::uuid`)
  if (way !== undefined) conditions.push(sql`way = ${way}`)
  return sql<EarnedRow>`select * from (${deedsWhere(inWindow(tx, filter))}) as deed where ${sql.join([sql`true`, ...conditions], sql` and `)}`
}

/** Returns a page of deeds, the newest first. */
export const entriesOf = async (
  tx: UnitTx,
  filter: EntryFilter,
  { offset, limit }: { offset: number; limit: number },
): Promise<EarnedRow[]> =>
  (await sql<EarnedRow>`${matching(tx, filter)} order by at desc, id desc limit ${limit} offset ${offset}`.execute(tx)).rows

export async function sumsOf(tx: UnitTx, filter: EntryFilter): Promise<Sums> {
  const { rows } = await sql<Sums>`select ${adds} from (select 1 as deeds, * from (${matching(tx, filter)}) as each) as matching`.execute(
    tx,
  )
  return rows[0] ?? { deeds: 0, gross: 0, account: 0, earned: 0 }
}
