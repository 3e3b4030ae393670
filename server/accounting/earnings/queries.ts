import { type RawBuilder, sql, type SqlBool } from 'kysely'
import type { Way } from '#common/accounting/book.ts'
import type { Locale } from '#common/kit/locales.ts'
import { fromCents } from '#common/kit/money.ts'
import type { UnitTx } from '#server/kit/database.ts'
import { productNames } from '#server/products/public.ts'
import { explained, type ExplainedRow } from '../pairs/queries.ts'
import { firstStatements, lastStatement } from '../statements/queries.ts'
import {
  amountsOfMovement,
  type EarnedRow,
  inWindow,
  isMovement,
  type KeptMonths,
  monthOf,
  movementsWhere,
  type Window,
} from '../queries.ts'

export type Sums = { deeds: number; gross: number; account: number; earned: number }

/** `of` is a month (YYYY-MM), the id of a product or seller, or a way; null for the total. In a seller's month it is the seller. */
export type Earned = Sums & {
  by: 'total' | 'month' | 'product' | 'seller' | 'way' | 'seller_month'
  of: string | null
  month: string | null
}

type Narrowing = { own: string | undefined; productId?: string | undefined; sellerId?: string | undefined; way?: Way | undefined }

/** Whole months (YYYY-MM), and their first and last instants. */
export type Months = Window & Narrowing & { first: string; last: string; kept: KeptMonths }

export const noSums: Sums = { deeds: 0, gross: 0, account: 0, earned: 0 }

/** Converts sums to major units, as calls send them. */
export const amountsOf = ({ deeds, gross, account, earned }: Sums) => ({
  deeds,
  gross: fromCents(gross),
  account: fromCents(account),
  earned: fromCents(earned),
})

export const adds = sql`coalesce(sum(deeds), 0)::int as deeds, coalesce(sum(gross_cents), 0)::bigint as gross,
  coalesce(sum(account_cents), 0)::bigint as account, coalesce(sum(earned_cents), 0)::bigint as earned`

/** Adds up whole months by each grouping that the screen shows, and on request by seller and month. */
export async function earnedIn(tx: UnitTx, months: Months, bySellerMonth = false): Promise<Earned[]> {
  const { rows } = await sql<Earned>`
    select case when grouping(month, seller_id) = 0 then 'seller_month' when grouping(month) = 0 then 'month' when grouping(product_id) = 0 then 'product' when grouping(seller_id) = 0 then 'seller'
      when grouping(way) = 0 then 'way' else 'total' end as by, coalesce(product_id::text, seller_id::text, way, month) as of,
      month, ${adds}
    from (${await bookedIn(tx, months)}) as earned
    group by grouping sets ((), (month), (product_id), (seller_id), (way)${bySellerMonth ? sql`, (month, seller_id)` : sql``})
    order by earned desc`.execute(tx)
  return rows
}

/**
 * Selects the sums of whole months: those of the statements, and those of the book beyond them. The book is read in two parts, by day and by id:
 * with both conditions at once, the database would read all months.
 */
export async function bookedIn(tx: UnitTx, months: Months): Promise<RawBuilder<object>> {
  const { first, last, from, until, currency, kept } = months
  const closed = await lastStatement(tx, currency)
  const starts = closed && closed.ends_at > from ? closed.ends_at : from
  const booked = (part: RawBuilder<SqlBool>) => sql`
    select ${monthOf(kept)}, product_id, seller_id, way, 1, gross_cents, account_cents, earned_cents
    from (
      select book.at, book.product_id, book.seller_id, ${amountsOfMovement} from money_book as book
      where book.business_unit_id = ${tx.businessUnitId} and book.currency = ${currency} and ${isMovement} and ${part}) as movement
    where ${narrowed(months)}`
  const late =
    closed && sql<SqlBool>`book.id >= ${closed.next_id}::uuid and book.at >= ${from} and book.at < ${starts < until ? starts : until}`
  // Movements from before the first statement are on none, as an opening settled them.
  const opened = (await firstStatements(tx)).get(currency)
  const early =
    opened &&
    opened.starts_at > from &&
    sql<SqlBool>`book.id < ${opened.next_id}::uuid and book.at >= ${from} and book.at < ${opened.starts_at < until ? opened.starts_at : until}`
  return sql`
    select to_char(sums.month, 'YYYY-MM') as month, product_id, seller_id, way, sums.deeds, sums.gross_cents, sums.account_cents, sums.earned_cents
    from statements join statement_sums as sums
      on sums.business_unit_id = statements.business_unit_id and sums.statement_id = statements.id
    where statements.business_unit_id = ${tx.businessUnitId} and statements.currency = ${currency} and ${narrowed(months)}
      and sums.month between ${`${first}-01`}::date and ${`${last}-01`}::date
    union all ${booked(sql<SqlBool>`book.at >= ${starts} and book.at < ${until}`)}
    ${late ? sql`union all ${booked(late)}` : sql``}
    ${early ? sql`union all ${booked(early)}` : sql``}`
}

