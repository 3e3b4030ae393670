import { useQuery } from '@tanstack/react-query'
import { serviceNow } from '#portal/kit/time.ts'
import { type PolicyDetail, policyQuery } from '#portal/policies/policy-query.ts'
import { useFunnel } from '../store.ts'

/**
 * The saved quote that the sale resumes or replaces, as the service stores it. It is reloaded after a page reload, and when it changes; on a page
 * that follows its emails, also until these are sent.
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

/** An email is sent within seconds, but may take days while the mail server is down. */
function refreshMs(detail: PolicyDetail | undefined): number | false {
  const queued = detail?.mails.find(({ state }) => state === 'queued')
  if (!queued) return false
  return serviceNow() - Date.parse(queued.at) < 60_000 ? 1500 : 30_000
}
