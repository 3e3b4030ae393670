import { countedAtOnce } from '#common/views/views.ts'
import type { StoredStatus } from '#common/policies/states.ts'
import type { Elapsed } from '#server/kit/clock.ts'
import type { Database, UnitTx } from '#server/kit/database.ts'
import type { Scope } from '#server/kit/scope.ts'
import { policyCounts } from '../queries.ts'
import { type For, openBehind } from './behind.ts'
import { addUp, countPolicies, type Filter, type MatchCount, type Sums } from './queries.ts'

/** The number of matches, and of all policies in these statuses. */
export type Total = MatchCount & { among: number }

/** The results for a filter, as far as they were needed. */
type Known = { count?: MatchCount; sums?: Sums; until?: number }

type Counted = Sums & { matches: number }

const maxCached = 1000
/** Saved quotes change without a trace in the counts, so their counts are cached only for the calls that follow. */
const quotesKeptMs = 5000

/** A search whose matches are counted beside the page. */
export type Search = { scope: Scope; filter: Filter; openFrom: string | undefined; name: string }

type Options = { fewEnough?: number }

/**
 * Returns exact counts and sums. Without a filter the stored counts are used. Otherwise matches are counted or added up, and cached until the unit sells,
 * changes or cancels. Each of these is counted, so equal counts mean equal results. Among `fewEnough` policies, this takes a few milliseconds, and a list
 * waits for it. Among more it goes on beside the page.
 */
export function openTotals(
  { database, elapsed }: { database: Pick<Database, 'inScope'>; elapsed: Elapsed },
  { fewEnough = countedAtOnce }: Options = {},
) {
  const cache = new Map<string, Known>()
  const behind = openBehind<Counted>()

  async function look(tx: UnitTx, filter: Filter): Promise<{ known: Known; among: number }> {
    const counts = await policyCounts(tx)
    const among = filter.statuses.reduce((sum, status) => sum + counts[status], 0)
    const isSettled = filter.statuses.every(isSold)
    if (!isSettled && among <= fewEnough) return { known: {}, among }
    const { purchased, cancelled, changed, budgeted, pending } = counts
    const of = isSettled ? [purchased, cancelled, changed] : [budgeted, pending]
    const key = JSON.stringify([tx.businessUnitId, ...of, filter])
    const kept = cache.get(key)
    const known: Known = kept && elapsed() < (kept.until ?? Infinity) ? kept : isSettled ? {} : { until: Infinity }
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
    limitAge(known)
    return known.count
  }
  async function sumsOf(tx: UnitTx, filter: Filter, known: Known, openFrom: string | undefined): Promise<Sums> {
    if (known.sums) return known.sums
    const { matches, ...sums } = await addUp(tx, filter, known.count?.ids, openFrom)
    known.count ??= { matches }
    known.sums = sums
    limitAge(known)
    return sums
  }
  function limitAge(known: Known): void {
    if (known.until === Infinity) known.until = elapsed() + quotesKeptMs
  }
  const self = {
    /** Counts, however long it takes. */
    async of(tx: UnitTx, filter: Filter, openFrom?: string): Promise<Total & { sums: Sums | undefined }> {
      const { known, among } = await look(tx, filter)
      const count = await countOf(tx, filter, { known, among })
      const sums = among <= fewEnough || count.ids ? await sumsOf(tx, filter, known, openFrom) : known.sums
      return { ...count, among, sums }
    },
    /** True if the matches must still be counted among so many policies that a page does not wait for them. */
    async takesLong(tx: UnitTx, filter: Filter): Promise<boolean> {
      if (!isFiltered(filter)) return false
      const { known, among } = await look(tx, filter)
      return !known.count && among > fewEnough
    },
    /** Counts and adds up beside the page, in turn with other searches. */
    inTurn({ scope, filter, openFrom, name }: Search, by: For): Promise<Counted> {
      return behind.begin(name, by, () => database.inScope(scope, tx => self.sums(tx, filter, openFrom)))
    },
    /** Returns a name of what is counted, which differs for each state of the unit. */
    nameOf: async (tx: UnitTx, filter: Filter): Promise<string> => JSON.stringify([tx.businessUnitId, filter, await policyCounts(tx)]),
    /** Returns the number of matches; undefined if it must be counted among many policies, unless it must be `exact`. */
    async count(tx: UnitTx, filter: Filter, { exact }: { exact: boolean }): Promise<number | undefined> {
      const { known, among } = await look(tx, filter)
      if (!exact && isFiltered(filter) && !known.count && among > fewEnough) return undefined
      return (await countOf(tx, filter, { known, among })).matches
    },
    /** Returns the sums if they are known or come at once, else nothing. */
    async quickSums(tx: UnitTx, filter: Filter, openFrom?: string): Promise<Counted | undefined> {
      const { known, among } = await look(tx, filter)
      return known.sums || known.count?.ids || among <= fewEnough ? self.sums(tx, filter, openFrom) : undefined
    },
    async sums(tx: UnitTx, filter: Filter, openFrom?: string): Promise<Counted> {
      const { known, among } = await look(tx, filter)
      const sums = await sumsOf(tx, filter, known, openFrom)
      return { ...sums, matches: (await countOf(tx, filter, { known, among })).matches }
    },
  }
  return self
}

export type Totals = ReturnType<typeof openTotals>

const isSold = (status: StoredStatus): boolean => status === 'purchased' || status === 'cancelled'

const isFiltered = ({ words, from, to, returnFrom, returnTo, soldBy, productId, sellerId, ids }: Filter): boolean =>
  words !== '' || [from, to, returnFrom, returnTo, soldBy, productId, sellerId, ids].some(each => each !== undefined)
