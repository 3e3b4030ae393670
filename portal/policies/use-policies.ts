import { useQuery } from '@tanstack/react-query'
import type { RequestSentOf, ResponseOf } from '#common/kit/call.ts'
import { listPolicies, policyTotals } from '#common/policies/calls.ts'
import type { ListContext, ListKind } from '#common/policies/views/views.ts'
import { useUnit } from '#portal/business-unit/settings.ts'
import { todayInUnit } from '#portal/business-unit/today.ts'
import { ask } from '#portal/kit/ask.ts'
import { useList } from '#portal/kit/list/use-list.ts'
import { queries } from '#portal/kit/queries.ts'
import { useUser } from '#portal/session/session.ts'
import { listRequest, type PolicyParams } from './list-params.ts'

export type Kind = ListKind

export function useListContext(): ListContext {
  const { policyStatusTypes } = useUnit()
  const { uuid } = useUser()
  return { today: todayInUnit(), userUuid: uuid, statusTypes: policyStatusTypes }
}

export function usePolicies(kind: Kind, params: PolicyParams) {
  const request = listRequest(kind, params, useListContext())
  const list = useList(listPolicies, request, { key: ['policies', 'list'], rows: ({ policies }) => policies })
  const totals = useTotals(request, list.busy ? undefined : list.info)
  return { request, list: { ...list, info: list.info && counted(list.info, list.busy ? undefined : totals.data) }, totals }
}

export type Listed = ResponseOf<typeof listPolicies>
type Totals = ResponseOf<typeof policyTotals>

/** Loads the totals of many policies after the rows. Those of an earlier search are aborted. */
function useTotals(request: RequestSentOf<typeof listPolicies>, listed: Listed | undefined) {
  const filter = filterOf(request)
  return useQuery({
    queryKey: ['policies', 'totals', filter],
    queryFn: ({ signal }) => ask(policyTotals, filter, { signal }),
    enabled: listed !== undefined && (listed.sums === null || !listed.totalIsExact),
  })
}

export function filterOf(request: RequestSentOf<typeof listPolicies>): RequestSentOf<typeof policyTotals> {
  const { page: _, perPage: _size, sortCriteria: _sort, ...filter } = request
  return filter
}

/** Adds the count to a page that arrived before it. */
export const counted = (listed: Listed, totals: Totals | undefined): Listed =>
  listed.totalIsExact || !totals
    ? listed
    : { ...listed, total: totals.matches, totalPages: Math.ceil(totals.matches / listed.perPage), totalIsExact: true }

/** Reloads everything that lists policies, but not the deleted ones themselves. */
export async function policiesDeleted(deleted: readonly { policyUuid: string }[]): Promise<void> {
  // Only inactive ones: the open drawer is about to close, and would reload a deleted policy, which fails.
  for (const { policyUuid } of deleted) queries.removeQueries({ queryKey: ['policies', 'detail', policyUuid], type: 'inactive' })
  await queries.invalidateQueries({ queryKey: ['policies'], predicate: ({ queryKey }) => queryKey[1] !== 'detail' })
}
