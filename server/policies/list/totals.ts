import type { UnitTx } from '#server/kit/database.ts'
import { policyCounts } from '../queries.ts'
import type { StoredStatus } from '../tables.ts'
import { countPolicies, type Filter, type MatchCount } from './queries.ts'

/** The number of matches, and of all policies in these statuses. */
export type Total = MatchCount & { among: number }

const maxCached = 1000

/**
 * Returns exact totals. Without a filter they are kept counts. With one they are counted, and cached until the unit sells or cancels: a
 * sold policy never changes its texts or dates, so equal counts mean equal results. Saved quotes change and are few, so they are counted
 * each time.
 */
export function openTotals() {
  const cache = new Map<string, MatchCount>()
  return async (tx: UnitTx, filter: Filter): Promise<Total> => {
    const counts = await policyCounts(tx)
    const among = filter.statuses.reduce((sum, status) => sum + counts[status], 0)
    if (!isFiltered(filter)) return { matches: among, among }
    const key = filter.statuses.every(isSold) ? JSON.stringify([tx.businessUnitId, counts.purchased, counts.cancelled, filter]) : undefined
    const count = (key ? cache.get(key) : undefined) ?? (await countPolicies(tx, filter))
    if (key) {
      // Least recently used entries are dropped first.
      cache.delete(key)
      cache.set(key, count)
      const oldest = cache.keys().next().value
      if (cache.size > maxCached && oldest !== undefined) cache.delete(oldest)
    }
    return { ...count, among }
  }
}

export type Totals = ReturnType<typeof openTotals>

const isSold = (status: StoredStatus): boolean => status === 'purchased' || status === 'cancelled'

const isFiltered = ({ words, from, to, sellerId, ids }: Filter): boolean =>
  words !== '' || [from, to, sellerId, ids].some(each => each !== undefined)
