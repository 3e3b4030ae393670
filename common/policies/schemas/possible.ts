import * as z from 'zod/mini'

/** The actions that are possible on a policy now, and its open change. */
export const possible = {
  /** The possible actions, each with its end if known. */
  can: z.array(z.object({ action: z.enum(['change', 'cancel', 'withdraw', 'reinstate', 'undo']), until: z.nullable(z.string()) })),
  /** The money that undoing the last change moves, in major units, while that is possible. `stopped`: its refund that has not left. */
  undo: z.nullable(z.object({ charge: z.number(), refund: z.number(), stopped: z.number() })),
  /** The change that is offered to the client or waits for its payment. Until it is done, the policy stays as shown. */
  openChange: z.nullable(
    z.object({
      changeUuid: z.uuid(),
      kind: z.enum(['change', 'undo', 'reinstatement']),
      state: z.enum(['offered', 'awaiting_payment']),
      at: z.string(),
      until: z.string(),
      /** In major units, as is the amount to be paid. */
      difference: z.number(),
      charge: z.number(),
      /** The address to which an offer was sent. Null for a change that is paid at the desk. */
      offeredTo: z.nullable(z.string()),
    }),
  ),
  /** The right of withdrawal that applies, and its last day. */
  withdrawal: z.nullable(z.object({ right: z.string(), until: z.string() })),
}
