import type { SharedOut } from '#common/accounting/shares.ts'
import type { Way } from '#common/accounting/book.ts'
import type { Locale } from '#common/kit/locales.ts'
import { unitSettings } from '#server/business-unit/public.ts'
import type { UnitTx } from '#server/kit/database.ts'
import { namesOf, type Sums } from '../earnings/queries.ts'
import { type EarnedRow, isWholeMonths, keptMonths, windowOf } from '../queries.ts'
import { otherCurrencies } from '../statements/queries.ts'
import { sharesOf } from '../rates/queries.ts'
import { shareOfEach } from '../shares.ts'
import { daysBy, movementsAfter, type Group, type GroupRow, monthsBy, salesBy, type Sold } from './queries.ts'

/** The days to report, by the unit's calendar. `own` narrows to the sales of one seller. */
type ReportedDays = {
  from: string
  to: string
  currency: string
  own: string | undefined
  productId?: string | undefined
  sellerId?: string | undefined
  way?: Way | undefined
}

/** `locale` is the language of the products' names. */
export type Reported = ReportedDays & { locale: Locale }

/** A row of sums. Names by which the sums are not grouped are null. */
export type Grouped<Of> = Of & {
  month: string | null
  product: string | null
  seller: string | null
  seller_id: string | null
  way: string | null
}

/** Adds up what the agency earned, as its page of earnings does. */
export async function earnedBy(tx: UnitTx, { locale, ...days }: Reported, by: readonly Group[]): Promise<Grouped<Sums>[]> {
  const filter = await filterOf(tx, days)
  return named(tx, locale, isWholeMonths(days) ? await monthsBy(tx, monthsOf(days, filter), by) : await daysBy(tx, filter, by))
}

const monthsOf = ({ from, to }: ReportedDays, filter: Awaited<ReturnType<typeof filterOf>>) => ({
  ...filter,
  first: from.slice(0, 7),
  last: to.slice(0, 7),
})

/** Finds the share of a row of sums; undefined if its agent has none. */
type ShareOf = (row: Grouped<object>) => SharedOut | undefined

/**
 * True if rows of `earnedBy` may have shares: the unit has some, and each row is a whole month of an agent. A share is rounded by month, so a part of
 * a month has none.
 */
export async function hasShares(tx: UnitTx, days: Omit<ReportedDays, 'currency' | 'own'>, by: readonly Group[]): Promise<boolean> {
  const { productId, way } = days
  const inMonths = by.includes('seller') && by.every(group => group === 'seller' || group === 'month')
  return inMonths && productId === undefined && way === undefined && isWholeMonths(days) && (await sharesOf(tx)).size > 0
}

/** Returns the function that finds the share of a row of `earnedBy`. */
export async function sharesBy(tx: UnitTx, days: ReportedDays, by: readonly Group[]): Promise<ShareOf> {
  const shares = await sharesOf(tx)
  const sums = await monthsBy(tx, monthsOf(days, await filterOf(tx, days)), ['month', 'seller'])
  const months = sums.map(({ seller_id, month, earned }) => ({ seller: seller_id ?? '', month: month ?? '', earned }))
  const keyOf = (month: string | null) => (by.includes('month') ? (month ?? '') : '')
  const each = new Map([...Map.groupBy(months, ({ month }) => keyOf(month))].map(([key, rows]) => [key, shareOfEach(rows, shares)]))
  return row => each.get(keyOf(row.month))?.get(row.seller_id ?? '')
}

/** Adds up sales at their original price, without what happened to them later. */
export const soldBy = async (tx: UnitTx, { locale, ...days }: Reported, by: readonly Group[]): Promise<Grouped<Sold>[]> =>
  named(tx, locale, await salesBy(tx, await filterOf(tx, days), by))

/** Returns movements of a period that follow a given one, oldest first. */
export async function movementsOfDays(
  tx: UnitTx,
  { locale, ...days }: Reported,
  after: EarnedRow | undefined,
  limit: number,
): Promise<EarnedRow[]> {
  const rows = await movementsAfter(tx, await filterOf(tx, days), after, limit)
  const names = await namesOf(tx, 'product', [...new Set(rows.map(({ product_id }) => product_id))], locale)
  return rows.map(row => ({ ...row, product_name: names.get(row.product_id) ?? row.product_name }))
}

/** Returns the currencies of a period: the agency's present one first, then its former ones. */
export async function currenciesOf(tx: UnitTx, { from, to }: Pick<ReportedDays, 'from' | 'to'>): Promise<string[]> {
  const { timeZone, currency } = await unitSettings(tx)
  const kept = await keptMonths(tx, currency, timeZone)
  return [currency, ...(await otherCurrencies(tx, { ...windowOf({ from, to }, kept), currency }, undefined))]
}

async function filterOf(tx: UnitTx, { from, to, ...narrowing }: ReportedDays) {
  const { timeZone } = await unitSettings(tx)
  const kept = await keptMonths(tx, narrowing.currency, timeZone)
  return { ...windowOf({ from, to }, kept), ...narrowing, kept, policyId: undefined }
}

async function named<Of>(tx: UnitTx, locale: Locale, rows: GroupRow<Of>[]): Promise<Grouped<Of>[]> {
  const names = async (kind: 'product' | 'seller') => {
    const ids = rows.flatMap(row => row[`${kind}_id`] ?? [])
    return ids.length > 0 ? namesOf(tx, kind, [...new Set(ids)], locale) : new Map<string, string>()
  }
  const [products, sellers] = [await names('product'), await names('seller')]
  return rows.map(row => ({
    ...row,
    product: row.product_id && (products.get(row.product_id) ?? ''),
    seller: row.seller_id && (sellers.get(row.seller_id) ?? ''),
  }))
}
