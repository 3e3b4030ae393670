import * as z from 'zod/mini'
import type { CallSchemas } from '#common/kit/call.ts'

/** Apart from the room's other calls: the frame of every page asks it. */
export const unreadTickets = {
  summary: 'How many claims and requests of the last ninety days hold something that the caller has not read',
  ask: z.object({}),
  answer: z.object({ claim: z.number(), request: z.number() }),
} satisfies CallSchemas
