import type { Way } from '#common/accounting/deeds.ts'
import { addDays, startOfDay } from '#common/kit/dates.ts'
import { unitSettings } from '#server/business-unit/public.ts'
import type { World } from '#server/kit/app-context.ts'
import type { UnitTx } from '#server/kit/database.ts'
import { namesOf, type Sums } from '../earnings/queries.ts'
import { wholeMonths } from '../earnings/whole-months.ts'
import type { EarnedRow } from '../queries.ts'
import { otherCurrencies } from '../statements/queries.ts'
import { standingOf } from '../statements/standing.ts'
import { daysBy, deedsAfter, type Group, type GroupRow, monthsBy, salesBy, type Sold } from './queries.ts'

/** Days of the unit's calendar, and what of them is reported. `own` narrows to the sales of one seller. */
export type ReportedDays = {
  from: string
  to: string
  currency: string
  own: string | undefined
  productId?: string | undefined
  sellerId?: string | undefined
  way?: Way | undefined
}

/** A row of sums. A name is null that the sums are not grouped by. */
export type Grouped<Of> = Of & { month: string | null; product: string | null; seller: string | null; way: string | null }

/** Adds up what the agency earned, as its page of earnings does. */
export async function earnedBy(world: World, tx: UnitTx, days: ReportedDays, by: readonly Group[]): Promise<Grouped<Sums>[]> {
  const filter = await filterOf(tx, days)
  const { timeZone, currency } = filter
  const standing = await standingOf(tx, world.clock.now(), timeZone)
  const ofCurrency = standing.filter(({ row }) => row.currency === currency)
  const months = wholeMonths(days, ofCurrency, timeZone)
  return named(tx, months ? await monthsBy(tx, { ...filter, ...months }, by) : await daysBy(tx, filter, by))
}

/** Adds up what was sold, at the price of the sale: what came of it later is not in it. */
export const soldBy = async (tx: UnitTx, days: ReportedDays, by: readonly Group[]): Promise<Grouped<Sold>[]> =>
  named(tx, await salesBy(tx, await filterOf(tx, days), by))

/** Returns some deeds of the days after one of them, the oldest first. */
export const deedsOfDays = async (tx: UnitTx, days: ReportedDays, after: EarnedRow | undefined, limit: number): Promise<EarnedRow[]> =>
  deedsAfter(tx, await filterOf(tx, days), after, limit)

/** Returns the currencies of some days: the agency's own first, then those that it had before. */
export async function currenciesOf(tx: UnitTx, { from, to }: Pick<ReportedDays, 'from' | 'to'>): Promise<string[]> {
  const { timeZone, currency } = await unitSettings(tx)
  return [currency, ...(await otherCurrencies(tx, { ...windowOf({ from, to }, timeZone), currency }, undefined))]
}

async function filterOf(tx: UnitTx, { from, to, ...narrowing }: ReportedDays) {
  const { timeZone } = await unitSettings(tx)
  return { ...windowOf({ from, to }, timeZone), ...narrowing, timeZone, policyId: undefined }
}

const windowOf = ({ from, to }: Pick<ReportedDays, 'from' | 'to'>, timeZone: string) => ({
  from: new Date(startOfDay(from, timeZone)),
  until: new Date(startOfDay(addDays(to, 1), timeZone)),
})

async function named<Of>(tx: UnitTx, rows: GroupRow<Of>[]): Promise<Grouped<Of>[]> {
  const names = async (kind: 'product' | 'seller') => {
    const ids = rows.flatMap(row => row[`${kind}_id`] ?? [])
    return ids.length > 0 ? namesOf(tx, kind, [...new Set(ids)]) : new Map<string, string>()
  }
  const [products, sellers] = [await names('product'), await names('seller')]
  return rows.map(row => ({
    ...row,
    product: row.product_id && (products.get(row.product_id) ?? ''),
    seller: row.seller_id && (sellers.get(row.seller_id) ?? ''),
  }))
}
