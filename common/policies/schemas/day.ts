import * as z from 'zod/mini'
import type { CallSchemas } from '#common/kit/call.ts'
import { nothing } from '#common/kit/schemas/parts.ts'
import { policyRow } from './policy.ts'

const some = z.object({ total: z.number(), policies: z.array(policyRow) })

/** The most urgent kind of a policy names its task. */
export const taskKinds = [
  'declined',
  'withdrawn',
  'quote_accepted',
  'unpaid',
  'lapsing',
  'quote_ending',
  'renewal_impossible',
  'renewal_outdated',
  'offer_declined',
  'quote_declined',
  'mail',
  'offer_paid',
  'quote_paid',
  'renewal',
] as const

/**
 * `lapsing`: a quote that can be sold until its trip begins. `unpaid`: registered, and the trip is near. `declined`: the card was refused.
 * `offer_paid` and `offer_declined`: the client answered the caller's offer of a change; shown until the caller opens the policy. `withdrawn`: the
 * client withdrew from a policy that the caller sold; likewise. `quote_paid`, `quote_accepted`, `quote_declined`: the client's answer to a link of quotes.
 * `quote_ending`: a quote that a client has by link and has not answered, whose price ends today or ended yesterday. `renewal`: a next term offered in
 * the last days. `renewal_impossible`: the service cannot offer the next term of such a policy. `renewal_outdated`: a renewal that the caller sold was made before the
 * renewed policy changed or ended.
 */
const task = z.object({
  kind: z.enum(taskKinds),
  policyUuid: z.uuid(),
  policyTaker: z.string(),
  productUuid: z.uuid(),
  productName: z.string(),
  startDate: z.string(),
  amount: z.number(),
  /** The days until the trip begins, or until the price of a `quote_ending` ends: -1 if it ended yesterday. */
  days: z.int(),
  /** True for a quote or an unpaid sale, which is in the list of saved quotes. */
  isBudget: z.boolean(),
})

export const policyDay = {
  summary: 'Lists the day’s tasks by their amount; also departures this week, expiring quotes, failed emails, the first of each',
  request: nothing,
  response: z.object({
    from: z.string(),
    to: z.string(),
    /** One task per policy, highest amounts first. `amount` is the sum of all that can still be sold. */
    tasks: z.object({ total: z.number(), amount: z.number(), items: z.array(task) }),
    /** Null if the caller may not see policies with that status. */
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

/** The id of the product or agent, because names may repeat. `earned` is the agency's commission, null for users who may not sell. */
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
    /** `name` is YYYY-MM; oldest first, including months without sales. */
    months: z.array(sold),
    /** Highest sales first; at most ten of each. */
    products: z.array(sold),
    sellers: z.array(sold),
  }),
} satisfies CallSchemas
