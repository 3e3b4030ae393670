import { useQuery } from '@tanstack/react-query'
import type { ResponseOf } from '#common/kit/call.ts'
import { changeTerms } from '#common/changes/calls.ts'
import type { FormSettings } from '#common/changes/change.ts'
import type { Now, Policy } from '#common/changes/state.ts'
import { useUnit } from '#portal/business-unit/settings.ts'
import { todayInUnit } from '#portal/business-unit/today.ts'
import { ask } from '#portal/kit/ask.ts'
import { queries } from '#portal/kit/queries.ts'

export type Terms = ResponseOf<typeof changeTerms>

/** The rules' input about a policy. It is reloaded after a movement, with everything that shows policies. */
const termsQuery = (policyUuid: string) => ({
  queryKey: ['policies', 'terms', policyUuid],
  queryFn: async ({ signal }: { signal: AbortSignal }): Promise<Terms & { readAt: number }> => ({
    ...(await ask(changeTerms, { policyUuid }, { signal })),
    readAt: Date.now(),
  }),
})

export const useTerms = (policyUuid: string, enabled = true) => useQuery({ ...termsQuery(policyUuid), enabled })

export type LoadedTerms = Awaited<ReturnType<ReturnType<typeof termsQuery>['queryFn']>>

/** Reloads the terms even if they are fresh, as a call has found that the policy has changed. */
export const reloadTerms = (policyUuid: string): Promise<LoadedTerms> => queries.fetchQuery({ ...termsQuery(policyUuid), staleTime: 0 })

export type RulesInput = { policy: Policy; now: Now; form: FormSettings }

/** Returns a function that gives the rules' input at this instant, by the service's clock. */
export function useRulesInput(): (terms: LoadedTerms) => RulesInput {
  const { countriesList, locale, country, showSecondLastName, earliestBirthDate } = useUnit().configuration
  return ({ policy, now, readAt }) => ({
    policy,
    now: {
      ...now,
      at: now.at + Math.max(0, Date.now() - readAt),
      countryName: id => countriesList.find(each => each.id === id)?.name,
    },
    form: { locale, country, showSecondLastName, earliestBirthDate, today: todayInUnit() },
  })
}
