import * as z from 'zod/mini'
import type { CallSchemas } from '#common/kit/call.ts'
import { locales } from '#common/kit/locales.ts'
import { text, user } from '#common/policies/schemas/person.ts'
import { sharedQuotes } from '#common/policies/schemas/quote-link.ts'
import { declineReasons, quoteStates } from '#common/policies/quote-link.ts'
import { difference } from '#common/changes/schemas/changes.ts'
import { brand, line, token } from '../parts.ts'

const { identificationTypeId: _, ...facts } = user.shape

/** An answer of the client to one of the link's quotes. `version`: the one that the client read. */
const answered = { token, policyUuid: z.uuid(), version: z.int().check(z.gte(1)) }

const traveller = z.object({
  position: z.int(),
  name: z.string(),
  birthYear: z.nullable(z.int()),
  holder: z.boolean(),
  /** The fields that a sale needs and the quote lacks. Only these can be filled in by the link. */
  missing: z.array(z.string()),
})

export const clientQuote = {
  summary: 'Shows the saved quotes of a link to the client, by the token of the link',
  perMinute: 60,
  request: z.strictObject({ token }),
  response: z.object({
    brand,
    insurer: z.string(),
    locale: z.enum(locales),
    timeZone: z.string(),
    /** The day in the agency's time zone, by the service's clock. */
    today: z.string(),
    message: z.string(),
    /** True if the client can pay by card; else a quote is accepted, and the agency confirms it. */
    cards: z.boolean(),
    /** The client's answer to the link as a whole. */
    decision: z.nullable(z.enum(['bought', 'accepted', 'declined'])),
    quotes: z.array(
      z.object({
        policyUuid: z.uuid(),
        version: z.int(),
        state: z.enum(quoteStates),
        product: z.string(),
        startDate: z.string(),
        endDate: z.string(),
        destinations: z.array(z.string()),
        /** The zone of a policy that covers many trips; null for a single trip. */
        zone: z.nullable(z.string()),
        /** The answer of the information document to the question of restrictions. */
        restrictions: z.array(z.string()),
        /** The three covers that clients ask for first, alike for all quotes of the link; null where a quote has none. */
        covers: z.array(z.object({ group: z.string(), name: z.string(), value: z.nullable(z.string()) })),
        files: z.array(z.object({ uuid: z.uuid(), name: z.string(), label: z.string() })),
        travellers: z.array(traveller),
        /** True if the quote lacks what only the agency can enter, as of a company. */
        agencyCompletes: z.boolean(),
        price: z.object({ currency: z.string(), total: z.number(), lines: z.array(z.object({ ...line, amount: z.number() })) }),
        /** True if the price may change because ages are unknown. */
        provisional: z.boolean(),
        until: z.string(),
        /** True if a purchase at a distance has a right of withdrawal, so that the client says if cover begins before it ends. */
        withdrawal: z.boolean(),
        demandsAndNeeds: z.string(),
        /** The differences to the policy that the quote renews, in the reader's language. */
        differences: z.array(difference),
      }),
    ),
  }),
} satisfies CallSchemas

export const clientQuoteComplete = {
  summary: 'Fills in what a saved quote lacks for its sale. Facts that the agency entered are refused',
  perMinute: 20,
  request: z.strictObject({
    ...answered,
    users: z.array(z.strictObject({ ...facts, position: z.int().check(z.gte(0), z.lte(1000)) })).check(z.minLength(1), z.maxLength(1000)),
  }),
  response: z.object({
    version: z.int(),
    total: z.number(),
    /** The price before. */
    before: z.number(),
    provisional: z.boolean(),
    travellers: z.array(traveller),
  }),
} satisfies CallSchemas

export const clientQuotePay = {
  summary: 'Begins to pay a saved quote by card; with the secret of the payment, sells it once it is paid. Without cards, accepts it',
  perMinute: 20,
  request: z.strictObject({
    ...answered,
    expectedTotal: z.number(),
    declared: z.strictObject({
      needs: z.literal(true),
      files: z.array(z.uuid()).check(z.maxLength(10)),
      /** Null without a right of withdrawal. */
      beginNow: z.nullable(z.boolean()),
    }),
    paymentIntentClientSecret: z.optional(z.nullable(text(255))),
  }),
  response: z.object({
    state: z.enum(['awaiting_payment', 'done', 'accepted', 'declined']),
    clientSecret: z.nullable(z.string()),
    publishableKey: z.nullable(z.string()),
  }),
} satisfies CallSchemas

export const clientQuoteDecline = {
  summary: 'Declines all quotes of a link. If one was paid meanwhile, it is sold',
  perMinute: 20,
  request: z.strictObject({ token, name: text(200), reason: z.optional(z.nullable(z.enum(declineReasons))) }),
  response: z.object({ state: z.enum(['declined', 'done', 'accepted']) }),
} satisfies CallSchemas

export const makeQuoteLink = {
  summary: 'Makes a link by which the client reads up to three saved quotes, for a messenger',
  request: z.strictObject({ policyUuid: z.uuid(), ...sharedQuotes }),
  response: z.object({ url: z.string(), until: z.string() }),
} satisfies CallSchemas

export const revokeQuoteLinks = {
  summary: 'Ends all links that open a saved quote',
  request: z.strictObject({ policyUuid: z.uuid() }),
  response: z.object({ revoked: z.int() }),
} satisfies CallSchemas
