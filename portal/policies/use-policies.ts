import { listPolicies } from '#common/policies/calls.ts'
import type { ListContext, ListKind } from '#common/policies/views/views.ts'
import { useUnit } from '#portal/business-unit/settings.ts'
import { todayInUnit } from '#portal/business-unit/today.ts'
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
  return { request, list }
}

/** Reloads everything that lists policies, but not the deleted ones themselves. */
export async function policiesDeleted(deleted: readonly { policyUuid: string }[]): Promise<void> {
  // Only inactive ones: the open drawer is about to close, but would reload a removed policy, which fails.
  for (const { policyUuid } of deleted) queries.removeQueries({ queryKey: ['policies', 'detail', policyUuid], type: 'inactive' })
  await queries.invalidateQueries({ queryKey: ['policies'], predicate: ({ queryKey }) => queryKey[1] !== 'detail' })
}
