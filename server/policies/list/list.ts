import type { RequestOf, ResponseSentOf } from '#common/kit/call.ts'
import { today } from '#common/kit/dates.ts'
import { fromCents } from '#common/kit/money.ts'
import { refuseFields } from '#common/kit/refusals.ts'
import type * as calls from '#common/policies/calls.ts'
import { nearPatterns, nearWord } from '#common/policies/near.ts'
import { isAboutPerson } from '#common/policies/person-sought.ts'
import { policyCan } from '#common/policies/states.ts'
import { countedAtOnce } from '#common/views/views.ts'
import { unitSettings } from '#server/business-unit/public.ts'
import type { UnitTx } from '#server/kit/database.ts'
import { ownOnly } from '#server/kit/caller.ts'
import type { World } from '#server/kit/app-context.ts'
import type { DownloadHandler, Handler } from '#server/kit/serve.ts'
import { openMutex } from '#server/kit/workbook/mutex.ts'
import { policyCounts, type PolicyRow } from '../queries.ts'
import { exportPolicies } from '../export/export.ts'
import { auditListed } from '#server/session/public.ts'
import { auditedFilter, filterOf, refuseDays } from './filter.ts'
import {
  type Filter,
  nearIds,
  pageOfPolicies,
  pageOfSearch,
  pageUncounted,
  policiesById,
  type Sorting,
  type Sums,
  type Window,
} from './queries.ts'
import { rowOf } from '../reply.ts'
import { demandStatus, seesCommission, visibleStatuses } from '../visibility.ts'
import type { Search, Total, Totals } from './totals.ts'

type Ask = RequestOf<typeof calls.listPolicies>
type Listed = ResponseSentOf<typeof calls.listPolicies>

/** Returns one page of the unit's policies, or a workbook of all that match. */
export const list = (world: World, totals: Totals): DownloadHandler<typeof calls.listPolicies> => {
  const exclusively = openMutex()
  return async input => {
    const { ask, caller } = input
    await refuseDays(world, caller.unit, ask)
    const filter = { ...filterOf(world.secrets, ask, caller), ids: ask.policyUuids ?? undefined }
    await demandStatus(world, input, filter.statuses[0], 'POST /api/policy/list')
    const showsCommission = seesCommission(caller)
    const sorting = sortingOf(ask, showsCommission)
    if (ask.export) return exportPolicies(world, exclusively, input, filter, sorting)
    return world.database.inScope(caller.unit.scope, async tx => {
      const asked = { scope: caller.unit.scope, filter, openFrom: await openFromOf(world, tx, filter) }
      const listed = await pageOf(tx, totals, asked, sorting, { ...ask, showsCommission })
      const search = listed.totalIsExact ? undefined : { ...asked, name: await totals.nameOf(tx, filter) }
      // Counted outside of this transaction, as it may take seconds. The call for the totals gets its failure.
      if (search) tx.afterCommit(() => void totals.inTurn(search, caller).catch(() => {}))
      const details = { ...auditedFilter(filter), page: ask.page, shown: listed.policies.length }
      await auditListed(world, tx, input, { action: 'policies.listed', always: seeksPerson(filter) }, details)
      return listed
    })
  }
}

/** Returns the sums of all matches, for a list that did not wait for them. */
export const totalsOf =
  (world: World, totals: Totals): Handler<typeof calls.policyTotals> =>
  async input => {
    const { ask, caller } = input
    await refuseDays(world, caller.unit, ask)
    const filter = filterOf(world.secrets, ask, caller)
    const { scope } = caller.unit
    await demandStatus(world, input, filter.statuses[0], 'POST /api/policy/totals')
    const found = await world.database.inScope(scope, async tx => {
      // Sums show no person, but reveal whether there is one.
      if (seeksPerson(filter))
        await auditListed(world, tx, input, { action: 'policies.listed', always: true }, { ...auditedFilter(filter), shown: 0 })
      const openFrom = await openFromOf(world, tx, filter)
      const quick = await totals.quickSums(tx, filter, openFrom)
      return quick ? { quick } : { search: { scope, filter, openFrom, name: await totals.nameOf(tx, filter) } }
    })
    const { matches, ...sums } =
      found.quick ?? (await totals.inTurn(found.search, { userId: caller.userId, isWanted: () => !input.isGone() }))
    return { matches, ...amountsOf(sums, seesCommission(caller)) }
  }

const seeksPerson = ({ person }: Filter): boolean => person !== undefined && isAboutPerson(person)

/** Returns the unit's present day for a list of saved quotes. Trips that have begun can no longer be sold, and are not added up. */
async function openFromOf(world: World, tx: UnitTx, { statuses }: Filter): Promise<string | undefined> {
  if (!statuses.every(status => policyCan('resume', { status }))) return undefined
  return today(world.clock.now(), (await unitSettings(tx)).timeZone)
}

