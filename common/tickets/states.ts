/** `open` waits for support, `answered` for whoever asked; what is closed is opened again by the next message. */
export const ticketStatuses = ['open', 'in_progress', 'answered', 'closed'] as const
export type TicketStatus = (typeof ticketStatuses)[number]

/** Who speaks: the agency and its customers, or the support behind it (b2b-admin). */
export type Side = 'agency' | 'support'

/** What a ticket may be set to by hand. Whoever asked may only end it, or begin it again. */
export function statusesFor(side: Side, now: TicketStatus): TicketStatus[] {
  const settable: TicketStatus[] = side === 'support' ? [...ticketStatuses] : now === 'closed' ? ['open'] : ['closed']
  return settable.filter(status => status !== now)
}

export const statusAfterMessage = (side: Side): TicketStatus => (side === 'support' ? 'answered' : 'open')
