import * as z from 'zod/mini'
import { call } from '#common/kit/call.ts'
import { locales } from '#common/kit/locales.ts'
import { insuranceType, tripFields } from '#common/quotes/calls.ts'
import { policyStatuses } from './states.ts'

/** What a database cannot hold, or a screen would be misled by, is no text. */
const text = (most: number) =>
  z.string().check(
    z.maxLength(most),
    z.refine(value => !/[\p{Cc}\p{Cs}]/u.test(value)),
  )
const field = (most = 254) => z.optional(z.nullable(text(most)))
const amount = z.number().check(z.gte(0), z.lte(1_000_000_000))

/** spec 7: a user of `users`. */
const user = z.strictObject({
  name: field(),
  middleName: field(),
  lastName: field(),
  birthDate: field(10),
  email: field(),
  phonePrefix: field(),
  phoneNumber: field(),
  zipCode: field(),
  address: field(),
  state: field(),
  city: field(),
  docNumber: field(),
  companyName: field(),
  identificationTypeId: z.optional(z.nullable(z.number())),
})

const status = z.enum(policyStatuses)

export const registerPolicy = call({
  method: 'POST',
  path: '/api/policy/register',
  summary: 'Register a sale to be paid, or with saveBudget keep it as a budget; priced again, never sold at a price that was not shown',
  needs: 'b2b-products-sell',
  idempotent: true,
  ask: z.strictObject({
    productUUID: z.uuid(),
    saveBudget: z.optional(z.boolean()),
    users: z.array(user).check(z.maxLength(1000)),
    ...tripFields,
    reservationDate: z.optional(z.nullable(tripFields.startDate)),
    insurancedAmount: z.optional(z.nullable(z.number())),
    buReference: field(100),
    paymentGatewayUUID: z.optional(z.nullable(z.uuid())),
    insuranceType: z.optional(z.nullable(insuranceType)),
    roleFirstUser: z.number(),
    policyUuid: z.optional(z.nullable(z.uuid())),
    expectedTotal: z.optional(z.nullable(amount)),
    locale: z.optional(z.nullable(z.enum(locales))),
  }),
  answer: z.object({
    purchaseUUID: z.uuid(),
    policyUuid: z.uuid(),
    clientSecret: z.nullable(z.string()),
    publishableKey: z.nullable(z.string()),
    status,
    total: z.number(),
    currency: z.string(),
  }),
})

/** A file of a policy: its words in the policy's language. */
export const policyFile = z.object({ uuid: z.uuid(), name: z.string(), label: z.string(), file: z.string() })

export const policyData = z.object({
  policyUuid: z.uuid(),
  policyNumber: z.string(),
  status,
  productName: z.string(),
  policyTaker: z.string(),
  startDate: z.string(),
  endDate: z.string(),
  total: z.number(),
  currency: z.string(),
  createdAt: z.string(),
})

export const purchasePolicy = call({
  method: 'POST',
  path: '/api/policy/purchase',
  summary: 'Turn a registered sale into a policy, once: on the agency’s account, or when the card network says that it was paid',
  needs: 'b2b-products-sell',
  idempotent: true,
  ask: z.strictObject({
    purchaseUUID: z.optional(z.nullable(z.uuid())),
    paymentGatewayUUID: z.uuid(),
    /** The purchaseUUID, or the payment intent's id: what the browser was given back. It adds nothing to the client secret. */
    paymentToken: z.optional(z.nullable(text(255))),
    paymentIntentClientSecret: z.optional(z.nullable(text(255))),
  }),
  answer: z.object({ files: z.array(policyFile), policyData }),
})

export const deletePolicy = call({
  method: 'DELETE',
  path: '/api/policy',
  summary: 'Delete a budget; what was sold stays',
  needs: 'b2b-products-sell',
  ask: z.strictObject({ policyUuid: z.uuid() }),
  answer: z.object({ deleted: z.literal(true) }),
})
