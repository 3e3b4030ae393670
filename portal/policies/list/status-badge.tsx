import type { PolicyStatus } from '#common/policies/states.ts'
import { Badge } from '#portal/kit/ui/card.tsx'
import { useWords } from '#portal/kit/words.tsx'

export function StatusBadge({ status }: { status: PolicyStatus }) {
  const { words } = useWords()
  const { tone, label } = looks[status]
  return <Badge tone={tone}>{words(label)}</Badge>
}

const looks = {
  purchased: { tone: 'success', label: 'policies.status_purchased' },
  budgeted: { tone: 'info', label: 'policies.status_budgeted' },
  pending: { tone: 'warning', label: 'policies.status_pending' },
  cancelled: { tone: 'neutral', label: 'policies.status_cancelled' },
} as const satisfies Record<PolicyStatus, unknown>
