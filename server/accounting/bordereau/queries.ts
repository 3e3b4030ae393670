import { sql } from 'kysely'
import type { OtherSums } from '#common/accounting/bordereau/amounts.ts'
import type { KnownTaxes } from '#common/accounting/bordereau/row.ts'
import type { TaxLine } from '#common/products/tariff.ts'
import type { UnitTx } from '#server/kit/database.ts'
import { movementsOfSpan, inSpan, isMovement, type Place, type Span, wayOf } from '../queries.ts'
import type { StatementRow } from '../statements/queries.ts'
import { movementColumns } from './movement.ts'

/** Returns the statements of a month (YYYY-MM), one for each currency. */
export const statementsOfMonth = (tx: UnitTx, month: string): Promise<StatementRow[]> =>
  tx.selectFrom('statements').selectAll().where('month', '=', `${month}-01`).orderBy('currency').execute()

export const keyOfUnit = async (tx: UnitTx): Promise<string> =>
  (await tx.selectFrom('business_units').select('key').executeTakeFirstOrThrow()).key

/** True if the month is open: some bookings of it, or of an earlier one since the opening, are on no statement. */
export async function isOpen(tx: UnitTx, month: string, timeZone: string): Promise<boolean> {
  const { rows } = await sql<{ open: boolean }>`
    select not exists (select from statements where business_unit_id = ${tx.businessUnitId} and month >= ${`${month}-01`}::date)
      and exists (select from money_book where business_unit_id = ${tx.businessUnitId}
        and at < (${`${month}-01`}::date + interval '1 month') at time zone ${timeZone} and at > coalesce((
          select max(at) from money_book where business_unit_id = ${tx.businessUnitId} and kind = 'opening'), '-infinity')) as open`.execute(
    tx,
  )
  return rows[0]?.open ?? false
}

/** Adds up a statement's movements from the money book alone, without reading policies. */
export async function bookSums(tx: UnitTx, span: Span): Promise<OtherSums> {
  const { rows } = await sql<OtherSums>`
    select count(*)::int as rows, coalesce(-sum(insurer_premium + tax + insurer_cost), 0)::bigint as gross,
      coalesce(-sum(commission_payable), 0)::bigint as commission
    from money_book as book where ${inSpan(tx, span)} and ${isMovement}`.execute(tx)
  return rows[0] ?? { rows: 0, gross: 0, commission: 0 }
}

/** Returns the taxes of an edition of the catalogue by their codes. */
export async function taxesOfEdition(tx: UnitTx, version: number): Promise<KnownTaxes> {
  const edition = await tx.selectFromShared('catalogue_versions').select('content').where('version', '=', version).executeTakeFirst()
  return new Map(
    Object.entries<TaxLine[]>(edition?.content.taxes ?? {}).flatMap(([country, lines]) =>
      lines.map(line => [line.code, { country: Number(country), ...rateOf(line) }] as const),
    ),
  )
}

const rateOf = (line: TaxLine) =>
  'rateBp' in line
    ? { rate: line.rateBp / 100, sharePercent: line.sharePercent }
    : { rate: line.perMillionOfAccidentCapital / 10_000, sharePercent: null }

/** Movements as text. The database writes a line for each, with the cells of `movementColumns` between tabs, to spare this thread the work. */
export type MovementBatch = { rows: string; count: number; editions: number[] }

/** The columns with texts that people wrote. A tab or the end of a line in them becomes a space. */
const written: ReadonlySet<string> = new Set(['number', 'holder_name', 'company_name', 'document_number'])

const textOf = (name: string) => {
  const column = sql`movement.${sql.ref(name)}`
  return sql`coalesce(${written.has(name) ? sql`translate(${column}, E'\\t\\n\\r', '   ')` : sql`${column}::text`}, '')`
}

/** Selects a movement as a line. */
const lineOf = sql`concat_ws(E'\\t', ${sql.join(movementColumns.map(textOf))})`

/** Returns the last movement of each full batch of a statement, so that several batches can be read at once. */
export async function lastOfBatches(tx: UnitTx, span: Span, batch: number): Promise<Place[]> {
  const all = movementsOfSpan(tx, span, sql`book.kind`, { limit: Number.MAX_SAFE_INTEGER })
  const { rows } = await sql<Place>`
    select at, id from (select at, id, row_number() over (order by at, id) as place from (${all}) as movement) as numbered
    where place % ${batch}::int = 0 order by place`.execute(tx)
  return rows
}

/** Returns movements of a statement with their policy versions, oldest first, after a position in it. */
export async function movementsAfter(
  tx: UnitTx,
  span: Span,
  timeZone: string,
  after: Place | undefined,
  limit: number,
): Promise<MovementBatch> {
  const unit = tx.businessUnitId
  const columns = sql`book.kind, book.insurer_premium, book.commission_payable, book.taxes, ${wayOf} as way, book.policy_id, book.policy_version,
    book.deed_id`
  // The limits keep the planner from joining the subqueries: each row looks up its own few rows by key.
  const { rows } = await sql<{ rows: string; count: number; editions: number[] | null }>`
    with book as materialized (${movementsOfSpan(tx, span, columns, { after, limit })})
    select coalesce(string_agg(${lineOf}, E'\\n' order by book.at, book.id), '') as rows, count(*)::int as count,
      array_agg(distinct movement.catalogue_version) as editions
    from book
    cross join lateral (
      select book.id, to_char(book.at at time zone ${timeZone}, 'YYYY-MM-DD') as day, book.kind, book.insurer_premium, book.commission_payable,
        book.taxes, book.way, book.policy_id, policy.number, policy.product, policy.renews, version.*, holder.*, line.*
      from (
        select number, renews is not null as renews, (select code from products where products.id = policies.product_id) as product
        from policies where business_unit_id = ${unit} and id = book.policy_id limit 1) as policy
      cross join lateral (
        select version, catalogue_version, pax_number, total_cents, content#>>'{trip,startDate}' as start_date,
          content#>>'{trip,endDate}' as end_date, content#>>'{trip,insurancedAmount}' as insured_amount, content#>>'{quote,zone}' as zone
        from policy_versions where business_unit_id = ${unit} and policy_id = book.policy_id and version = book.policy_version limit 1) as version
      left join lateral (
        select concat_ws(' ', name, middle_name, nullif(last_name, '-')) as holder_name, company_name, residence_country, document_number, sealed, sealed_by, person_id
        from policy_people where business_unit_id = ${unit} and policy_id = book.policy_id and version = book.policy_version and holder
        order by position limit 1) as holder on true
      cross join lateral (
        select
          coalesce(sum(case when version = book.policy_version then amount_cents else -amount_cents end) filter (where kind = 'cancellation'), 0)::bigint
            as cancellation_cents,
          max(rate) filter (where kind = 'commission' and version = book.policy_version)::text as commission_rate
        from policy_price_lines
        where business_unit_id = ${unit} and policy_id = book.policy_id and version = any(array[book.policy_version,
          (select from_version from policy_deeds where business_unit_id = ${unit} and id = book.deed_id)])) as line
    ) as movement`.execute(tx)
  const [found] = rows
  if (!found) throw new Error('a sum has a row')
  return { ...found, editions: found.editions ?? [] }
}
