import * as z from 'zod/mini'
import type { CallSchemas } from '#common/kit/call.ts'
import { policyRow } from './policy.ts'

const some = z.object({ total: z.number(), policies: z.array(policyRow) })

export const policyDay = {
  summary: 'What the day asks for: who departs this week, which budgets lapse as they do, which mails failed; the first of each',
  ask: z.strictObject({}),
  answer: z.object({
    from: z.string(),
    to: z.string(),
    /** Null for whoever may not see policies of that status. */
    departures: z.nullable(some),
    lapsing: z.nullable(some),
    failedMails: z.object({
      total: z.number(),
      mails: z.array(
        z.object({ uuid: z.uuid(), at: z.string(), to: z.string(), subject: z.string(), policyUuid: z.uuid(), isBudget: z.boolean() }),
      ),
    }),
  }),
} satisfies CallSchemas

/** Two sellers may bear one name: the product’s or seller’s id tells them apart. */
const sold = z.object({ uuid: z.optional(z.uuid()), name: z.string(), policies: z.number(), total: z.number() })

export const policySales = {
  summary: 'What the unit sold in the last six months: by month, product and seller',
  ask: z.strictObject({}),
  answer: z.object({
    currency: z.string(),
    /** `name` is YYYY-MM; the oldest first, also those in which nothing was sold. */
    months: z.array(sold),
    /** The most sold first; at most ten of each. */
    products: z.array(sold),
    sellers: z.array(sold),
  }),
} satisfies CallSchemas
