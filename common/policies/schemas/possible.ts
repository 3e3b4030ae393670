import * as z from 'zod/mini'

/** The actions that are possible on a policy now, those that are not, and its open change. */
export const possible = {
  /**
   * The possible actions, each with its end if known. `only`: the cover stays as it is. Contact, reference and language change, and until the end also
   * corrections of people's data.
   */
  can: z.array(
    z.object({
      action: z.enum(['change', 'cancel', 'withdraw', 'reinstate', 'undo', 'renew']),
      until: z.nullable(z.string()),
      only: z.optional(z.literal('contact')),
    }),
  ),
  /** The actions that this policy does not allow, or only in part, each with the code of its refusal. */
  cannot: z.array(z.object({ action: z.enum(['change', 'cancel', 'withdraw', 'reinstate']), code: z.string() })),
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

/** The state of a sold policy now, beside its possible actions. */
export const soldState = {
  /** The claims on it that were not filed by mistake: open if one is. */
  claim: z.nullable(z.enum(['open', 'closed'])),
  /** When the cancellation cover begins: with the sale, or after its waiting period. It ends with the departure. Null without such cover of one trip. */
  cancellationFrom: z.nullable(z.string()),
  /** True for a policy of many trips that insures the cancellation of each, from its booking within the term to its departure. */
  cancellationOfEach: z.boolean(),
  /** How a cancelled policy ended, with the refund in major units. */
  ended: z.nullable(
    z.object({
      kind: z.enum(['cancellation', 'withdrawal']),
      at: z.string(),
      refund: z.number(),
      basis: z.nullable(z.string()),
      reason: z.nullable(z.string()),
      note: z.nullable(z.string()),
    }),
  ),
}
