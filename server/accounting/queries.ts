import { type Insertable, type RawBuilder, type Selectable, sql, type SqlBool } from 'kysely'
import { type Account, accounts, type Entry, type MovementKind, movementKinds, type Way } from '#common/accounting/book.ts'
import { addDays, addMonths, startOfDay } from '#common/kit/dates.ts'
import type { ServiceTx, UnitTx } from '#server/kit/database.ts'
import { moveExposure } from './limit/queries.ts'
import type { AccountingTables } from './tables.ts'

type Row = Insertable<AccountingTables['money_book']>

/** The cause of a booking. `policy_version` is the version that it led to. */
export type Booking = Pick<
  Row,
  'id' | 'at' | 'kind' | 'policy_id' | 'policy_version' | 'deed_id' | 'payment_id' | 'refund_id' | 'request_id' | 'currency'
>

/** Moves what a booking puts on the agency's account, or takes off it. The credit limit can refuse it. */
export async function expose(tx: UnitTx, booking: Pick<Booking, 'at' | 'kind' | 'currency'> & { agency_account: number }): Promise<void> {
  const { agency_account: cents, kind, currency, at } = booking
  if (cents !== 0) await moveExposure(tx, { cents, currency, at }, limited.has(kind))
}

type Earner = { product_id: string; seller_id: string }

/** The kinds that the credit limit can refuse. All others only lower the debt, or move money that was paid. */
const limited: ReadonlySet<string> = new Set(['sale', 'change', 'reinstatement'])

/**
 * Books entries as one transaction, in one query. The schema refuses entries that do not add up to zero. The credit limit refuses those that
 * exceed the room of the agency's account.
 */
export async function insertBooking(tx: UnitTx, booking: Booking, entries: readonly Entry[]): Promise<void> {
  const columns = columnsOf(entries)
  const row = { ...booking, ...columns }
  await expose(tx, row)
  if (row.policy_id) await insertOfPolicy(tx, row.policy_id, row)
  else await tx.insertInto('money_book').values(row).execute()
}

/** Returns the booking of a policy as a row, for a statement that writes it with others. `expose` comes before it. */
export const bookingRow = (booking: Booking, { product_id, seller_id }: Earner, entries: readonly Entry[]) => ({
  ...booking,
  product_id,
  seller_id,
  ...accountColumns(entries),
})

/** Inserts a booking with the product and the seller of its policy. Distributed tables allow no subquery in VALUES. */
async function insertOfPolicy(tx: UnitTx, policyId: string, row: object): Promise<void> {
  const own = Object.entries(row).filter(([, value]) => value !== undefined)
  const { numAffectedRows } = await sql`
    insert into money_book (business_unit_id, product_id, seller_id, ${sql.join(own.map(([name]) => sql.ref(name)))})
    select business_unit_id, product_id, seller_id, ${sql.join(own.map(([, value]) => value))} from policies
    where business_unit_id = ${tx.businessUnitId} and id = ${policyId}`.execute(tx)
  if (numAffectedRows !== 1n) throw new Error(`there is no policy ${policyId} to book for`)
}

/** Returns how much of a payment is charged back, in cents. */
export const chargedBack = async (tx: UnitTx, paymentId: string): Promise<number> => {
  const rows = await tx
    .selectFrom('money_book')
    .select('chargebacks')
    .where('payment_id', '=', paymentId)
    .where('kind', '=', 'chargeback')
    .execute()
  return rows.reduce((sum, { chargebacks }) => sum + chargebacks, 0)
}

/** Returns the same as `accountColumns`, with the taxes as JSON for an INSERT. */
export function columnsOf(entries: readonly Entry[]): Record<Account, number> & { tax: number; taxes: string } {
  const columns = accountColumns(entries)
  return { ...columns, taxes: JSON.stringify(columns.taxes) }
}

/** Sorts entries into the columns of their accounts. Taxes share one column, as their codes are data. */
function accountColumns(entries: readonly Entry[]): Record<Account, number> & { tax: number; taxes: Record<string, number> } {
  // Safe: it has each account.
  const columns = Object.fromEntries(accounts.map(account => [account, 0])) as Record<Account, number>
  const taxes: Record<string, number> = {}
  for (const { account, cents } of entries) {
    if (isOfTax(account)) taxes[account.slice(taxPrefix.length)] = cents
    else columns[account] = cents
  }
  return { ...columns, tax: Object.values(taxes).reduce((sum, cents) => sum + cents, 0), taxes }
}

