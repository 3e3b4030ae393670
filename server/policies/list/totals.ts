import type { UnitTx } from '#server/kit/database.ts'
import { policyCounts } from '../queries.ts'
import type { StoredStatus } from '../tables.ts'
import { countPolicies, type Filter, type Found } from './queries.ts'

/** How many match, and how many there are of those statuses. */
export type Total = Found & { among: number }

const keptAtMost = 1000

/**
 * Exact totals. Without a filter they are kept by status; with one they are counted, and what was counted is known until the unit sells or
 * cancels something: of what is sold no text and no day is ever changed, so the two counts tell whether anything is another. Budgets are
 * changed, and few: they are counted each time.
 */
export function openTotals() {
  const known = new Map<string, Found>()
  return async (tx: UnitTx, filter: Filter): Promise<Total> => {
    const counts = await policyCounts(tx)
    const among = filter.statuses.reduce((sum, status) => sum + counts[status], 0)
    if (!isFiltered(filter)) return { matches: among, among }
    const key = filter.statuses.every(isSold) ? JSON.stringify([tx.businessUnitId, counts.purchased, counts.cancelled, filter]) : undefined
    const found = (key ? known.get(key) : undefined) ?? (await countPolicies(tx, filter))
    if (key) {
      // Used last, forgotten last.
      known.delete(key)
      known.set(key, found)
      const oldest = known.keys().next().value
      if (known.size > keptAtMost && oldest !== undefined) known.delete(oldest)
    }
    return { ...found, among }
  }
}

export type Totals = ReturnType<typeof openTotals>

const isSold = (status: StoredStatus): boolean => status === 'purchased' || status === 'cancelled'

const isFiltered = ({ words, from, to, sellerId, ids }: Filter): boolean =>
  words !== '' || [from, to, sellerId, ids].some(each => each !== undefined)
