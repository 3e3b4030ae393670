import { useQuery } from '@tanstack/react-query'
import type { RequestSentOf, ResponseOf } from '#common/kit/call.ts'
import { type listPolicies, policyTotals } from '#common/policies/calls.ts'
import { useUnit } from '#portal/business-unit/settings.ts'
import { ask } from '#portal/kit/ask.ts'
import { useFormat } from '#portal/kit/format.ts'
import type { Foot } from '#portal/kit/list/column.ts'
import { Skeleton } from '#portal/kit/ui/progress.tsx'
import { useWords } from '#portal/kit/words.tsx'
import type { Kind } from '../use-policies.ts'

type Listed = ResponseOf<typeof listPolicies>

/** Returns the totals of all policies that the list finds. Those of many policies load after the rows. */
export function useFoot(kind: Kind, listed: Listed | undefined, request: RequestSentOf<typeof listPolicies>): Foot | undefined {
  const { words } = useWords()
  const { money } = useFormat()
  const { currency } = useUnit().configuration
  const { page: _, perPage: _size, sortCriteria: _sort, ...filter } = request
  const { data } = useQuery({
    queryKey: ['policies', 'totals', filter],
    queryFn: ({ signal }) => ask(policyTotals, filter, { signal }),
    enabled: listed !== undefined && listed.sums === null,
  })
  if (!listed || listed.total === 0) return undefined
  const sums = listed.sums ?? data
  const total = sums ? money(sums.total, currency) : <Skeleton className="ml-auto h-3.5 w-20" />
  return {
    label: [
      words(kind === 'purchased' ? 'policies.count' : 'policies.count_saved', { count: listed.total }),
      // Quotes of trips that have begun are not added up, and the foot says how many are.
      ...(sums && sums.policies < listed.total ? [words('policies.count_open', { count: sums.policies })] : []),
    ].join(' · '),
    sums: { total, commission: sums?.commission === null ? '' : sums && money(sums.commission, currency) },
    end: total,
  }
}
