import type { TicketStatus } from '#common/tickets/states.ts'
import { State } from '#portal/kit/ui/card.tsx'
import { useWords } from '#portal/kit/words.tsx'

export const statusWords = {
  open: 'tickets.status_open',
  in_progress: 'tickets.status_in_progress',
  answered: 'tickets.status_answered',
  closed: 'tickets.status_closed',
} as const satisfies Record<TicketStatus, string>

const tones = { open: 'info', in_progress: 'warning', answered: 'success', closed: 'over' } as const satisfies Record<TicketStatus, string>

export function StatusBadge({ status }: { status: TicketStatus }) {
  const { words } = useWords()
  return <State tone={tones[status]}>{words(statusWords[status])}</State>
}
