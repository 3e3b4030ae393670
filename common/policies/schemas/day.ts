import * as z from 'zod/mini'
import type { CallSchemas } from '#common/kit/call.ts'
import { nothing } from '#common/kit/schemas/parts.ts'
import { policyRow } from './policy.ts'

const some = z.object({ total: z.number(), policies: z.array(policyRow) })

/**
 * `lapsing`: a quote that can be sold until its trip begins. `unpaid`: registered, and the trip is close. `declined`: the card was. `offer_paid` and
 * `offer_declined`: the client's answer to a change that the caller offered, until the caller opens the policy.
 * `withdrawn`: likewise, the client of a policy that the caller sold.
 */
const task = z.object({
  kind: z.enum(['declined', 'unpaid', 'lapsing', 'withdrawn', 'offer_declined', 'mail', 'offer_paid']),
  policyUuid: z.uuid(),
  policyTaker: z.string(),
  productName: z.string(),
  startDate: z.string(),
  amount: z.number(),
})

export const policyDay = {
  summary: 'Lists the day’s tasks by their amount; also departures this week, expiring quotes, failed emails, the first of each',
  request: nothing,
  response: z.object({
    from: z.string(),
    to: z.string(),
    /** One a policy, the highest amounts first. `amount` is the sum of all that could still be sold. */
    tasks: z.object({ total: z.number(), amount: z.number(), items: z.array(task) }),
    /** Null if the caller may not see policies of that status. */
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

/**
 * The id of the product or agent, because two agents may have the same name. `earned` is the agency's commission, null for users who may not
 * sell.
 */
const sold = z.object({
  uuid: z.optional(z.uuid()),
  name: z.string(),
  policies: z.number(),
  total: z.number(),
  earned: z.nullable(z.number()),
})

export const policySales = {
  summary: 'Returns the unit’s sales of the last six months by month, product and agent',
  request: nothing,
  response: z.object({
    currency: z.string(),
    /** `name` is YYYY-MM; the oldest first, including months without sales. */
    months: z.array(sold),
    /** The highest sales first; at most ten of each. */
    products: z.array(sold),
    sellers: z.array(sold),
  }),
} satisfies CallSchemas