const taxPrefix = 'tax:'

const isOfTax = (account: Entry['account']): account is `tax:${string}` => account.startsWith(taxPrefix)

export type Window = { from: Date; until: Date; currency: string }

/** The bookings of a statement: those of its month, and late ones of months that were already closed. */
export type Span = Window & {
  /** The first booking id after the previous month was closed; undefined if none was closed. */
  late: string | undefined
  /** The first booking id after this month was closed; undefined while it is open. */
  next?: string
}

/** True for the rows of `book` in a span. */
export const inSpan = (tx: UnitTx, { from, until, currency, late, next }: Span) => sql<SqlBool>`
  book.business_unit_id = ${tx.businessUnitId} and book.currency = ${currency} and book.at < ${until}
    and (book.at >= ${from}${late === undefined ? sql`` : sql` or book.id >= ${late}::uuid`})
    ${next === undefined ? sql`` : sql`and book.id < ${next}::uuid`}`

/** A movement's position on its statement. */
export type Place = { at: Date; id: string }

type Page = { after?: Place | undefined; offset?: number; limit: number }

/**
 * Selects columns of a statement's movements, oldest first: late ones of earlier months, then the month's own. Each part uses its own index. Late
 * ones are found by id, without reading all earlier months.
 */
export function movementsOfSpan(
  tx: UnitTx,
  span: Span,
  columns: RawBuilder<unknown>,
  { after, offset = 0, limit }: Page,
): RawBuilder<unknown> {
  const { from, until, currency, late, next } = span
  const unit = tx.businessUnitId
  const own = sql`
    select book.at, book.id, ${columns} from money_book as book
    where book.business_unit_id = ${unit} and book.currency = ${currency} and ${isMovement}
      ${next === undefined ? sql`` : sql`and book.id < ${next}::uuid`}
      ${after ? sql`and ${isAfter(tx, after)}` : sql``}`
  // No late movement follows one of the month.
  const mayBeLate = late !== undefined && (after === undefined || after.at < from)
  return sql`
    select * from (
      (${own} and book.at >= ${from} and book.at < ${until} order by book.at, book.id limit ${offset + limit})
      ${mayBeLate ? sql`union all ${own} and book.at < ${from} and book.id >= ${late}::uuid` : sql``}) as each
    order by at, id limit ${limit} offset ${offset}`
}

/**
 * True for the rows of `book` after a given one. The database compares their instants, which are rounded to milliseconds here.
 */
export const isAfter = (tx: UnitTx, { id }: { id: string }) => sql<SqlBool>`(book.at, book.id) >
  ((select last.at from money_book as last where last.business_unit_id = ${tx.businessUnitId} and last.id = ${id}::uuid), ${id}::uuid)`

/** True for the rows of `book` in a window, on any statement. */
export const inWindow = (tx: UnitTx, { from, until, currency }: Window) => sql<SqlBool>`
  book.business_unit_id = ${tx.businessUnitId} and book.currency = ${currency} and book.at >= ${from} and book.at < ${until}`

export type EarnedRow = {
  id: string
  at: Date
  kind: MovementKind
  policy_id: string
  number: string | null
  reference: string
  product_id: string
  product_name: string
  seller_id: string
  seller_name: string
  /** The entry in the policy's history; null for a sale. */
  deed_id: string | null
  /** The policy version that the movement led to, as documents number it. A sale leads to version 1. */
  edition: number
  way: Way
  /** The premium without taxes. */
  premium_cents: number
  gross_cents: number
  account_cents: number
  earned_cents: number
  currency: string
}

/** Selects how the money of a row of `book` is paid: on account, by card, both or neither. */
export const wayOf = sql<Way>`case
  when book.agency_account <> 0 then case when book.card_clearing <> 0 or book.refunds_payable <> 0 then 'both' else 'account' end
  when book.card_clearing <> 0 or book.refunds_payable <> 0 then 'card' else 'none' end`

/** Selects what the client paid or got back, its part on the agency's account, and what the agency earned. */
export const amountsOfMovement = sql`-(book.insurer_premium + book.tax + book.insurer_cost) as gross_cents, book.agency_account as account_cents,
  -book.commission_payable as earned_cents, ${wayOf} as way`

