import * as z from 'zod/mini'
import { call } from '#common/kit/call.ts'

/** Apart from the room's other calls: the frame of every page asks it. */
export const unreadTickets = call({
  method: 'GET',
  path: '/api/tickets/unread',
  summary: 'How many claims and requests of the last ninety days hold something that the caller has not read',
  needs: 'b2b-access',
  ask: z.object({}),
  answer: z.object({ claim: z.number(), request: z.number() }),
})
