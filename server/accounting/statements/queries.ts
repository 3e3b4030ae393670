import { type RawBuilder, type Selectable, sql, type SqlBool } from 'kysely'
import type { Balances, Settled } from '#common/accounting/statement.ts'
import type { ServiceTx, Tx, UnitTx } from '#server/kit/database.ts'
import { amountsOfMovement, movementsWhere, inSpan, keptMonths, monthOf, type Span, type Window } from '../queries.ts'
import type { AccountingTables } from '../tables.ts'

export type OpenMonth = {
  businessUnitId: string
  key: string
  currency: string
  month: string
  from: Date
  until: Date
  timeZone: string
  netted: boolean
}

/**
 * Selects the earliest month of each unit that is over and not closed. A month is over at six in the morning after it, by the unit's clock. It begins
 * where the previous statement ended, as the unit's time zone may have changed since.
 */
export async function openMonths(tx: Tx, now: Date): Promise<OpenMonth[]> {
  const { rows } = await sql<OpenMonth>`
    select id as "businessUnitId", key, currency, to_char(month, 'YYYY-MM-DD') as month, coalesce(starts, month at time zone zone) as from,
      (month + interval '1 month') at time zone zone as until, zone as "timeZone", netted
    from (
      select ${ofUnit}, last.ends_at as starts, last.month + interval '1 month' as month
      from (select distinct on (business_unit_id) business_unit_id, month, ends_at from statements order by business_unit_id, month desc) as last
      ${unitOf('last')}
      union
      ${firstMonths('policy_counts')}
      union
      ${firstMonths('account_bookings')}) as next
    where (month + interval '1 month 6 hours') at time zone zone <= ${now}
    order by key`.execute(tx)
  return rows
}

const ofUnit = sql`unit.id, unit.key, unit.settings->>'timeZone' as zone, unit.settings->>'currency' as currency, coalesce(terms.netted, true) as netted`

/** Joins the unit to a distributed table, which comes first: a join that starts from the shared units would not reach every machine. */
const unitOf = (first: string) => sql`
      join business_units as unit on unit.id = ${sql.ref(first)}.business_unit_id
      left join account_terms as terms on terms.business_unit_id = ${sql.ref(first)}.business_unit_id`

/** Selects the month of the first booking since any opening, for units without a statement. Units that book have policies or bookings by hand. */
const firstMonths = (table: 'policy_counts' | 'account_bookings') => sql`
      select ${ofUnit}, opening.ends, date_trunc('month', coalesce(opening.ends, first.at) at time zone (unit.settings->>'timeZone'))
      from (select business_unit_id from ${sql.table(table)} group by business_unit_id) as own
      cross join lateral (
        select min(at) as at from money_book where money_book.business_unit_id = own.business_unit_id group by money_book.business_unit_id) as first
      left join lateral (
        select max(at) + interval '1 millisecond' as ends from money_book
        where money_book.business_unit_id = own.business_unit_id and kind = 'opening' group by money_book.business_unit_id) as opening on true
      ${unitOf('own')}
      where not exists (select from statements where statements.business_unit_id = own.business_unit_id)`

/** Returns the first id that was written after the last closing of the unit, in any currency. */
export const idAfterClosing = async (tx: UnitTx): Promise<string | undefined> =>
  (await tx.selectFrom('statements').select('next_id').orderBy('month', 'desc').orderBy('next_id').limit(1).executeTakeFirst())?.next_id

/** Returns the last month that is closed, as YYYY-MM. */
export const lastClosed = async (tx: UnitTx): Promise<string | undefined> =>
  (await tx.selectFrom('statements').select('month').orderBy('month', 'desc').limit(1).executeTakeFirst())?.month.slice(0, 7)

