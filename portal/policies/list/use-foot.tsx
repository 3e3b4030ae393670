import type { ResponseOf } from '#common/kit/call.ts'
import type { policyTotals } from '#common/policies/calls.ts'
import { useUnit } from '#portal/business-unit/settings.ts'
import { useFormat } from '#portal/kit/format.ts'
import type { Foot } from '#portal/kit/list/column.ts'
import { IconButton } from '#portal/kit/ui/icon-button.tsx'
import { Skeleton } from '#portal/kit/ui/progress.tsx'
import { useWords } from '#portal/kit/words.tsx'
import type { Kind, Listed } from '../use-policies.ts'

type Totals = { data: ResponseOf<typeof policyTotals> | undefined; isError: boolean; refetch: () => unknown }

/** Returns the totals of all policies that the list finds. Those of many policies are loaded after the rows. */
export function useFoot(kind: Kind, listed: Listed | undefined, totals: Totals): Foot | undefined {
  const { words } = useWords()
  const { money } = useFormat()
  const { currency } = useUnit().configuration
  if (!listed || listed.total === 0) return undefined
  const sums = listed.sums ?? totals.data
  const hasFailed = !sums && totals.isError
  const total = sums ? (
    money(sums.total, currency)
  ) : hasFailed ? (
    <IconButton icon="repeat" label={words('policies.totals_failed')} onClick={() => void totals.refetch()} />
  ) : (
    <Skeleton className="ml-auto h-3.5 w-20" />
  )
  if (!listed.totalIsExact) return { label: words(hasFailed ? 'policies.totals_failed' : 'policies.counting'), sums: { total }, end: total }
  return {
    label: [
      words(kind === 'purchased' ? 'policies.count' : 'policies.count_saved', { count: listed.total }),
      // Quotes of trips that have begun are not added up, and the footer counts the others.
      ...(sums && sums.policies < listed.total ? [words('policies.count_open', { count: sums.policies })] : []),
    ].join(' · '),
    sums: { total, commission: sums?.commission === null ? '' : sums && money(sums.commission, currency) },
    end: total,
  }
}
