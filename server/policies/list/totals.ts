import { countedAtOnce } from '#common/views/views.ts'
import type { UnitTx } from '#server/kit/database.ts'
import { policyCounts } from '../queries.ts'
import type { StoredStatus } from '../tables.ts'
import { countPolicies, type Filter, type MatchCount, sumPolicies, type Sums } from './queries.ts'

/** The number of matches, and of all policies in these statuses. */
export type Total = MatchCount & { among: number }

/** The results for a filter, as far as they were needed. */
type Known = { count?: MatchCount; sums?: Sums }

const maxCached = 1000

/**
 * Returns exact counts and sums. Without a filter the counts are kept ones. Else they are counted or added up, and cached until the unit sells
 * changes or cancels. Each is counted, so equal counts mean equal results. Saved quotes change and are few, so
 * they are counted each time. Among `fewEnough` policies, adding up takes a few milliseconds, and a list waits for it.
 */
export function openTotals({ fewEnough = countedAtOnce } = {}) {
  const cache = new Map<string, Known>()

  async function look(tx: UnitTx, filter: Filter): Promise<{ known: Known; among: number }> {
    const counts = await policyCounts(tx)
    const among = filter.statuses.reduce((sum, status) => sum + counts[status], 0)
    if (!filter.statuses.every(isSold)) return { known: {}, among }
    const key = JSON.stringify([tx.businessUnitId, counts.purchased, counts.cancelled, counts.changed, filter])
    const known = cache.get(key) ?? {}
    // Least recently used entries are dropped first.
    cache.delete(key)
    cache.set(key, known)
    const oldest = cache.keys().next().value
    if (cache.size > maxCached && oldest !== undefined) cache.delete(oldest)
    return { known, among }
  }
  async function countOf(tx: UnitTx, filter: Filter, { known, among }: { known: Known; among: number }): Promise<MatchCount> {
    if (!isFiltered(filter)) return { matches: among }
    known.count ??= await countPolicies(tx, filter)
    return known.count
  }
  return {
    async of(tx: UnitTx, filter: Filter, openFrom?: string): Promise<Total & { sums: Sums | undefined }> {
      const { known, among } = await look(tx, filter)
      const count = await countOf(tx, filter, { known, among })
      if (among <= fewEnough || count.ids) known.sums ??= await sumPolicies(tx, filter, count.ids, openFrom)
      return { ...count, among, sums: known.sums }
    },
    /** Returns the number of matches; undefined if it must be counted among many policies, unless it must be `exact`. */
    async count(tx: UnitTx, filter: Filter, { exact }: { exact: boolean }): Promise<number | undefined> {
      const { known, among } = await look(tx, filter)
      if (!exact && isFiltered(filter) && !known.count && among > fewEnough) return undefined
      return (await countOf(tx, filter, { known, among })).matches
    },
    async sums(tx: UnitTx, filter: Filter, openFrom?: string): Promise<Sums> {
      const { known } = await look(tx, filter)
      known.sums ??= await sumPolicies(tx, filter, known.count?.ids, openFrom)
      return known.sums
    },
  }
}

export type Totals = ReturnType<typeof openTotals>

const isSold = (status: StoredStatus): boolean => status === 'purchased' || status === 'cancelled'

const isFiltered = ({ words, from, to, returnFrom, returnTo, soldBy, productId, sellerId, ids }: Filter): boolean =>
  words !== '' || [from, to, returnFrom, returnTo, soldBy, productId, sellerId, ids].some(each => each !== undefined)
