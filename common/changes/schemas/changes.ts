import * as z from 'zod/mini'
import type { CallSchemas } from '#common/kit/call.ts'
import { afterSale, servicing } from '#common/products/tariff.ts'
import { field, knownFacts, user } from '#common/policies/schemas/person.ts'
import { possible } from '#common/policies/schemas/possible.ts'
import { date } from '#common/kit/schemas/parts.ts'
import { basis, countries } from '#common/quotes/schemas.ts'
import * as sent from './previews.ts'

const cents = z.int()
const millis = z.int()
const id = { policyUuid: z.uuid() }

/** The rules' own format (state.ts): integer cents, milliseconds, days as texts. */
export const person = z.object({ personUuid: z.uuid(), ...knownFacts })
const charged = z.object({
  premium: cents,
  travelPremium: cents,
  cancellationPremium: cents,
  taxes: z.array(z.object({ code: z.string(), label: z.string(), rate: z.number(), sharePercent: z.nullable(z.number()), amount: cents })),
  total: cents,
  commission: cents,
})
const version = {
  trip: z.object({
    startDate: z.string(),
    endDate: z.string(),
    origin: z.number(),
    destinations: z.array(z.number()),
    amountCents: z.optional(cents),
    reservationDate: z.optional(z.string()),
  }),
  people: z.array(person),
  charged,
  tariffPremium: cents,
  segments: z.array(z.object({ from: z.string(), to: z.string(), premium: cents, joined: z.int() })),
}
const state = z.object({
  ...version,
  edition: z.object({ basis, commissionPercent: z.number(), servicing, afterSale }),
  timeZone: z.string(),
  soldAt: millis,
  version: z.int(),
  number: z.optional(z.int()),
  status: z.enum(['purchased', 'cancelled']),
  ended: z.optional(
    z.object({
      kind: z.enum(['cancellation', 'withdrawal']),
      at: millis,
      former: z.object(version),
      refund: cents,
      unsent: cents,
      waived: z.optional(cents),
    }),
  ),
  holder: z.enum(['travels', 'stays', 'company']),
  reference: z.nullable(z.string()),
  locale: z.string(),
  payments: z.array(z.object({ paymentUuid: z.uuid(), gateway: z.string(), left: cents })),
  waived: z.optional(cents),
  channel: z.enum(['counter', 'distance']),
  askedToBegin: z.boolean(),
  termsGivenAt: z.optional(millis),
  claimed: z.boolean(),
  pending: z.boolean(),
  twin: z.boolean(),
})

export const changeTerms = {
  summary: 'Returns a sold policy as the rules of changes read it, and what may be done with it now',
  request: z.strictObject(id),
  response: z.object({
    policy: state,
    /** The rules' input besides the policy. The browser adds the names of countries and advances the time. */
    now: z.object({ at: millis, excludedCountries: z.array(z.number()), gateways: z.array(z.string()) }),
    gateways: z.array(z.object({ uuid: z.uuid(), name: z.string() })),
    currency: z.string(),
    ...possible,
  }),
} satisfies CallSchemas

/** The policyholder's kind never changes. */
const { identificationTypeId: _, ...userFields } = user.shape

export const changeAsked = z.strictObject({
  startDate: z.optional(date),
  endDate: z.optional(date),
  countryOriginId: z.optional(z.int().check(z.gte(1), z.lte(999))),
  countriesDestinationId: z.optional(countries),
  insurancedAmount: z.optional(z.number().check(z.gt(0), z.lte(1_000_000_000))),
  reservationDate: z.optional(date),
  /** All people, policyholder first; those already on the policy with their `personUuid`. */
  users: z.optional(
    z.array(z.strictObject({ personUuid: z.optional(z.nullable(z.uuid())), ...userFields })).check(z.minLength(1), z.maxLength(1000)),
  ),
  buReference: field(100),
  locale: z.optional(sent.locale),
})

export const previewChange = {
  summary: 'Says what a change of a sold policy costs or gives back, or why it is not possible',
  request: z.strictObject({ ...id, version: z.int().check(z.gte(1)), change: changeAsked }),
  response: sent.changePreview,
} satisfies CallSchemas

export const ending = z.enum(['cancellation', 'withdrawal'])

/** For `b2b-admin`: refunds this percentage of the premium, with its taxes, if that is more than the rules give. */
export const goodwill = z.optional(z.nullable(z.int().check(z.gte(1), z.lte(100))))

export const previewCancel = {
  summary: 'Says what cancelling a policy, or withdrawing from it, gives back, or why it is not possible',
  request: z.strictObject({ ...id, version: z.int().check(z.gte(1)), as: z._default(ending, 'cancellation'), goodwill }),
  response: sent.cancelPreview,
} satisfies CallSchemas

export const previewReinstate = {
  summary: 'Says what it costs to put a cancelled policy in force again, or why it is not possible',
  request: z.strictObject({ ...id, version: z.int().check(z.gte(1)) }),
  response: sent.reinstatePreview,
} satisfies CallSchemas

export const difference = z.object({ what: z.string(), was: z.string(), is: z.string() })

export const renewPolicy = {
  summary:
    'Saves the next term of an annual policy as a quote, with what differs from the present one; a later call returns the same quote',
  request: z.strictObject(id),
  response: z.object({
    policyUuid: z.uuid(),
    total: z.number(),
    currency: z.string(),
    priceValidUntil: z.string(),
    differences: z.array(difference),
  }),
} satisfies CallSchemas
