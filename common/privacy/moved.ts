import * as z from 'zod/mini'

/** The money that a correction moves in a policy. */
export const moved = z.object({
  uuid: z.uuid(),
  currency: z.string(),
  difference: z.number(),
  refund: z.number(),
  commission: z.number(),
  /** The payments that are refunded. */
  routes: z.array(z.object({ gateway: z.string(), paymentUuid: z.nullable(z.uuid()), amount: z.number() })),
  /** The part of the refund that no payment can take back. It goes to review. */
  withoutWay: z.number(),
})

/** The version of each policy that a correction changes, and its money. If they differ, the shown correction no longer applies. */
export const shown = z.object({ versions: z.array(z.object({ uuid: z.uuid(), version: z.int() })), money: z.array(moved) })