/** Returns the other currencies of a month: those of its bookings, of late ones, and of earlier statements. */
export async function otherCurrencies(tx: UnitTx, { from, until, currency }: Window, late: string | undefined): Promise<string[]> {
  const { rows } = await sql<{ currency: string }>`
    select currency from money_book where business_unit_id = ${tx.businessUnitId} and at < ${until} and currency <> ${currency}
      and (at >= ${from}${late === undefined ? sql`` : sql` or id >= ${late}::uuid`})
    union
    select currency from statements where business_unit_id = ${tx.businessUnitId} and currency <> ${currency}
    order by currency`.execute(tx)
  return rows.map(row => row.currency)
}

/** Returns the last statement in a currency, whose balances the next one carries over. */
export const lastStatement = (tx: UnitTx, currency: string): Promise<StatementRow | undefined> =>
  tx.selectFrom('statements').selectAll().where('currency', '=', currency).orderBy('month', 'desc').limit(1).executeTakeFirst()

/** Returns the balances in a currency without statements: what its opening left. */
export async function balancesBefore(tx: UnitTx, { from, currency, late }: Span): Promise<Balances> {
  const { rows } = await sql<Balances>`
    select coalesce(sum(agency_account), 0)::bigint as account, coalesce(-sum(commission_payable), 0)::bigint as commission
    from money_book where business_unit_id = ${tx.businessUnitId} and currency = ${currency} and at < ${from}
      ${late === undefined ? sql`` : sql`and id < ${late}::uuid`}`.execute(tx)
  return rows[0] ?? { account: 0, commission: 0 }
}

type ToClose = Span & {
  id: string
  next: string
  number: string
  month: string
  timeZone: string
  closedAt: Date
  dueOn: string
  netted: boolean
  dutyBp: number
  before: Balances
}

/** Returns the duty on a commission, in cents, rounded once and half up as a tax is (docs/rating.md). */
export const withheld = (earned: RawBuilder<unknown>, dutyBp: number): RawBuilder<number> =>
  sql<number>`floor((${earned}::numeric * ${dutyBp}::int * 2 + 10000) / 20000)::bigint`

/** The balances that a statement leaves, and what it withheld from the commission. */
type Closed = Balances & { deeds: number; duty: number }

const nothing = { deeds: 0, gross: 0, account: 0, earned: 0, duty: 0, movedAccount: 0, movedCommission: 0 }
type Sums = typeof nothing

/**
 * Writes the statement of a month, with its sums. Undefined if another node has closed it meanwhile: the key of unit, month and currency lets one
 * through.
 */
export async function insertStatement(tx: UnitTx, closed: ToClose): Promise<Closed | undefined> {
  const { id, next, number, month, timeZone, from, until, currency, closedAt, dueOn, netted, dutyBp, before } = closed
  const kept = await keptMonths(tx, currency, timeZone)
  const sums = await sql<Sums>`
    select deeds.*, moved.*
    from (
      select count(*) as deeds, coalesce(sum(gross_cents), 0)::bigint as gross, coalesce(sum(account_cents), 0)::bigint as account,
        coalesce(sum(earned_cents), 0)::bigint as earned,
        ${withheld(sql`coalesce(sum(earned_cents), 0)`, dutyBp)} as duty
      from (${movementsWhere(inSpan(tx, closed))}) as movement) as deeds
    cross join (
      select coalesce(sum(agency_account), 0)::bigint as "movedAccount", coalesce(-sum(commission_payable), 0)::bigint as "movedCommission"
      from money_book as book where ${inSpan(tx, closed)}) as moved`.execute(tx)
  const { deeds, gross, account, earned, duty, movedAccount, movedCommission } = sums.rows[0] ?? nothing
  const inserted = await tx
    .insertInto('statements')
    .values({
      id,
      next_id: next,
      number,
      month: sql`${month}::date`,
      currency,
      starts_at: from,
      ends_at: until,
      closed_at: closedAt,
      due_on: sql`${dueOn}::date`,
      netted,
      deeds,
      gross_cents: gross,
      account_cents: account,
      earned_cents: earned,
      stamp_duty_bp: dutyBp,
      stamp_duty_cents: duty,
      account_before_cents: before.account,
      commission_before_cents: before.commission,
      account_after_cents: before.account + movedAccount,
      commission_after_cents: before.commission + movedCommission - duty,
    })
    // No key is named, as the number of a month is unique, too, and either may conflict when two nodes close the month at once.
    .onConflict(conflict => conflict.doNothing())
    .returning(['account_after_cents as account', 'commission_after_cents as commission', 'deeds', 'stamp_duty_cents as duty'])
    .executeTakeFirst()
  if (!inserted) return undefined
  await sql`
    insert into statement_sums (business_unit_id, statement_id, month, product_id, seller_id, way, kind, deeds, gross_cents, account_cents, earned_cents)
    select business_unit_id, ${id}, case when at >= ${from} then ${month}::date else (${monthOf(kept)} || '-01')::date end as month, product_id, seller_id, way, kind, count(*),
      sum(gross_cents), sum(account_cents), sum(earned_cents)
    from (${movementsWhere(inSpan(tx, closed))}) as movement group by 1, 3, product_id, seller_id, way, kind`.execute(tx)
  return inserted
}

