import type { ResponseOf } from '#common/kit/call.ts'
import { policyDetail } from '#common/policies/calls.ts'
import { ask } from '#portal/kit/ask.ts'
import { queries } from '#portal/kit/queries.ts'

export type PolicyDetail = ResponseOf<typeof policyDetail>

type Asked = { state: { data: PolicyDetail | undefined; dataUpdateCount: number } }

/** The maximum number of repeated requests, as each is audited. */
const maxAsked = 5

/** The query of a policy's details, for every page that shows them. */
export const policyQuery = (policyUuid: string) => ({
  queryKey: ['policies', 'detail', policyUuid],
  queryFn: ({ signal }: { signal: AbortSignal }): Promise<PolicyDetail> => ask(policyDetail, { policyUuid }, { signal }),
  // An email is usually sent within seconds. If it takes longer, reopening the policy shows its state.
  refetchInterval: ({ state: { data, dataUpdateCount } }: Asked) =>
    data?.mails.some(({ state }) => state === 'queued') && dataUpdateCount < maxAsked ? 2_000 : (false as const),
})

/** Reloads everything that shows policies. */
export const policiesChanged = (): Promise<void> => queries.invalidateQueries({ queryKey: ['policies'] })