const amountsOf = ({ policies, total, commission }: Sums, showsCommission: boolean) => ({
  policies,
  total: fromCents(total),
  commission: showsCommission ? fromCents(commission) : null,
})

const newestFirst: Sorting[] = [{ key: 'createdAt', order: 'desc' }]

function sortingOf({ sortCriteria }: Ask, showsCommission: boolean): Sorting[] {
  const hidden = sortCriteria?.findIndex(({ key }) => key === 'commission' && !showsCommission) ?? -1
  if (hidden >= 0) throw refuseFields([{ path: `sortCriteria[${hidden}].key`, rule: 'known', key: 'policies.unknown_order' }])
  return sortCriteria && sortCriteria.length > 0 ? sortCriteria : newestFirst
}

type Page = Pick<Ask, 'page' | 'perPage'> & { showsCommission: boolean }

async function pageOf(
  tx: UnitTx,
  totals: Totals,
  { filter, openFrom }: Pick<Search, 'filter' | 'openFrom'>,
  sorting: Sorting[],
  { page, perPage, showsCommission }: Page,
): Promise<Listed> {
  const window = { sorting, offset: (page - 1) * perPage, limit: perPage }
  const early = (await totals.takesLong(tx, filter)) ? await pageUncounted(tx, filter, window) : undefined
  if (early) {
    // One more was found after this page.
    const atLeast = { totalPages: page + 1, total: window.offset + early.length + 1, totalIsExact: false }
    return { ...atLeast, page, perPage, policies: early.map(row => rowOf(row, showsCommission)), sums: null }
  }
  const total = await totals.of(tx, filter, openFrom)
  const isNearEnd = window.offset > total.matches / 2
  const rows = isNearEnd ? await pageFromEnd(tx, filter, window, total) : await pageFromStart(tx, filter, window, total)
  return {
    totalPages: Math.ceil(total.matches / perPage),
    total: total.matches,
    totalIsExact: true,
    page,
    perPage,
    policies: rows.map(row => rowOf(row, showsCommission)),
    sums: total.sums ? amountsOf(total.sums, showsCommission) : null,
  }
}

const pageFromStart = (tx: UnitTx, filter: Filter, window: Window, total: Total): Promise<PolicyRow[]> =>
  filter.words === '' && !isFarAlong(filter, window) ? pageOfPolicies(tx, filter, window) : pageOfSearch(tx, filter, window, total)

/** True if the matches may be anywhere in the order, as departures of the past are far from the newest sales. */
function isFarAlong({ from, to, returnFrom, returnTo, soldBy, productId }: Filter, { sorting }: Window): boolean {
  const key = sorting[0]?.key
  return (
    isGiven(productId) ||
    (isGiven(from, to) && key !== 'startDate') ||
    (isGiven(returnFrom, returnTo) && key !== 'endDate') ||
    (isGiven(soldBy) && key !== 'createdAt')
  )
}

const isGiven = (...limits: (string | undefined)[]): boolean => limits.some(limit => limit !== undefined)

/** Reads a page of the second half from the other end, which is nearer. */
async function pageFromEnd(tx: UnitTx, filter: Filter, { sorting, offset, limit }: Window, total: Total): Promise<PolicyRow[]> {
  const size = Math.min(limit, total.matches - offset)
  if (size <= 0) return []
  const reversed = sorting.map(({ key, order }) => ({ key, order: order === 'asc' ? ('desc' as const) : ('asc' as const) }))
  const window = { sorting: reversed, offset: total.matches - offset - size, limit: size }
  return (await pageFromStart(tx, filter, window, total)).toReversed()
}

/** Returns policies with a similar word, among as many policies as a list also searches at once. */
export const near =
  (world: World): Handler<typeof calls.nearPolicies> =>
  input => {
    const { ask, caller } = input
    const word = nearWord(ask.searchData ?? '')
    return world.database.inScope(caller.unit.scope, async tx => {
      const statuses = visibleStatuses(caller.unit.permissions)
      const counts = await policyCounts(tx)
      const among = statuses.reduce((sum, status) => sum + counts[status], 0)
      if (word === undefined || among > countedAtOnce) return { policies: [] }
      const rows = await policiesById(tx, await nearIds(tx, nearPatterns(word), { statuses, sellerId: ownOnly(caller) }))
      await auditListed(world, tx, input, { action: 'policies.listed' }, { statuses, searched: true, shown: rows.length })
      return { policies: rows.map(row => rowOf(row, seesCommission(caller))) }
    })
  }
