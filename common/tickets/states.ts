/** `open` waits for support, `answered` for the agency. The next message reopens a closed ticket. */
export const ticketStatuses = ['open', 'in_progress', 'answered', 'closed'] as const
export type TicketStatus = (typeof ticketStatuses)[number]

/** The author of a message: the agency with its clients, or support (b2b-admin). */
export type Side = 'agency' | 'support'

/** Returns the statuses that a side may set by hand: an agency may only close or reopen a ticket. */
export function statusesFor(side: Side, now: TicketStatus): TicketStatus[] {
  const settable: TicketStatus[] = side === 'support' ? [...ticketStatuses] : now === 'closed' ? ['open'] : ['closed']
  return settable.filter(status => status !== now)
}

export const statusAfterMessage = (side: Side): TicketStatus => (side === 'support' ? 'answered' : 'open')
