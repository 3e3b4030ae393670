import { callsOf } from '#common/kit/calls-of.ts'
import type * as schemas from './schemas.ts'

const call = callsOf<typeof schemas>()('b2b-access')

export const ticketViews = call<'ticketViews'>('POST', '/api/tickets/views')
export const saveTicketView = call<'saveTicketView'>('PUT', '/api/tickets/views')
export const deleteTicketView = call<'deleteTicketView'>('DELETE', '/api/tickets/views')
