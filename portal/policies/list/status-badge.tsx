import type { PolicyStatus } from '#common/policies/states.ts'
import { todayInUnit } from '#portal/business-unit/today.ts'
import { State } from '#portal/kit/ui/card.tsx'
import { useWords } from '#portal/kit/words.tsx'

/** Shows a status. The trip of a saved quote may have begun: it cannot be sold with these dates. What is unpaid stays unpaid. */
export function StatusBadge({ policy }: { policy: { status: PolicyStatus; startDate: string } }) {
  const { words } = useWords()
  const { tone, label } = policy.status === 'budgeted' && policy.startDate < todayInUnit() ? begun : badges[policy.status]
  return <State tone={tone}>{words(label)}</State>
}

const begun = { tone: 'over', label: 'policies.status_begun' } as const

const badges = {
  purchased: { tone: 'success', label: 'policies.status_purchased' },
  budgeted: { tone: 'info', label: 'policies.status_budgeted' },
  pending: { tone: 'warning', label: 'policies.status_pending' },
  cancelled: { tone: 'over', label: 'policies.status_cancelled' },
} as const satisfies Record<PolicyStatus, unknown>
