import { type RawBuilder, sql, type SqlBool } from 'kysely'
import type { UnitTx } from '#server/kit/database.ts'
import { adds, bookedIn, type EntryFilter, matching, type Months, narrowed, type Sums } from '../earnings/queries.ts'
import { type EarnedRow, inWindow, isAfter, type KeptMonths, monthOf, movementsWhere } from '../queries.ts'

/** The dimensions by which sums can be grouped. */
export type Group = 'month' | 'product' | 'seller' | 'way'

/** Columns by which the sums are not grouped are null. */
export type GroupRow<Of = Sums> = Of & { month: string | null; product_id: string | null; seller_id: string | null; way: string | null }

/** The sums of sales: premium and taxes are parts of `gross`. */
export type Sold = { deeds: number; premium: number; gross: number; earned: number }

const columns = { month: 'month', product: 'product_id', seller: 'seller_id', way: 'way' } as const satisfies Record<Group, string>

const grouped = (by: readonly Group[]): RawBuilder<unknown> =>
  sql.join(
    // Safe: the object has exactly these keys.
    (Object.keys(columns) as Group[]).map(group => {
      const column = sql.ref(columns[group])
      return by.includes(group) ? sql`${column}::text as ${column}` : sql`null::text as ${column}`
    }),
  )

const inOrder = sql`group by 1, 2, 3, 4 order by month, earned desc, product_id, seller_id, way`

/** Adds up whole months by groups, from the sums of the statements where there are some. */
export async function monthsBy(tx: UnitTx, months: Months, by: readonly Group[]): Promise<GroupRow[]> {
  const { rows } = await sql<GroupRow>`select ${grouped(by)}, ${adds} from (${await bookedIn(tx, months)}) as earned ${inOrder}`.execute(tx)
  return rows
}

type Days = EntryFilter & { kept: KeptMonths }

/** Adds up any days by groups. */
export async function daysBy(tx: UnitTx, days: Days, by: readonly Group[]): Promise<GroupRow[]> {
  const { rows } = await sql<GroupRow>`select ${grouped(by)}, ${adds} from (
    select 1 as deeds, ${monthOf(days.kept)} as month, * from (${matching(tx, days)}) as each) as matching ${inOrder}`.execute(tx)
  return rows
}

/** Adds up the sales of any days by groups, at the price of the sale. */
export async function salesBy(tx: UnitTx, days: Days, by: readonly Group[]): Promise<GroupRow<Sold>[]> {
  const { rows } = await sql<GroupRow<Sold>>`select ${grouped(by)}, count(*)::int as deeds, sum(premium_cents)::bigint as premium,
      sum(gross_cents)::bigint as gross, sum(earned_cents)::bigint as earned
    from (select ${monthOf(days.kept)} as month, * from (${matching(tx, days)}) as each where kind = 'sale') as sold ${inOrder}`.execute(tx)
  return rows
}

/** Returns the movements of a period that follow a given one, oldest first. */
export async function movementsAfter(
  tx: UnitTx,
  filter: EntryFilter,
  after: { id: string } | undefined,
  limit: number,
): Promise<EarnedRow[]> {
  const later = after ? sql`and ${isAfter(tx, after)}` : sql``
  const { rows } = await sql<EarnedRow>`
    select * from (${movementsWhere(sql<SqlBool>`${inWindow(tx, filter)} ${later}`)}) as movement where ${narrowed(filter)}
    order by at, id limit ${limit}`.execute(tx)
  return rows
}
