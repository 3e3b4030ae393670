import { policyCan, type PolicyStatus } from '#common/policies/states.ts'
import { todayInUnit } from '#portal/business-unit/today.ts'
import { State } from '#portal/kit/ui/card.tsx'
import { useWords } from '#portal/kit/words.tsx'

/** Shows a status. A saved quote whose trip has begun is expired: it cannot be sold with these dates. */
export function StatusBadge({ policy }: { policy: { status: PolicyStatus; startDate: string } }) {
  const { words } = useWords()
  const { tone, label } = policyCan('resume', policy) && policy.startDate < todayInUnit() ? lapsed : badges[policy.status]
  return <State tone={tone}>{words(label)}</State>
}

const lapsed = { tone: 'over', label: 'policies.status_lapsed' } as const

const badges = {
  purchased: { tone: 'success', label: 'policies.status_purchased' },
  budgeted: { tone: 'info', label: 'policies.status_budgeted' },
  pending: { tone: 'warning', label: 'policies.status_pending' },
  cancelled: { tone: 'over', label: 'policies.status_cancelled' },
} as const satisfies Record<PolicyStatus, unknown>
