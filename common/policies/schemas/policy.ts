import * as z from 'zod/mini'
import type { CallSchemas } from '#common/kit/call.ts'
import { isDate } from '#common/kit/dates.ts'
import { locales } from '#common/kit/locales.ts'
import { date, insuranceType, tripFields } from '#common/quotes/schemas.ts'
import { sortKeys } from '../search.ts'
import { policyStatuses } from '../states.ts'

/** What a database cannot hold, or a screen would be misled by, is no text. */
export const text = (most: number) =>
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
  /** A budget may lack it. */
  birthDate: z.optional(z.nullable(z.union([z.literal(''), date]))),
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

/** What the client was told and given before he bought: the sentence of his demands and needs, and the product's documents by their uuids. */
const shown = z.strictObject({ demandsAndNeeds: text(2000), files: z.array(z.uuid()).check(z.minLength(1), z.maxLength(10)) })

const status = z.enum(policyStatuses)

export const registerPolicy = {
  summary: 'Register a sale to be paid, or with saveBudget keep it as a budget; priced again, never sold at a price that was not shown',
  ask: z.strictObject({
    productUUID: z.uuid(),
    saveBudget: z.optional(z.boolean()),
    users: z.array(user).check(z.maxLength(1000)),
    ...tripFields,
    reservationDate: z.optional(z.nullable(tripFields.startDate)),
    insurancedAmount: z.optional(z.nullable(amount)),
    buReference: field(100),
    paymentGatewayUUID: z.optional(z.nullable(z.uuid())),
    insuranceType: z.optional(z.nullable(insuranceType)),
    roleFirstUser: z.number(),
    policyUuid: z.optional(z.nullable(z.uuid())),
    expectedTotal: z.optional(z.nullable(amount)),
    locale: z.optional(z.nullable(z.enum(locales))),
    shown: z.optional(z.nullable(shown)),
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
} satisfies CallSchemas

/** A file of a policy: its words in the policy's language. One that is not made yet is made when somebody asks for it. */
const policyFile = z.object({ uuid: z.uuid(), name: z.string(), label: z.string(), file: z.string() })

/** Only the detail says how far a file is: a purchase has the same reply whenever it is asked for again. */
const policyFileNow = z.extend(policyFile, { state: z.enum(['pending', 'ready', 'failed']) })

const policyData = z.object({
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

export const purchasePolicy = {
  summary: 'Turn a registered sale into a policy, once: on the agency’s account, or when the card network says that it was paid',
  ask: z.strictObject({
    purchaseUUID: z.optional(z.nullable(z.uuid())),
    paymentGatewayUUID: z.uuid(),
    /** The purchaseUUID, or the payment intent's id: what the browser was given back. It adds nothing to the client secret. */
    paymentToken: z.optional(z.nullable(text(255))),
    paymentIntentClientSecret: z.optional(z.nullable(text(255))),
  }),
  answer: z.object({ files: z.array(policyFile), policyData }),
} satisfies CallSchemas

export const deletePolicy = {
  summary: 'Delete a budget; what was sold stays',
  ask: z.strictObject({ policyUuid: z.uuid() }),
  answer: z.object({ deleted: z.literal(true) }),
} satisfies CallSchemas

export const restorePolicy = {
  summary: 'Take back the deletion of a budget, within the hour',
  ask: z.strictObject({ policyUuid: z.uuid() }),
  answer: z.object({ restored: z.literal(true) }),
} satisfies CallSchemas

/** spec 3, policy list row; its field names are also what a list is sorted by. */
export const policyRow = z.object({
  policyUuid: z.uuid(),
  policyNumber: z.string(),
  productUuid: z.uuid(),
  productName: z.string(),
  policyTaker: z.string(),
  username: z.string(),
  startDate: z.string(),
  endDate: z.string(),
  createdAt: z.string(),
  status,
  buReference: z.string(),
  total: z.number(),
  currency: z.string(),
})

const day = z.string().check(z.refine(isDate))

export const listPolicies = {
  summary: 'The unit’s policies of one status, found, sorted and paged; with export true the workbook of all that match',
  ask: z.strictObject({
    statusTypeUuid: z.optional(z.nullable(z.uuid())),
    page: z._default(z.int().check(z.gte(1), z.lte(1_000_000)), 1),
    perPage: z._default(z.int().check(z.gte(1), z.lte(100)), 10),
    export: z.optional(z.nullable(z.boolean())),
    searchData: field(200),
    sortCriteria: z.optional(
      z.nullable(z.array(z.strictObject({ key: z.enum(sortKeys), order: z.enum(['asc', 'desc']) })).check(z.maxLength(4))),
    ),
    dateFrom: z.optional(z.nullable(day)),
    dateTo: z.optional(z.nullable(day)),
    /** Of these alone: what was selected in a list, to be exported. */
    policyUuids: z.optional(z.nullable(z.array(z.uuid()).check(z.maxLength(500)))),
  }),
  answer: z.object({
    totalPages: z.number(),
    total: z.number(),
    page: z.number(),
    perPage: z.number(),
    policies: z.array(policyRow),
  }),
} satisfies CallSchemas

/** Somebody as he is kept. */
export const storedUser = z.object({
  holder: z.boolean(),
  traveller: z.boolean(),
  name: z.string(),
  middleName: z.string(),
  lastName: z.string(),
  companyName: z.string(),
  birthDate: z.nullable(z.string()),
  docNumber: z.string(),
  identificationTypeId: z.number(),
  email: z.string(),
  phonePrefix: z.string(),
  phoneNumber: z.string(),
  address: z.string(),
  city: z.string(),
  state: z.string(),
  zipCode: z.string(),
  premium: z.nullable(z.number()),
})

export const policyDetail = {
  summary: 'One policy, whole: its trip, people, price, payments, files, mails and history',
  ask: z.strictObject({ policyUuid: z.uuid() }),
  answer: z.object({
    policy: policyRow,
    locale: z.string(),
    complete: z.boolean(),
    priceValidUntil: z.string(),
    purchasedAt: z.nullable(z.string()),
    /** As it was asked for: what a sale is resumed or copied from. */
    trip: z.looseObject({}),
    roleFirstUser: z.number(),
    users: z.array(storedUser),
    price: z.object({
      total: z.number(),
      currency: z.string(),
      /** Ages that are not known yet may change it. */
      provisional: z.boolean(),
      lines: z.array(
        z.object({
          kind: z.string(),
          code: z.nullable(z.string()),
          /** What a tax is called where it is owed. */
          label: z.nullable(z.string()),
          rate: z.nullable(z.number()),
          amount: z.number(),
        }),
      ),
    }),
    payments: z.array(
      z.object({
        uuid: z.uuid(),
        gateway: z.string(),
        state: z.string(),
        amount: z.number(),
        refunded: z.number(),
        currency: z.string(),
        at: z.string(),
      }),
    ),
    files: z.array(policyFileNow),
    /** Nothing where the sale came from a program that does not say. */
    shown: z.nullable(z.extend(shown, { at: z.string() })),
    mails: z.array(
      z.object({ uuid: z.uuid(), at: z.string(), to: z.string(), subject: z.string(), state: z.string(), reason: z.nullable(z.string()) }),
    ),
    history: z.array(z.object({ at: z.string(), who: z.string(), what: z.string() })),
  }),
} satisfies CallSchemas

export const sendCertificates = {
  summary: 'E-mail the documents of a policy, or the offer of a budget, to one to ten addresses',
  ask: z.strictObject({
    policyUuid: z.uuid(),
    emails: z.array(text(254)).check(z.minLength(1), z.maxLength(10)),
    files: z._default(z.array(z.uuid()).check(z.maxLength(50)), []),
  }),
  answer: z.object({ queued: z.number() }),
} satisfies CallSchemas
