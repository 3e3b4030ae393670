import * as z from 'zod/mini'
import type { CallSchemas } from '#common/kit/call.ts'
import { locales } from '#common/kit/locales.ts'
import { text } from '#common/policies/schemas/person.ts'
import { lines } from '#common/kit/schemas/parts.ts'
import { brand, line, token } from './parts.ts'
import { longestWish } from './wish.ts'

const typed = z.string().check(
  z.maxLength(60),
  z.refine(value => !/[\p{Cc}\p{Cs}]/u.test(value)),
)

const way = z.enum(['card', 'agency', 'both', 'none'])

/** The receipt of a statement of withdrawal. */
const receipt = z.object({
  withdrawalUuid: z.uuid(),
  receivedAt: z.string(),
  /** A text to keep, the same as in the email. */
  receipt: z.object({ name: z.string(), text: z.string() }),
  /** Null if the policy has a claim, as the insurer then decides. `by`: the last day for the refund. */
  refund: z.nullable(z.object({ amount: z.number(), currency: z.string(), way, by: z.string() })),
  name: z.string(),
  confirmTo: z.string(),
})

export const clientPolicy = {
  summary: 'Shows a policy to its client, by the token of a link from a mail',
  perMinute: 60,
  request: z.strictObject({ token }),
  response: z.object({
    brand,
    insurer: z.string(),
    /** Where to send claims and complaints, and who supervises the insurer, if the catalogue states it. */
    insurerEmail: z.string(),
    supervisor: z.nullable(z.string()),
    locale: z.enum(locales),
    timeZone: z.string(),
    status: z.enum(['upcoming', 'running', 'ended', 'cancelled', 'withdrawn']),
    /** The day in the agency's time zone, by the service's clock. */
    today: z.string(),
    /** The days until the trip begins. */
    startsIn: z.int(),
    number: z.string(),
    version: z.int(),
    product: z.string(),
    startDate: z.string(),
    endDate: z.string(),
    /** Since when the cancellation is insured; `each` from each booking within the term. Null without that cover. */
    cancellationFrom: z.nullable(z.string()),
    destinations: z.array(z.string()),
    /** The zone of a policy that covers many trips, in the policy's language; null for a single trip. */
    zone: z.nullable(z.string()),
    holder: z.string(),
    people: z.array(z.string()),
    price: z.object({
      currency: z.string(),
      /** Null where only an offer is shown. */
      total: z.nullable(z.number()),
      lines: z.array(z.object({ ...line, amount: z.number() })),
    }),
    can: z.object({
      change_request: z.boolean(),
      /** The last day of the right, and today's refund; null if the policy has a claim. */
      withdraw: z.nullable(
        z.object({
          until: z.string(),
          refund: z.nullable(z.number()),
          basis: z.nullable(z.string()),
          right: z.string(),
          way,
          confirmTo: z.string(),
        }),
      ),
      /** `current`: those that hold now; the others are of earlier steps. An older node does not say so. */
      documents: z.array(z.object({ uuid: z.uuid(), name: z.string(), label: z.string(), current: z.optional(z.boolean()) })),
      /** The insurer's 24-hour telephone number. */
      emergency: z.string(),
    }),
    /** The offer of a change that this link may answer; POST /api/client/change returns it. `locale`: the language of the email. */
    offer: z.nullable(z.object({ locale: z.enum(locales) })),
    /** Present without a right of withdrawal: the reason, and what cancelling through the agency would refund today. */
    cancelling: z.nullable(z.object({ refund: z.number(), why: z.nullable(z.string()) })),
    /** True for a link that was sent to another address than the policyholder's. Only the policyholder may withdraw. */
    holderOnly: z.boolean(),
    /** True for the link of an offer that was sent to another address. It shows no names, places, documents or price, and has no other function. */
    offerOnly: z.boolean(),
    withdrawal: z.nullable(receipt),
    /** The amount refunded by bank transfer, as the card did not take it. Only the policyholder sees it. */
    transfers: z.array(z.object({ amount: z.number(), on: z.string() })),
  }),
} satisfies CallSchemas

const offer = { token, changeUuid: z.uuid() }
const wasIs = { was: z.nullable(z.string()), is: z.nullable(z.string()) }
const offerState = z.enum(['offered', 'awaiting_payment', 'done', 'declined', 'expired', 'taken_back'])

export const clientChange = {
  summary: 'Shows an offer of a change to the client: what changes, what it costs, and until when it can be paid',
  perMinute: 60,
  request: z.strictObject({ token }),
  response: z.object({
    changeUuid: z.uuid(),
    state: offerState,
    until: z.string(),
    currency: z.string(),
    charge: z.number(),
    /** Null once the offer is over. */
    changes: z.nullable(
      z.object({
        /** Days as YYYY-MM-DD, countries, names and amounts in words. No contact data. */
        facts: z.array(
          z.object({
            what: z.enum(['startDate', 'endDate', 'reservationDate', 'origin', 'destinations', 'insurancedAmount', 'holder', 'contact']),
            ...wasIs,
          }),
        ),
        people: z.array(z.object({ what: z.enum(['joins', 'leaves', 'corrected']), ...wasIs })),
        lines: z.array(z.object({ ...line, was: z.number(), is: z.number() })),
        total: z.object({ was: z.number(), is: z.number() }),
        /** The additional cancellation cover begins then, if the offer is paid now. */
        waitUntil: z.nullable(z.string()),
      }),
    ),
  }),
} satisfies CallSchemas

export const clientChangePay = {
  summary: 'Begins to pay an offer by card; with the secret of the payment, makes the change once it is paid. Repeated calls pay once',
  perMinute: 20,
  request: z.strictObject({ ...offer, paymentIntentClientSecret: z.optional(z.nullable(text(255))) }),
  response: z.object({
    state: z.enum(['awaiting_payment', 'done']),
    /** The secret with which the browser pays by card; null once the offer is paid. */
    clientSecret: z.nullable(z.string()),
    publishableKey: z.nullable(z.string()),
  }),
} satisfies CallSchemas

export const clientChangeDecline = {
  summary: 'Declines an offer of a change. If it was paid meanwhile, it is made',
  perMinute: 20,
  request: z.strictObject(offer),
  response: z.object({ state: z.enum(['declined', 'done']) }),
} satisfies CallSchemas

export const clientFile = {
  summary: 'Sends a document of the policy, by the token of its link',
  perMinute: 60,
  request: z.strictObject({ token, fileUuid: z.uuid() }),
  response: z.unknown(),
} satisfies CallSchemas

export const clientWithdraw = {
  summary: 'Withdraws from the contract: receives the statement, confirms it by mail, and then gives back what is due. Once a policy',
  perMinute: 20,
  request: z.strictObject({ token, name: text(200), confirmTo: text(320), version: z.int().check(z.gte(1)) }),
  response: receipt,
} satisfies CallSchemas

export const clientRequest = {
  summary: 'Asks the agency’s support for a change of the policy',
  perMinute: 10,
  request: z.strictObject({ token, description: lines(longestWish) }),
  response: z.object({ ticketUuid: z.uuid(), reference: z.string() }),
} satisfies CallSchemas

export const clientFind = {
  summary: 'Mails the link of a policy to the policyholder’s known address; the response is always the same',
  perMinute: 20,
  request: z.strictObject({ number: typed, docNumber: typed, birthDate: typed }),
  response: z.object({ sent: z.literal(true) }),
} satisfies CallSchemas
