import { callsOf } from '#common/kit/calls-of.ts'
import type * as schemas from './schemas.ts'

const call = callsOf<typeof schemas>()('b2b-access')

/** Separate from the feature's other calls, because the frame of every page asks it. */
export const unreadTickets = call<'unreadTickets'>('GET', '/api/tickets/unread')
