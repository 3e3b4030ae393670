import { useQuery } from '@tanstack/react-query'
import { policyVersions } from '#common/changes/calls.ts'
import type { ResponseOf } from '#common/kit/call.ts'
import { ask } from '#portal/kit/ask.ts'

export type PolicyVersion = ResponseOf<typeof policyVersions>[number]

/** The versions of a policy, the sale's first. */
export const useVersions = (policyUuid: string, enabled = true) =>
  useQuery({
    queryKey: ['policies', 'versions', policyUuid],
    queryFn: ({ signal }) => ask(policyVersions, { policyUuid }, { signal }),
    enabled,
  })