/** The sums of a kind's bookings. */
export type KindSums = { kind: string; gross: number; account: number; earned: number }

const addsByKind = sql`kind, sum(gross_cents)::bigint as gross, sum(account_cents)::bigint as account, sum(earned_cents)::bigint as earned`

/** Adds up the movements of a statement by kind. */
export async function sumsOfStatement(tx: UnitTx, { id }: StatementRow): Promise<KindSums[]> {
  const { rows } = await sql<KindSums>`
    select ${addsByKind} from statement_sums where business_unit_id = ${tx.businessUnitId} and statement_id = ${id} group by kind`.execute(
    tx,
  )
  return rows
}

/** Adds up all bookings of a month that is not closed by kind. Late ones are found by id, without reading all earlier months. */
export async function sumsOfSpan(tx: UnitTx, { from, until, currency, late }: Span): Promise<KindSums[]> {
  const booked = (part: RawBuilder<SqlBool>) => sql`
    select book.kind, ${amountsOfMovement} from money_book as book
    where book.business_unit_id = ${tx.businessUnitId} and book.currency = ${currency} and ${part}`
  const own = booked(sql`book.at >= ${from} and book.at < ${until}`)
  const earlier = late === undefined ? sql`` : sql`union all ${booked(sql`book.at < ${from} and book.id >= ${late}::uuid`)}`
  const { rows } = await sql<KindSums>`select ${addsByKind} from (${own} ${earlier}) as booked group by kind`.execute(tx)
  return rows
}

export type StatementRow = Selectable<AccountingTables['statements']>

/** The most statements of a unit that are read: more than thirty years of months. */
const maxStatements = 400

/** Returns the unit's statements that have movements or balances, newest first. */
export const statementsOf = (tx: UnitTx): Promise<StatementRow[]> =>
  tx
    .selectFrom('statements')
    .selectAll()
    .where(where => where.or([where('deeds', '>', 0), where('account_after_cents', '<>', 0), where('commission_after_cents', '<>', 0)]))
    .orderBy('month', 'desc')
    .orderBy('currency')
    .limit(maxStatements)
    .execute()

/** True for the rows of `book` that settle what an agency owes or is owed. */
export const settles = sql<SqlBool>`book.kind in ('payment', 'write_off', 'correction')`

/**
 * Adds up the payments in each direction since `statement`, with the names of `Settled`. Write-offs and corrections count as received, returned
 * commission as not paid. The agency and the insurer both see this one sum.
 */
export const paidSince = sql`
  select coalesce(-sum(agency_account) filter (where agency_account < 0), 0)::bigint as received,
    coalesce(sum(agency_account) filter (where agency_account > 0), 0)::bigint as returned,
    greatest(0, coalesce(sum(commission_payable), 0))::bigint as commission
  from money_book as book
  where book.business_unit_id = statement.business_unit_id and book.currency = statement.currency and book.at >= statement.ends_at
    and ${settles}`

