import type { ResponseOf } from '#common/kit/call.ts'
import { policyDetail } from '#common/policies/calls.ts'
import { ask } from '#portal/kit/ask.ts'
import { queries } from '#portal/kit/queries.ts'

export type PolicyDetail = ResponseOf<typeof policyDetail>

/** The query of a policy's details, for every page that shows them. */
export const policyQuery = (policyUuid: string) => ({
  queryKey: ['policies', 'detail', policyUuid],
  queryFn: ({ signal }: { signal: AbortSignal }): Promise<PolicyDetail> => ask(policyDetail, { policyUuid }, { signal }),
})

/** Reloads everything that shows policies. */
export const policiesChanged = (): Promise<void> => queries.invalidateQueries({ queryKey: ['policies'] })
