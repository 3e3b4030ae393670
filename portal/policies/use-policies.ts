import { useQuery } from '@tanstack/react-query'
import { listPolicies, policyDetail } from '#common/policies/calls.ts'
import { useUnit } from '#portal/business-unit/settings.ts'
import { todayInUnit } from '#portal/business-unit/today.ts'
import { ask } from '#portal/kit/ask.ts'
import { useList } from '#portal/kit/list/use-list.ts'
import { queries } from '#portal/kit/queries.ts'
import { isCancelledOnly, listRequest, type PolicyParams } from './list-params.ts'

export type Kind = 'purchased' | 'budgeted'

export function usePolicies(kind: Kind, params: PolicyParams) {
  const { policyStatusTypes } = useUnit()
  const { uuid } = policyStatusTypes[kind === 'purchased' && isCancelledOnly(params) ? 'cancelled' : kind]
  const request = listRequest(uuid, params, todayInUnit())
  const list = useList(listPolicies, request, { key: ['policies', 'list'], rows: ({ policies }) => policies })
  return { request, list }
}

export const usePolicy = (policyUuid: string) =>
  useQuery({
    queryKey: ['policies', 'detail', policyUuid],
    queryFn: ({ signal }) => ask(policyDetail, { policyUuid }, { signal }),
  })

/** Reloads everything that shows policies. */
export const policiesChanged = (): Promise<void> => queries.invalidateQueries({ queryKey: ['policies'] })

/** Reloads everything that lists policies, but not the deleted ones themselves. */
export async function policiesDeleted(deleted: readonly { policyUuid: string }[]): Promise<void> {
  // Only inactive ones: the open drawer is about to close, but would reload a removed policy, which fails.
  for (const { policyUuid } of deleted) queries.removeQueries({ queryKey: ['policies', 'detail', policyUuid], type: 'inactive' })
  await queries.invalidateQueries({ queryKey: ['policies'], predicate: ({ queryKey }) => queryKey[1] !== 'detail' })
}
