import * as z from 'zod/mini'
import type { CallSchemas } from '#common/kit/call.ts'
import { toCents } from '#common/kit/money.ts'
import { text } from '#common/policies/schemas/person.ts'
import { policyFileNow, purchasePolicy } from '#common/policies/schemas/policy.ts'
import { changeAsked, ending, goodwill, person } from './changes.ts'
import { locale } from './previews.ts'

const on = { policyUuid: z.uuid(), version: z.int().check(z.gte(1)) }
/** An amount in major units, with at most two decimals. It may be negative. */
const amount = z.number().check(z.refine(value => toCents(Math.abs(value)) !== undefined))
const note = z.optional(z.nullable(text(500)))

/**
 * A step that was made, was offered, or waits for its card payment. Until it is done the policy stays unchanged. Its documents may still be pending.
 */
const made = z.extend(purchasePolicy.response, {
  changeUuid: z.uuid(),
  state: z.enum(['offered', 'awaiting_payment', 'done', 'taken_back']),
  /** The time until which it can be paid; null if it does not wait. */
  until: z.nullable(z.string()),
  /** The secret with which the browser pays by card. */
  clientSecret: z.nullable(z.string()),
  publishableKey: z.nullable(z.string()),
  /** The policy's current version. */
  version: z.int(),
  kind: z.enum(['change', 'undo', 'cancellation', 'withdrawal', 'reinstatement']),
  charge: z.number(),
  refund: z.number(),
  /** The part of an earlier refund that was stopped before it left. */
  stopped: z.number(),
  routes: z.array(z.object({ gateway: z.string(), paymentUuid: z.nullable(z.uuid()), amount: z.number() })),
})

const { refund: _, routes, ...ended } = made.shape

/**
 * The refund of an ended policy, and its routes. `none`: no refund. `due`: a refund by card has not left yet. `done`: all has left, as it does at
 * once on account. `refused`: the card network refused a part, and support decides. `stopped`: the policy was reinstated before the refund left.
 */
const refund = z.object({ amount: z.number(), state: z.enum(['none', 'due', 'done', 'refused', 'stopped', 'transferred']), routes })

/** The gateway of a charge. The default is the sale's. */
const byGateway = z.strictObject({ paymentGatewayUUID: z.uuid() })
const settle = z.optional(z.nullable(byGateway))

/** An offer is mailed to the client and waits until it is paid by card. The default language is the policy's. */
const byOffer = z.strictObject({ offer: z.strictObject({ email: text(320), locale: z.optional(z.nullable(locale)) }) })

export const makeChange = {
  summary:
    'Changes a sold policy once, and charges or gives back the difference, or offers that to the client; 409 if the difference changed',
  request: z.strictObject({
    ...on,
    change: changeAsked,
    expectedDifference: amount,
    /** If sent, a change with a smaller refund is refused: from midnight on, a lower price may be kept. */
    expectedRefund: z.optional(z.nullable(amount)),
    reason: z.optional(z.nullable(z.enum(['client', 'carrier', 'agency_error', 'other']))),
    note,
    settle: z.optional(z.nullable(z.union([byGateway, byOffer]))),
  }),
  response: made,
} satisfies CallSchemas

const open = { changeUuid: z.uuid() }

export const payChange = {
  summary: 'Makes a change that waits for its payment, once, after the card payment',
  request: z.strictObject({ ...open, paymentIntentClientSecret: z.optional(z.nullable(text(255))) }),
  response: made,
} satisfies CallSchemas

export const openChange = {
  summary: 'Returns a change that waits for its payment, with the secret by which it is paid',
  request: z.strictObject(open),
  response: made,
} satisfies CallSchemas

export const takeBackChange = {
  summary: 'Abandons a change that waits for its payment, or takes one that was made back within an hour',
  request: z.strictObject({ ...open, settle }),
  response: made,
} satisfies CallSchemas

export const undoChange = {
  summary: 'Takes the newest change back within an hour, with its money',
  request: z.strictObject({ ...on, settle }),
  response: made,
} satisfies CallSchemas

export const cancelPolicy = {
  summary: 'Cancels a sold policy once, or withdraws from it, with the refund; 409 if the refund changed',
  request: z.strictObject({
    ...on,
    as: z._default(ending, 'cancellation'),
    expectedRefund: amount,
    /** Required for a cancellation. A right of withdrawal needs no reason. */
    reason: z.optional(z.nullable(z.enum(['trip_cancelled', 'visa_refused', 'duplicate', 'price', 'error', 'other']))),
    acceptNoRefund: z.optional(z.nullable(z.boolean())),
    /** Requires the note, which is the reason. */
    goodwill,
    note,
  }),
  response: z.object({ ...ended, refund }),
} satisfies CallSchemas

export const reinstatePolicy = {
  summary: 'Puts a cancelled policy in force again at the price that it had; 409 if the charge changed',
  request: z.strictObject({ ...on, expectedCharge: amount, settle }),
  response: made,
} satisfies CallSchemas

const value = z.nullable(z.union([z.string(), z.number()]))

export const policyVersions = {
  summary: 'Lists the versions of a sold policy, the sale’s first, each with the step that led to it',
  request: z.strictObject({ policyUuid: z.uuid() }),
  response: z.array(
    z.object({
      version: z.int(),
      /** The version's number as documents show it. The sale is version 1. */
      number: z.int(),
      at: z.string(),
      who: z.string(),
      kind: z.enum(['sale', 'change', 'undo', 'cancellation', 'withdrawal', 'reinstatement']),
      basis: z.nullable(z.string()),
      reason: z.nullable(z.string()),
      note: z.nullable(z.string()),
      startDate: z.string(),
      endDate: z.string(),
      people: z.int(),
      total: z.number(),
      /** The facts of the version, so that each can be opened and compared with any other. */
      trip: z.object({
        countryOriginId: z.number(),
        countriesDestinationId: z.string(),
        insurancedAmount: z.nullable(z.number()),
        reservationDate: z.nullable(z.string()),
      }),
      /** The policyholder comes first. */
      users: z.array(person),
      premium: z.number(),
      taxes: z.array(z.object({ code: z.string(), label: z.string(), amount: z.number() })),
      /**
       * The fields that differ from the previous version, besides the price. A person's: `users[UUID].email`; a person who joins or leaves:
       * `users[UUID]`; another policyholder: `users[0]`.
       */
      fields: z.array(z.object({ path: z.string(), from: value, to: value })),
      difference: z.number(),
      kept: z.number(),
      /** Null for users who may not sell. */
      commission: z.nullable(z.number()),
      /** `replaced`: a certificate that is no longer valid. It is opened with a mark across it. */
      files: z.array(z.extend(policyFileNow, { replaced: z.boolean() })),
    }),
  ),
} satisfies CallSchemas