// The accounts of all units or of one, for the administration. Each part is read on the machine that has the unit's rows.

const where = (column: string, unitId: string | undefined) =>
  unitId === undefined ? sql`` : sql`where ${sql.ref(column)} = ${unitId}::uuid`

/** Selects the units that have sold or have a booking by hand, with their currency: no other has a statement or commission. */
export function unitsWithBookings(unitId?: string) {
  const from = (table: string) => sql`
    select each.business_unit_id, unit.settings->>'currency' as currency
    from ${sql.table(table)} as each join business_units as unit on unit.id = each.business_unit_id ${where('each.business_unit_id', unitId)}`
  return sql`(${from('policy_counts')} union ${from('account_bookings')})`
}

/** Reads the terms of accounts, and the room in each currency, into `terms` and `room`. */
export function termsAndRoom(unitId?: string) {
  const ofUnit = where('business_unit_id', unitId)
  return sql`
    terms as materialized (select * from account_terms ${ofUnit}),
    room as materialized (
      select business_unit_id, currency, sum(cents)::bigint as cents from account_headroom ${ofUnit} group by business_unit_id, currency)`
}

/** Returns what has been paid each way since each statement, by its id. */
export async function settledSince(tx: UnitTx): Promise<Map<string, Settled>> {
  const { rows } = await sql<Settled & { id: string }>`
    select statement.id, paid.* from statements as statement cross join lateral (${paidSince}) as paid
    where statement.business_unit_id = ${tx.businessUnitId}`.execute(tx)
  return new Map(rows.map(({ id, ...settled }) => [id, settled]))
}

/** Returns the first statement in each currency. */
export async function firstStatements(tx: UnitTx): Promise<Map<string, Pick<StatementRow, 'starts_at' | 'next_id'>>> {
  const rows = await tx
    .selectFrom('statements')
    .select(['currency', 'starts_at', 'next_id'])
    .distinctOn('currency')
    .orderBy('currency')
    .orderBy('month')
    .execute()
  return new Map(rows.map(({ currency, ...first }) => [currency, first]))
}

/** Returns the last instant that an opening has settled in a currency. */
export const openedAt = async (tx: UnitTx, currency: string): Promise<Date | undefined> =>
  (
    await tx
      .selectFrom('money_book')
      .select('at')
      .where('kind', '=', 'opening')
      .where('currency', '=', currency)
      .orderBy('at', 'desc')
      .limit(1)
      .executeTakeFirst()
  )?.at

export const currenciesOfStatements = async (tx: UnitTx): Promise<string[]> =>
  (await tx.selectFrom('statements').select('currency').distinct().orderBy('currency').execute()).map(({ currency }) => currency)

/** Joins each unit with its last statement in each currency, and the part still due on the account. */
export const lastStatements = sql`
  from (select business_unit_id from statements group by business_unit_id) as own
  join business_units as unit on unit.id = own.business_unit_id
  cross join lateral (
  select distinct on (business_unit_id, currency) number, due_on, case when netted then account_after_cents - commission_after_cents else account_after_cents end as due
  from statements where statements.business_unit_id = own.business_unit_id order by business_unit_id, currency, month desc) as last`

/** Returns the units with an unpaid statement past its due day, and the marked ones, whose debt may have changed. */
export async function unitsPastDue(tx: ServiceTx, now: Date): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct unit.id
    ${lastStatements}
    left join account_terms as terms on terms.business_unit_id = own.business_unit_id
    where terms.overdue_since is not null
      or last.due > 0 and last.due_on < (${now}::timestamptz at time zone (unit.settings->>'timeZone'))::date`.execute(tx)
  return rows.map(({ id }) => id)
}
