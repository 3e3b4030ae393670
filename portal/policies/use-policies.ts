import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { listPolicies, policyDetail } from '#common/policies/calls.ts'
import { useUnit } from '#portal/business-unit/settings.ts'
import { todayInUnit } from '#portal/business-unit/today.ts'
import { ask } from '#portal/kit/ask.ts'
import { queries } from '#portal/kit/queries.ts'
import { type Look, questionOf } from './list-params.ts'

export type Kind = 'purchased' | 'budgeted'

/** One page of them. The one before stays until it is there; what is overtaken by the next letter is given up. */
export function usePolicies(kind: Kind, look: Look) {
  const { policyStatusTypes } = useUnit()
  const question = questionOf(policyStatusTypes[kind].uuid, look, todayInUnit())
  const { data, error, isPlaceholderData, refetch } = useQuery({
    queryKey: ['policies', 'list', question],
    queryFn: ({ signal }) => ask(listPolicies, question, { signal }),
    placeholderData: keepPreviousData,
  })
  return { question, data: error ? undefined : data, error, busy: isPlaceholderData, again: () => void refetch() }
}

export const usePolicy = (policyUuid: string) =>
  useQuery({
    queryKey: ['policies', 'detail', policyUuid],
    queryFn: ({ signal }) => ask(policyDetail, { policyUuid }, { signal }),
  })

/** Something about policies has changed: whatever shows them asks again. */
export const policiesChanged = (): Promise<void> => queries.invalidateQueries({ queryKey: ['policies'] })

/** They are gone: whatever lists them asks again, and nobody asks for them any more. */
export async function policiesGone(gone: readonly { policyUuid: string }[]): Promise<void> {
  // The one that is still open is about to close: asked for again, it would be missed.
  for (const { policyUuid } of gone) queries.removeQueries({ queryKey: ['policies', 'detail', policyUuid], type: 'inactive' })
  await queries.invalidateQueries({ queryKey: ['policies'], predicate: ({ queryKey }) => queryKey[1] !== 'detail' })
}
