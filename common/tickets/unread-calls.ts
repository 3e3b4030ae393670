import { callsOf } from '#common/kit/calls-of.ts'
import type * as schemas from './unread-schemas.ts'

const call = callsOf<typeof schemas>()('b2b-access')

export const unreadTickets = call<'unreadTickets'>('GET', '/api/tickets/unread')