export const isMovement = sql<SqlBool>`book.kind = any(${[...movementKinds]}::text[])`

/** Selects movements as an agency sees them. The insurer's cost is a tax that the client gets back although the state keeps it. */
export const movementsWhere = (condition: RawBuilder<SqlBool>): RawBuilder<EarnedRow> => sql<EarnedRow>`
  select book.business_unit_id, book.id, book.at, book.kind, book.currency, book.policy_id, book.deed_id, policies.number, policies.reference, policies.product_id, policies.product_name,
    policies.seller_id, policies.seller_name, book.policy_version - coalesce(policies.sold_version, book.policy_version) + 1 as edition,
    -book.insurer_premium as premium_cents, ${amountsOfMovement}
  from money_book as book
  join policies on policies.business_unit_id = book.business_unit_id and policies.id = book.policy_id
  where ${condition} and ${isMovement}`

/** Returns the booking that a client's request made. */
export const bookedBy = (
  tx: UnitTx,
  requestId: string,
): Promise<Pick<Selectable<AccountingTables['money_book']>, 'kind' | 'currency' | 'bank' | 'write_off'> | undefined> =>
  tx.selectFrom('money_book').select(['kind', 'currency', 'bank', 'write_off']).where('request_id', '=', requestId).executeTakeFirst()

/** Returns the closed months of a currency, as they were closed. */
export async function keptMonths(tx: UnitTx, currency: string, timeZone: string): Promise<KeptMonths> {
  const rows = await tx
    .selectFrom('statements')
    .select(['month', 'starts_at', 'ends_at'])
    .where('currency', '=', currency)
    .orderBy('month')
    .execute()
  return { timeZone, closed: rows.map(({ month, starts_at, ends_at }) => ({ month: month.slice(0, 7), starts: starts_at, ends: ends_at })) }
}

/** Selects the month (YYYY-MM) of the column `at`: the one in which its instant was closed, or will be. */
export function monthOf({ timeZone, closed }: KeptMonths): RawBuilder<string> {
  const calendar = sql<string>`to_char(at at time zone ${timeZone}, 'YYYY-MM')`
  const last = closed.at(-1)
  if (!last) return calendar
  const [months, starts, ends] = [closed.map(({ month }) => month), closed.map(each => each.starts), closed.map(each => each.ends)]
  return sql<string>`case when at >= ${last.ends} then greatest(${calendar}, ${monthAfter(last.month)}) else coalesce((
    select month from unnest(${months}::text[], ${starts}::timestamptz[], ${ends}::timestamptz[]) as closed (month, starts, ends)
    where at >= starts and at < ends), ${calendar}) end`
}

export const unitOfKey = async (tx: ServiceTx, key: string): Promise<string | undefined> =>
  (await tx.selectFrom('business_units').select('id').where('key', '=', key).executeTakeFirst())?.id

type Days = { from: string; to: string }

/** The closed months of a currency (YYYY-MM) with their first and last instants, the oldest first, and the unit's zone for the others. */
export type KeptMonths = { timeZone: string; closed: { month: string; starts: Date; ends: Date }[] }

/** True if the days are whole months, whose sums may be on statements. */
export const isWholeMonths = ({ from, to }: Days): boolean => from.endsWith('-01') && addDays(to, 1).endsWith('-01')

/**
 * Returns the instants at which days begin and end. A closed month keeps those of its statement, and the next month begins there. The unit's time zone
 * may have changed since, but the same month must give the same sums.
 */
export const windowOf = ({ from, to }: Days, kept: KeptMonths): { from: Date; until: Date } => ({
  from: instantOf(from, kept),
  until: instantOf(addDays(to, 1), kept),
})

function instantOf(day: string, { closed, timeZone }: KeptMonths): Date {
  const calendar = new Date(startOfDay(day, timeZone))
  if (!day.endsWith('-01')) return calendar
  const month = day.slice(0, 7)
  const last = closed.at(-1)
  if (last && monthAfter(last.month) === month) return last.ends
  return closed.find(each => each.month === month)?.starts ?? calendar
}

export const monthAfter = (month: string): string => addMonths(`${month}-01`, 1).slice(0, 7)
