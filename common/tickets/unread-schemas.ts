import * as z from 'zod/mini'
import type { CallSchemas } from '#common/kit/call.ts'

/** Separate from the feature's other calls, because the frame of every page asks it. */
export const unreadTickets = {
  summary: 'Counts the claims and requests of the last ninety days with messages unread by the caller',
  request: z.object({}),
  response: z.object({ claim: z.number(), request: z.number() }),
} satisfies CallSchemas