/** Returns the names of products, in the reader's language, or of sellers, as they were at their last sale. */
export const namesOf = (tx: UnitTx, kind: 'product' | 'seller', ids: string[], locale: Locale): Promise<Map<string, string>> =>
  kind === 'product' ? productNames(tx, ids, locale) : sellerNames(tx, ids)

/** Searches each status by itself, as the indexes are ordered within a status. */
async function sellerNames(tx: UnitTx, ids: string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; name: string }>`
    select distinct on (wanted.id) wanted.id, last.name from unnest(${ids}::uuid[]) as wanted (id)
    cross join unnest(array['purchased', 'cancelled', 'blocked']) as sold (status)
    cross join lateral (
      select seller_name as name, created_at as latest from policies
      where business_unit_id = ${tx.businessUnitId} and status = sold.status and seller_id = wanted.id
      order by latest desc limit 1) as last
    order by wanted.id, last.latest desc`.execute(tx)
  return new Map(rows.map(row => [row.id, row.name]))
}

export type EntryFilter = Window & Narrowing & { policyId: string | undefined }

export function narrowed({ own, productId, sellerId, way }: Narrowing): RawBuilder<SqlBool> {
  const ids = { product_id: productId, seller_id: sellerId }
  const conditions = Object.entries(ids).flatMap(([column, id]) => (id === undefined ? [] : [sql`${sql.ref(column)} = ${id}::uuid`]))
  if (own !== undefined) conditions.push(sql`seller_id = ${own}::uuid`)
  if (way !== undefined) conditions.push(sql`way = ${way}`)
  return sql<SqlBool>`${sql.join([sql`true`, ...conditions], sql` and `)}`
}

export function matching(tx: UnitTx, filter: EntryFilter): RawBuilder<EarnedRow> {
  const ofPolicy = filter.policyId === undefined ? sql`` : sql`and book.policy_id = ${filter.policyId}::uuid`
  return sql<EarnedRow>`select * from (${movementsWhere(sql<SqlBool>`${inWindow(tx, filter)} ${ofPolicy}`)}) as movement where ${narrowed(filter)}`
}

/** Returns a page of movements, the newest first, each with why it was made. */
export const entriesOf = async (
  tx: UnitTx,
  filter: EntryFilter,
  { offset, limit }: { offset: number; limit: number },
): Promise<ExplainedRow[]> => {
  const page = sql<EarnedRow>`${matching(tx, filter)} order by at desc, id desc limit ${limit} offset ${offset}`
  return (await sql<ExplainedRow>`${explained(tx, page)} order by at desc, id desc`.execute(tx)).rows
}

/** Adds up whole months, without reading the movements of closed ones. */
export async function monthSums(tx: UnitTx, months: Months): Promise<Sums> {
  const { rows } = await sql<Sums>`select ${adds} from (${await bookedIn(tx, months)}) as earned`.execute(tx)
  return rows[0] ?? noSums
}

/** Adds up the movements of any days. */
export async function sumsOf(tx: UnitTx, filter: EntryFilter): Promise<Sums> {
  const { rows } = await sql<Sums>`select ${adds} from (select 1 as deeds, * from (${matching(tx, filter)}) as each) as matching`.execute(
    tx,
  )
  return rows[0] ?? noSums
}
