import { type RawBuilder, sql, type SqlBool } from 'kysely'
import { mostLines, type OwnPolicy } from '#common/accounting/match/match.ts'
import type { SettledWay } from '#common/accounting/book.ts'
import type { Locale } from '#common/kit/locales.ts'
import { unitSettings } from '#server/business-unit/public.ts'
import type { UnitTx } from '#server/kit/database.ts'
import { productNames } from '#server/products/public.ts'
import type { Sums } from '../earnings/queries.ts'
import { explained, type ExplainedRow } from '../pairs/queries.ts'
import { movementsOfSpan, movementsWhere, type EarnedRow, inSpan, type Place, type Span } from '../queries.ts'
import { settles, type StatementRow } from '../statements/queries.ts'

/** Returns the bounds of a statement's bookings, as they were when it was closed. */
export async function spanOf(tx: UnitTx, row: StatementRow): Promise<Span> {
  const before = await tx
    .selectFrom('statements')
    .select('next_id')
    .where('month', '<', row.month)
    .orderBy('month', 'desc')
    .orderBy('next_id')
    .limit(1)
    .executeTakeFirst()
  return { from: row.starts_at, until: row.ends_at, currency: row.currency, late: before?.next_id, next: row.next_id }
}

type LinePage = { after?: Place | undefined; offset?: number; limit: number }

/** Returns lines of a statement, the oldest first. */
export const linesOf = async (tx: UnitTx, span: Span, page: LinePage): Promise<EarnedRow[]> =>
  (await sql<EarnedRow>`${lineIds(tx, span, page)} select * from (${ofLines(tx)}) as movement order by at, id`.execute(tx)).rows

/** Returns lines of a statement, each with its reason. */
export const explainedLinesOf = async (tx: UnitTx, span: Span, page: LinePage): Promise<ExplainedRow[]> =>
  (await sql<ExplainedRow>`${lineIds(tx, span, page)} ${explained(tx, ofLines(tx))} order by at, id`.execute(tx)).rows

/** Skips earlier pages by id alone, so that a late page does not read their policies. */
const lineIds = (tx: UnitTx, span: Span, page: LinePage) =>
  sql`with line as materialized (${movementsOfSpan(tx, span, sql`book.kind`, page)})`

const ofLines = (tx: UnitTx) => movementsWhere(sql`book.business_unit_id = ${tx.businessUnitId} and book.id in (select id from line)`)

/** Returns the movement of this id. */
export async function movementById(tx: UnitTx, id: string): Promise<EarnedRow | undefined> {
  const condition = sql<SqlBool>`book.business_unit_id = ${tx.businessUnitId} and book.id = ${id}::uuid`
  return (await movementsWhere(condition).execute(tx)).rows[0]
}

export type PaymentRow = {
  id: string
  at: Date
  way: SettledWay
  /** The day of the payment, and the bank's reference. */
  on: string
  reference: string
  /** True if it reverses an earlier booking. */
  reverses: boolean
  account: number
  commission: number
  since: boolean
}

/** The most payments that a statement shows: of its month, and later ones. */
const maxPayments = 100

/** Returns what was paid, written off or corrected in a statement's month and since, the oldest first. */
export async function paymentsOf(tx: UnitTx, span: Span, { since }: { since: boolean }): Promise<PaymentRow[]> {
  const { timeZone } = await unitSettings(tx)
  const { currency, until } = span
  const later = sql`book.business_unit_id = ${tx.businessUnitId} and book.currency = ${currency} and book.at >= ${until}`
  const columns = sql`book.id, book.at, book.kind, -book.agency_account as account, book.commission_payable as commission`
  const { rows } = await sql<PaymentRow>`
    select paid.id, paid.at, paid.account, paid.commission, paid.since, coalesce(fact.way, paid.kind) as way,
      to_char(coalesce(fact.paid_on, (paid.at at time zone ${timeZone})::date), 'YYYY-MM-DD') as on, coalesce(fact.reference, '') as reference,
      fact.reverses is not null as reverses from (
      select *, false as since from (select ${columns} from money_book as book where ${inSpan(tx, span)} and ${settles}) as during
      ${since ? sql`union all select *, true from (select ${columns} from money_book as book where ${later} and ${settles}) as later` : sql``}) as paid
    left join account_bookings as fact on fact.business_unit_id = ${tx.businessUnitId} and fact.id = paid.id
    order by at, id limit ${maxPayments}`.execute(tx)
  return rows
}

/** Returns the commission of earlier months that was set against the account in a statement's month. */
export async function nettingIn(tx: UnitTx, span: Span): Promise<number> {
  const { rows } = await sql<{ cents: number }>`
    select coalesce(sum(book.commission_payable), 0)::bigint as cents from money_book as book where ${inSpan(tx, span)} and book.kind = 'netting'`.execute(
    tx,
  )
  return rows[0]?.cents ?? 0
}

export type ProductSums = Sums & { name: string }

/** Adds up a statement by product, the highest commission first. */
export async function productSumsOf(tx: UnitTx, { id }: StatementRow, locale: Locale): Promise<ProductSums[]> {
  const { rows } = await sql<Sums & { product: string }>`
    select product_id as product, sum(deeds)::int as deeds, sum(gross_cents)::bigint as gross, sum(account_cents)::bigint as account,
      sum(earned_cents)::bigint as earned
    from statement_sums where business_unit_id = ${tx.businessUnitId} and statement_id = ${id}
    group by product_id order by earned desc, product_id`.execute(tx)
  const ids = rows.map(({ product }) => product)
  const names = await productNames(tx, ids, locale)
  return rows.map(({ product, ...sums }) => ({ ...sums, name: names.get(product) ?? '' }))
}

/** Returns the sums of the policies with a movement: if there are too many, one more than is compared. */
export async function policySums(tx: UnitTx, condition: RawBuilder<SqlBool>, own: string | undefined): Promise<OwnPolicy[]> {
  const { rows } = await sql<OwnPolicy>`
    select policy_id as id, number, reference, sum(gross_cents)::float8 as gross, sum(earned_cents)::float8 as commission
    from (${movementsWhere(condition)}) as movement
    where ${own === undefined ? sql`true` : sql`seller_id = ${own}`}
    group by policy_id, number, reference order by number limit ${mostLines + 1}`.execute(tx)
  return rows.map(row => ({ ...row, number: row.number ?? '' }))
}
