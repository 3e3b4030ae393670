import * as z from 'zod/mini'
import type { CallSchemas } from '#common/kit/call.ts'

export const overview = {
  summary: 'What waits for somebody: failed jobs, refused mails, payments to look at; and how much there is of the rest',
  ask: z.strictObject({}),
  answer: z.object({
    jobsFailed: z.number(),
    jobsWaiting: z.number(),
    /** Since when the jobs of a restored copy are held; null where they are not. */
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
