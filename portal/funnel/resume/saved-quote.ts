import { useQuery } from '@tanstack/react-query'
import { serviceNow } from '#portal/kit/service-time.ts'
import { type PolicyDetail, policyQuery } from '#portal/policies/policy-query.ts'
import { useFunnel } from '../store.ts'

/**
 * The saved quote that the sale resumes or replaces, as the service has it. It is read anew after a reload, and when it changes; on a page that
 * follows its emails, also until they have left.
 */
export function useSavedQuote({ followsMails = false } = {}) {
  const policyUuid = useFunnel(({ policyUuid }) => policyUuid)
  return useQuery({
    ...policyQuery(policyUuid ?? ''),
    enabled: policyUuid !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: ({ state: { data } }) => followsMails && refreshMs(data),
  })
}

/** An email leaves within seconds. While the mail server is down it can take days. */
function refreshMs(detail: PolicyDetail | undefined): number | false {
  const queued = detail?.mails.find(({ state }) => state === 'queued')
  if (!queued) return false
  return serviceNow() - Date.parse(queued.at) < 60_000 ? 1500 : 30_000
}
