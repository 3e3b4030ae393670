import * as z from 'zod/mini'
import { stepDocumentKinds } from '#common/documents/kinds.ts'
import { locales } from '#common/kit/locales.ts'

export const locale = z.enum(locales)

/** A price, in major units. */
const price = z.object({
  premium: z.number(),
  travelPremium: z.number(),
  cancellationPremium: z.number(),
  taxes: z.array(z.object({ code: z.string(), label: z.string(), amount: z.number() })),
  total: z.number(),
  /** Null for users who may not sell. */
  commission: z.nullable(z.number()),
})

const difference = z.object({
  premium: z.number(),
  taxes: z.array(z.object({ code: z.string(), label: z.string(), amount: z.number() })),
  total: z.number(),
})

const everyPreview = {
  possible: z.boolean(),
  /** Each refusal with its code, its field and its message in the user's language. */
  refusals: z.array(z.object({ code: z.string(), path: z.string(), message: z.string(), why: z.nullable(z.string()) })),
  currency: z.string(),
  before: price,
  after: z.nullable(price),
  difference,
  charge: z.number(),
  refund: z.number(),
  commission: z.nullable(z.object({ rate: z.number(), amount: z.number() })),
  /** A payment that is refunded, or a gateway that takes a charge. */
  routes: z.array(z.object({ gateway: z.string(), paymentUuid: z.nullable(z.uuid()), amount: z.number() })),
  effectiveAt: z.string(),
  /** The documents that the step creates. */
  papers: z.array(z.enum(stepDocumentKinds)),
}

export const changePreview = z.object({
  ...everyPreview,
  kept: z.object({ amount: z.number(), reason: z.nullable(z.enum(['started', 'free_look_over'])) }),
  basis: z.nullable(z.string()),
  /** The part of a charge that is too small for any gateway. */
  waived: z.number(),
  /** The part of a refund that no payment can take back. It goes to review. */
  withoutWay: z.number(),
  waitUntil: z.nullable(z.string()),
  people: z.array(
    z.object({
      personUuid: z.nullable(z.uuid()),
      what: z.enum(['same', 'mended', 'joins', 'leaves']),
      age: z.nullable(z.number()),
      premium: z.number(),
    }),
  ),
  validUntil: z.string(),
  changesLeftUntil: z.nullable(z.string()),
})

export const cancelPreview = z.object({
  ...everyPreview,
  /** An ending by a statutory right is a withdrawal, even if a cancellation was requested. */
  kind: z.enum(['cancellation', 'withdrawal']),
  basis: z.nullable(z.string()),
  withoutWay: z.number(),
  coverEnds: z.nullable(z.string()),
  options: z.array(z.object({ basis: z.string(), refund: z.number(), until: z.string() })),
  nextLower: z.nullable(z.object({ at: z.string(), refund: z.number() })),
  right: z.nullable(z.object({ id: z.string(), until: z.string() })),
})

export const reinstatePreview = z.object({
  ...everyPreview,
  /** The part of the refund that has not left yet and is stopped. */
  stopped: z.number(),
  waived: z.number(),
  uncovered: z.nullable(z.object({ from: z.string(), to: z.string() })),
})
