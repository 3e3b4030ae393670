import { idIn, type RequestSentOf } from '#common/kit/call.ts'
import type { TicketKind } from '#common/products/tickets.ts'
import type { listTickets } from './calls.ts'
import { type TicketStatus, ticketStatuses } from './states.ts'

/** The parameters of a ticket list's URL that a saved view keeps: the status, the type's uuid, and `by=me`. */
export const ticketViewParams = ['status', 'topic', 'by'] as const
export type TicketViewParam = (typeof ticketViewParams)[number]
export type TicketViewParams = { [name in TicketViewParam]?: string | undefined }

export type BuiltInTicketView = 'all' | TicketStatus | 'mine'

/** The views that both lists of tickets offer. */
export const builtInTicketViews: { id: BuiltInTicketView; params: TicketViewParams }[] = [
  { id: 'all', params: {} },
  ...ticketStatuses.map(status => ({ id: status, params: { status } })),
  { id: 'mine', params: { by: 'me' } },
]

type Conditions = Pick<RequestSentOf<typeof listTickets>, 'kind' | 'status' | 'typeUuid' | 'mine'>

/** Returns the filters that these parameters name. Those that the call would refuse are left out. */
export function ticketConditions(kind: TicketKind, { status: named, topic, by }: TicketViewParams): Conditions {
  const status = ticketStatuses.find(each => each === named)
  const typeUuid = idIn(topic)
  return { kind, ...(status ? { status } : {}), ...(typeUuid ? { typeUuid } : {}), ...(by === 'me' ? { mine: true } : {}) }
}
