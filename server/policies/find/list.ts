import type { Question, ReplySent } from '#common/kit/call.ts'
import { fromCents } from '#common/kit/money.ts'
import { refuseFields } from '#common/kit/refusals.ts'
import { searchable } from '#common/kit/text.ts'
import type * as calls from '#common/policies/calls.ts'
import type { PolicyStatus } from '#common/policies/states.ts'
import { policyStatusTypes } from '#server/business-unit/settings.ts'
import type { Tx } from '#server/kit/database.ts'
import type { World } from '#server/kit/front.ts'
import type { DownloadHandler } from '#server/kit/serve.ts'
import type { Scope } from '#server/kit/scope.ts'
import { type PolicyRow, policyCounts } from '../rows.ts'
import type { StoredStatus } from '../tables.ts'
import { exportPolicies } from './export.ts'
import { noteListed, shapeOf } from './looks.ts'
import { countedAtMost, countPolicies, type Filter, pageOfPolicies, type Sorting, type Window } from './rows.ts'
import { demandStatus, ownOnly } from './seen.ts'

type Ask = Question<typeof calls.listPolicies>
type Listed = ReplySent<typeof calls.listPolicies>

/** One page of the unit's policies, or the workbook of all that match. */
export const list =
  (world: World): DownloadHandler<typeof calls.listPolicies> =>
  async asked => {
    const { ask, caller } = asked
    const statuses = statusesOf(ask.statusTypeUuid)
    await demandStatus(world, asked, statuses[0], 'POST /api/policy/list')
    const { scope } = caller.unit
    const filter: Filter = {
      statuses,
      words: searchable(ask.searchData ?? ''),
      from: ask.dateFrom ?? undefined,
      to: ask.dateTo ?? undefined,
      sellerId: ownOnly(caller),
      ids: ask.policyUuids ?? undefined,
    }
    const sorting = sortingOf(ask)
    if (ask.export) return exportPolicies(world, asked, filter, sorting)
    return world.database.inScope(scope, async tx => {
      const listed = await pageOf(scope, tx, filter, sorting, ask)
      await noteListed(world, tx, asked, { ...shapeOf(filter), page: ask.page, shown: listed.policies.length })
      return listed
    })
  }

/** spec 4: purchased, unless another status is named. Budgets are there with what was registered and never paid: both wait to be sold. */
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

const sortingOf = ({ sortCriteria }: Ask): Sorting[] => (sortCriteria && sortCriteria.length > 0 ? sortCriteria : newestFirst)

async function pageOf(scope: Scope, tx: Tx, filter: Filter, sorting: Sorting[], { page, perPage }: Ask): Promise<Listed> {
  const { total, isExact } = await totalOf(scope, tx, filter)
  const window = { sorting, offset: (page - 1) * perPage, limit: perPage }
  const isNearEnd = isExact && window.offset > total / 2
  const rows = isNearEnd ? await pageFromEnd(scope, tx, filter, window, total) : await pageOfPolicies(scope, tx, filter, window)
  return { totalPages: Math.ceil(total / perPage), total, totalIsExact: isExact, page, perPage, policies: rows.map(rowOf) }
}

const isFiltered = ({ words, from, to, sellerId, ids }: Filter): boolean =>
  words !== '' || [from, to, sellerId, ids].some(each => each !== undefined)

async function totalOf(scope: Scope, tx: Tx, filter: Filter): Promise<{ total: number; isExact: boolean }> {
  if (isFiltered(filter)) {
    const found = await countPolicies(scope, tx, filter)
    return { total: Math.min(found, countedAtMost), isExact: found <= countedAtMost }
  }
  const counts = await policyCounts(scope, tx)
  return { total: filter.statuses.reduce((sum, status) => sum + counts[status], 0), isExact: true }
}

/** What lies in the second half is reached sooner from the other end. */
async function pageFromEnd(scope: Scope, tx: Tx, filter: Filter, { sorting, offset, limit }: Window, total: number): Promise<PolicyRow[]> {
  const size = Math.min(limit, total - offset)
  if (size <= 0) return []
  const turned = sorting.map(({ key, order }) => ({ key, order: order === 'asc' ? ('desc' as const) : ('asc' as const) }))
  return (await pageOfPolicies(scope, tx, filter, { sorting: turned, offset: total - offset - size, limit: size })).toReversed()
}

export const rowOf = (policy: PolicyRow): Listed['policies'][number] => ({
  policyUuid: policy.id,
  policyNumber: policy.number ?? '',
  productUuid: policy.product_id,
  productName: policy.product_name,
  policyTaker: policy.taker,
  username: policy.seller_name,
  startDate: policy.start_date,
  endDate: policy.end_date,
  createdAt: policy.created_at.toISOString(),
  status: policy.status as PolicyStatus,
  buReference: policy.reference,
  total: fromCents(policy.total_cents),
  currency: policy.currency,
})
