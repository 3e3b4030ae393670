import * as z from 'zod/mini'
import type { CallSchemas } from '#common/kit/call.ts'
import { nothing } from '#common/kit/schemas/parts.ts'

export const overview = {
  summary: 'Counts failed jobs, refused emails and payments to review, and everything else',
  request: nothing,
  response: z.object({
    jobsFailed: z.number(),
    jobsWaiting: z.number(),
    /** The time since which the jobs of a restored copy have been held; null if they are not held. */
    jobsHeldSince: z.nullable(z.string()),
    mailsRefused: z.number(),
    paymentReviews: z.number(),
    units: z.number(),
    unitsSuspended: z.number(),
    users: z.number(),
    usersSuspended: z.number(),
    catalogueLoadedAt: z.nullable(z.string()),
  }),
} satisfies CallSchemas
