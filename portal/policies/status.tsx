import type { PolicyStatus } from '#common/policies/states.ts'
import { State } from '#portal/kit/ui/card.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { lapsed } from './price-until.tsx'

type Props = { policy: { status: PolicyStatus; startDate: string; priceValidUntil?: string | null } }

/** Shows a status. A saved quote whose trip has begun, or whose price is over, cannot be sold as it is. An unpaid one stays unpaid. */
export function StatusBadge({ policy }: Props) {
  const { words } = useWords()
  const why = lapsed(policy)
  const { tone, label } = why ? over[why] : badges[policy.status]
  return <State tone={tone}>{words(label)}</State>
}

const over = {
  begun: { tone: 'over', label: 'policies.status_begun' },
  expired: { tone: 'over', label: 'policies.status_expired' },
} as const

const badges = {
  purchased: { tone: 'success', label: 'policies.status_purchased' },
  budgeted: { tone: 'info', label: 'policies.status_budgeted' },
  pending: { tone: 'warning', label: 'policies.status_pending' },
  cancelled: { tone: 'over', label: 'policies.status_cancelled' },
} as const satisfies Record<PolicyStatus, unknown>
