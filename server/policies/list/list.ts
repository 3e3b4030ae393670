import type { RequestOf, ResponseSentOf } from '#common/kit/call.ts'
import { fromCents } from '#common/kit/money.ts'
import { refuseFields } from '#common/kit/refusals.ts'
import type * as calls from '#common/policies/calls.ts'
import { may } from '#common/kit/permissions.ts'
import { searchTerm } from '#common/policies/number.ts'
import { isAboutPerson, personSought } from '#common/policies/search.ts'
import type { PolicyStatus } from '#common/policies/states.ts'
import { policyStatusTypes } from '#server/business-unit/public.ts'
import type { UnitTx } from '#server/kit/database.ts'
import type { World } from '#server/kit/app-context.ts'
import type { CallerInUnit } from '#server/kit/caller.ts'
import type { DownloadHandler } from '#server/kit/serve.ts'
import { openMutex } from '#server/kit/workbook/mutex.ts'
import type { PolicyRow } from '../queries.ts'
import type { StoredStatus } from '../tables.ts'
import { exportPolicies } from './export.ts'
import { auditListed } from '#server/session/public.ts'
import { auditedFilter } from './audit-filter.ts'
import { type Filter, pageOfSearch, pageOfPolicies, type Sorting, type Window } from './queries.ts'
import { demandStatus, ownOnly, seesCommission } from '../visibility.ts'
import { openTotals, type Total, type Totals } from './totals.ts'

type Ask = RequestOf<typeof calls.listPolicies>
type Listed = ResponseSentOf<typeof calls.listPolicies>

/** Returns one page of the unit's policies, or a workbook of all that match. */
export const list = (world: World): DownloadHandler<typeof calls.listPolicies> => {
  const [totals, exclusively] = [openTotals(), openMutex()]
  return async input => {
    const { ask, caller } = input
    const statuses = statusesOf(ask.statusTypeUuid)
    await demandStatus(world, input, statuses[0], 'POST /api/policy/list')
    const { scope } = caller.unit
    const filter: Filter = {
      statuses,
      words: searchTerm(ask.searchData ?? ''),
      person: mayLookForPeople(caller) ? personSought(ask.searchData ?? '') : undefined,
      from: ask.dateFrom ?? undefined,
      to: ask.dateTo ?? undefined,
      sellerId: ownOnly(caller),
      ids: ask.policyUuids ?? undefined,
    }
    const showsCommission = seesCommission(caller)
    const sorting = sortingOf(ask, showsCommission)
    if (ask.export) return exportPolicies(world, exclusively, input, filter, sorting)
    return world.database.inScope(scope, async tx => {
      const listed = await pageOf(tx, totals, filter, sorting, { ...ask, showsCommission })
      const details = { ...auditedFilter(filter), page: ask.page, shown: listed.policies.length }
      const always = filter.person !== undefined && isAboutPerson(filter.person)
      await auditListed(world, tx, input, { action: 'policies.listed', always }, details)
      return listed
    })
  }
}

/** Those who may search for known people (people-calls.ts) may find their policies by a document number, phone or email. */
const mayLookForPeople = ({ unit }: CallerInUnit): boolean => may(unit.permissions, 'b2b-products-sell')

/** spec 4: purchased by default. Saved quotes come with unpaid registrations, as both can still be sold. */
function statusesOf(uuid: string | null | undefined): [StoredStatus, ...StoredStatus[]] {
  const { purchased, budgeted, cancelled } = policyStatusTypes
  switch (uuid?.toLowerCase()) {
    case undefined:
    case purchased.uuid:
      return ['purchased']
    case budgeted.uuid:
      return ['budgeted', 'pending']
    case cancelled.uuid:
      return ['cancelled']
    default:
      throw refuseFields([{ path: 'statusTypeUuid', rule: 'known', key: 'policies.unknown_status' }])
  }
}

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
  filter: Filter,
  sorting: Sorting[],
  { page, perPage, showsCommission }: Page,
): Promise<Listed> {
  const total = await totals(tx, filter)
  const window = { sorting, offset: (page - 1) * perPage, limit: perPage }
  const isNearEnd = window.offset > total.matches / 2
  const rows = isNearEnd ? await pageFromEnd(tx, filter, window, total) : await pageFromStart(tx, filter, window, total)
  return {
    totalPages: Math.ceil(total.matches / perPage),
    total: total.matches,
    page,
    perPage,
    policies: rows.map(row => rowOf(row, showsCommission)),
  }
}

const pageFromStart = (tx: UnitTx, filter: Filter, window: Window, total: Total): Promise<PolicyRow[]> =>
  filter.words === '' && !isFarAlong(filter, window) ? pageOfPolicies(tx, filter, window) : pageOfSearch(tx, filter, window, total)

/** True if departures of some days may stand anywhere along the order: those of the past are far from the newest sales. */
const isFarAlong = ({ from, to }: Filter, { sorting }: Window): boolean =>
  (from !== undefined || to !== undefined) && sorting[0]?.key !== 'startDate'

/** Reads a page of the second half from the other end, which is nearer. */
async function pageFromEnd(tx: UnitTx, filter: Filter, { sorting, offset, limit }: Window, total: Total): Promise<PolicyRow[]> {
  const size = Math.min(limit, total.matches - offset)
  if (size <= 0) return []
  const reversed = sorting.map(({ key, order }) => ({ key, order: order === 'asc' ? ('desc' as const) : ('asc' as const) }))
  const window = { sorting: reversed, offset: total.matches - offset - size, limit: size }
  return (await pageFromStart(tx, filter, window, total)).toReversed()
}

export const rowOf = (policy: PolicyRow, showsCommission: boolean): Listed['policies'][number] => ({
  policyUuid: policy.id,
  policyNumber: policy.number ?? '',
  productUuid: policy.product_id,
  productName: policy.product_name,
  policyTaker: policy.taker,
  username: policy.seller_name,
  startDate: policy.start_date,
  endDate: policy.end_date,
  createdAt: policy.created_at.toISOString(),
  // Safe: a deleted policy never gets here.
  status: policy.status as PolicyStatus,
  buReference: policy.reference,
  total: fromCents(policy.total_cents),
  commission: showsCommission ? fromCents(policy.commission_cents) : null,
  currency: policy.currency,
})
