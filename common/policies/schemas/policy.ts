import * as z from 'zod/mini'
import { names } from '#common/kit/schemas/names.ts'
import { type CallSchemas, largestPage } from '#common/kit/call.ts'
import { isDate } from '#common/kit/dates.ts'
import { fileMegabytes } from '#common/kit/files.ts'
import { locales } from '#common/kit/locales.ts'
import { nothing, uploadedFile } from '#common/kit/schemas/parts.ts'
import { ages, basis, insuranceType, tripFields } from '#common/quotes/schemas.ts'
import { declineReasons } from '../quote-link.ts'
import { sortKeys } from '../search.ts'
import { policyStatuses } from '../states.ts'
import { possible, soldState } from './possible.ts'
import { field, storedUser, text, user } from './person.ts'
import { sharedQuotes } from './quote-link.ts'

const amount = z.number().check(z.gte(0), z.lte(1_000_000_000))

/** The information given before the sale: the client's demands and needs, and the ids of the product documents. */
const shown = z.strictObject({ demandsAndNeeds: text(2000), files: z.array(z.uuid()).check(z.minLength(1), z.maxLength(10)) })

const status = z.enum(policyStatuses)

export const uploadPolicyFile = {
  summary: 'Uploads a document of the policyholder before its sale; it is deleted after two days without one',
  files: { most: 1, megabytes: fileMegabytes },
  request: nothing,
  response: uploadedFile,
} satisfies CallSchemas

export const dropPolicyFile = {
  summary: 'Deletes an uploaded document that belongs to no policy or saved quote yet',
  request: z.strictObject({ fileUuid: z.uuid() }),
  response: z.object({ deleted: z.boolean() }),
} satisfies CallSchemas

export const registerPolicy = {
  summary: 'Registers a sale for payment, or with saveBudget saves a quote; 409 if the price or the saved quote changed',
  request: z.strictObject({
    productUUID: z.uuid(),
    saveBudget: z.optional(z.boolean()),
    users: z.array(user).check(z.maxLength(1000)),
    ...tripFields,
    reservationDate: z.optional(z.nullable(tripFields.startDate)),
    insurancedAmount: z.optional(z.nullable(amount)),
    /** The ages of a saved quote without birth dates. A sale has birth dates. */
    ages,
    buReference: field(100),
    /** A document that the policyholder provided, uploaded earlier. A quote that is replaced keeps it only if it is sent again. */
    uploadFile: z.optional(z.nullable(z.uuid())),
    paymentGatewayUUID: z.optional(z.nullable(z.uuid())),
    insuranceType,
    roleFirstUser: z.number(),
    policyUuid: z.optional(z.nullable(z.uuid())),
    /** The version of the saved quote that the caller has read. A quote that was saved again meanwhile is not replaced. */
    version: z.optional(z.nullable(z.int().check(z.gte(1)))),
    expectedTotal: z.optional(z.nullable(amount)),
    locale: z.optional(z.nullable(z.enum(locales))),
    shown: z.optional(z.nullable(shown)),
    /** The place where the contract is made, which decides the right of withdrawal. The default is the counter. */
    channel: z.optional(z.nullable(z.enum(['counter', 'distance']))),
    /** True if the client of a distance sale asked that cover begin at once. A sale at the counter implies it. */
    askedToBegin: z.optional(z.nullable(z.boolean())),
    /** The time at which the client received the terms, not in the future. By default, a distance sale counts from the email with the terms. */
    termsGivenAt: z.optional(z.nullable(z.iso.datetime({ offset: true }))),
  }),
  response: z.object({
    purchaseUUID: z.uuid(),
    policyUuid: z.uuid(),
    version: z.int(),
    clientSecret: z.nullable(z.string()),
    publishableKey: z.nullable(z.string()),
    status,
    total: z.number(),
    currency: z.string(),
  }),
} satisfies CallSchemas

/** A file of a policy's version, in the policy's language. A missing file is generated on request. */
const policyFile = z
  .object({ uuid: z.uuid(), name: z.string(), label: z.string(), file: z.string(), version: z.int() })
  .register(names, { id: 'PolicyFile' })

/** Only the policy's detail has the state of a file: a repeated purchase must return the same response. */
export const policyFileNow = z
  .extend(policyFile, { state: z.enum(['pending', 'ready', 'failed']) })
  .register(names, { id: 'PolicyFileNow' })

const policyData = z
  .object({
    policyUuid: z.uuid(),
    policyNumber: z.string(),
    status,
    productName: z.string(),
    policyTaker: z.string(),
    startDate: z.string(),
    endDate: z.string(),
    total: z.number(),
    commission: z.nullable(z.number()),
    currency: z.string(),
    createdAt: z.string(),
  })
  .register(names, { id: 'SoldPolicy' })

export const purchasePolicy = {
  summary: 'Turns a registered sale into a policy, once: on the agency’s account, or after the card payment',
  request: z.strictObject({
    purchaseUUID: z.optional(z.nullable(z.uuid())),
    paymentGatewayUUID: z.uuid(),
    /** The purchaseUUID, or the payment intent's id as the browser received it. It reveals nothing beyond the client secret. */
    paymentToken: z.optional(z.nullable(text(255))),
    paymentIntentClientSecret: z.optional(z.nullable(text(255))),
  }),
  response: z.object({ files: z.array(policyFile), policyData }),
} satisfies CallSchemas

export const deletePolicy = {
  summary: 'Deletes a saved quote or a pending registration; sold policies cannot be deleted',
  request: z.strictObject({ policyUuid: z.uuid() }),
  response: z.object({ deleted: z.literal(true) }),
} satisfies CallSchemas

export const restorePolicy = {
  summary: 'Undoes the deletion of a saved quote within one hour',
  request: z.strictObject({ policyUuid: z.uuid() }),
  response: z.object({ restored: z.literal(true) }),
} satisfies CallSchemas

/** A row of the policy list (spec 3). Its field names, except `currency` and `withdrawn`, are also the sort keys. */
export const policyRow = z
  .object({
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
    /** True if the client withdrew, so that the policy cannot be reinstated. */
    withdrawn: z.boolean(),
    buReference: z.string(),
    total: z.number(),
    /** The agency's commission, null for users who may not sell. */
    commission: z.nullable(z.number()),
    currency: z.string(),
    /** The time until which a saved quote keeps its price. Null once it is sold. */
    priceValidUntil: z.nullable(z.string()),
  })
  .register(names, { id: 'Policy' })

const day = z.string().check(z.refine(isDate))

/** The filters of a list, also used for its totals. */
const listFilter = {
  statusTypeUuid: z.optional(z.nullable(z.uuid())),
  /** Filters for one status of that type, such as the unpaid registrations among the saved quotes. */
  status: z.optional(z.nullable(status)),
  searchData: field(200),
  dateFrom: z.optional(z.nullable(day)),
  dateTo: z.optional(z.nullable(day)),
  returnFrom: z.optional(z.nullable(day)),
  returnTo: z.optional(z.nullable(day)),
  sellerUuid: z.optional(z.nullable(z.uuid())),
  productUuid: z.optional(z.nullable(z.uuid())),
}

/**
 * The sums and the number of all matches. Of saved quotes only those count whose trip has not begun, as no other can still be sold. The agency's
 * commission is null for users who may not sell.
 */
const sums = z.object({ policies: z.number(), total: z.number(), commission: z.nullable(z.number()) })

export const listPolicies = {
  summary: 'Lists the unit’s policies of one status by search, sort and page; with export true, as a workbook',
  request: z.strictObject({
    ...listFilter,
    page: z._default(z.int().check(z.gte(1), z.lte(largestPage)), 1),
    perPage: z._default(z.int().check(z.gte(1), z.lte(100)), 10),
    export: z.optional(z.nullable(z.boolean())),
    sortCriteria: z.optional(
      z.nullable(z.array(z.strictObject({ key: z.enum(sortKeys), order: z.enum(['asc', 'desc']) })).check(z.maxLength(4))),
    ),
    /** Exports only these policies: the selected rows of a list. */
    policyUuids: z.optional(z.nullable(z.array(z.uuid()).check(z.maxLength(500)))),
  }),
  response: z.object({
    totalPages: z.number(),
    total: z.number(),
    /** False only while many matches are first counted. Until then `total` and `totalPages` are lower limits. */
    totalIsExact: z.boolean(),
    page: z.number(),
    perPage: z.number(),
    policies: z.array(policyRow),
    /** Null if adding up would delay the rows. /api/policy/totals returns the sums then. */
    sums: z.nullable(sums),
  }),
} satisfies CallSchemas

export const policyTotals = {
  summary: 'Counts all policies that a list finds, and adds up their prices and commissions',
  request: z.strictObject(listFilter),
  response: z.object({ ...sums.shape, matches: z.number() }),
} satisfies CallSchemas

export const nearPolicies = {
  summary: 'Returns the newest five policies with a word similar to this one, for a search that found nothing. Large agencies get none',
  request: z.strictObject({ searchData: field(200) }),
  response: z.object({ policies: z.array(policyRow) }),
} satisfies CallSchemas

export const policyDetail = {
  summary: 'Returns a policy with its trip, people, price, payments, files, emails and history, and what may be done with it now',
  request: z.strictObject({
    policyUuid: z.uuid(),
    /** Returns the policy as it was in this version. Payments, emails and history are those of all versions. */
    version: z.optional(z.nullable(z.int().check(z.gte(1)))),
  }),
  response: z.object({
    policy: policyRow,
    /** The version that is returned. */
    version: z.int(),
    /** The policy whose next term this is, and the quote or policy of its own next term. */
    renews: z.nullable(z.uuid()),
    renewedBy: z.nullable(z.uuid()),
    /** The link by which the client answered a saved quote, or began to pay it, else the newest; null without one. */
    link: z.nullable(
      z.object({
        sentAt: z.string(),
        openedAt: z.nullable(z.string()),
        completedAt: z.nullable(z.string()),
        decision: z.nullable(z.enum(['bought', 'accepted', 'declined'])),
        reason: z.nullable(z.enum(declineReasons)),
        decidedAt: z.nullable(z.string()),
        proofSha256: z.nullable(z.string()),
        /** The file that proves the answer, until it leaves with the people of the quote. */
        proofUuid: z.nullable(z.uuid()),
        revokedAt: z.nullable(z.string()),
        /** True if this or another link of the quote can still be answered. */
        open: z.boolean(),
      }),
    ),
    /** Empty for a policy that was not sold. The actions are those of users who may change policies. */
    ...possible,
    ...soldState,
    locale: z.string(),
    complete: z.boolean(),
    priceValidUntil: z.string(),
    purchasedAt: z.nullable(z.string()),
    /** The original request, from which a sale is resumed or copied. */
    trip: z.looseObject({}),
    roleFirstUser: z.number(),
    users: z.array(storedUser),
    price: z.object({
      total: z.number(),
      currency: z.string(),
      /** True if the price may change because ages are unknown. */
      provisional: z.boolean(),
      lines: z.array(
        z.object({
          kind: z.string(),
          code: z.nullable(z.string()),
          /** The name of the tax in the country that levies it. */
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
        /** Amounts that the card network refused, and the insurer sent by bank transfer. */
        transfers: z.array(z.object({ amount: z.number(), at: z.string(), reference: z.string() })),
        currency: z.string(),
        at: z.string(),
      }),
    ),
    /** `current`: certificate, product documents and those of the last step. The others are of earlier steps. */
    files: z.array(z.extend(policyFileNow, { current: z.boolean() })),
    /** The document that the policyholder provided, which is downloaded like the others. */
    uploadFile: z.nullable(uploadedFile),
    /**
     * The terms by which a saved quote keeps its price, if the catalogue has changed since. They are its rating figures, and the ids of the product's
     * documents for `shown`. Only for those who may sell.
     */
    terms: z.nullable(z.object({ basis, files: z.array(z.uuid()) })),
    /** Null if the selling program did not send it, until a change states the demands and needs. */
    shown: z.nullable(z.object({ demandsAndNeeds: z.string(), files: z.array(z.uuid()), at: z.string(), byChange: z.boolean() })),
    /** The address to which a sale's documents are sent; null if the policyholder has none that accepts email. */
    mailTo: z.nullable(z.string()),
    /** The newest address to which a saved quote was mailed. */
    quotedTo: z.nullable(z.string()),
    mails: z.array(
      z.object({
        uuid: z.uuid(),
        at: z.string(),
        to: z.string(),
        subject: z.string(),
        state: z.string(),
        reason: z.nullable(z.string()),
        /** The names of the attached files. */
        files: z.array(z.string()),
      }),
    ),
    history: z.array(z.object({ at: z.string(), who: z.string(), what: z.string() })),
  }),
} satisfies CallSchemas

export const sendCertificates = {
  summary: 'Emails the documents of a policy, or a saved quote, to one to ten addresses: the current ones if none is named',
  request: z.strictObject({
    policyUuid: z.uuid(),
    emails: z.array(text(254)).check(z.minLength(1), z.maxLength(10)),
    files: z._default(z.array(z.uuid()).check(z.maxLength(50)), []),
    /** Only with a saved quote. */
    ...sharedQuotes,
  }),
  response: z.object({ queued: z.number() }),
} satisfies CallSchemas

const typed = z.string().check(
  z.maxLength(60),
  z.refine(value => !/[\p{Cc}\p{Cs}]/u.test(value)),
)

/**
 * The response names neither the insured persons nor the cover. The agency distinguishes policies with the same number: before migration 0036, each
 * agency numbered its own.
 */
export const verifyPolicy = {
  summary: 'Checks if a document’s number and check code belong to a policy, and if document and policy are valid today',
  perMinute: 20,
  request: z.strictObject({ number: typed, code: typed }),
  response: z.object({
    number: z.string(),
    agency: z.string(),
    validity: z.enum(['valid', 'upcoming', 'ended', 'cancelled', 'replaced', 'unknown']),
    /** The version that replaces the one shown, as certificates number it, and the day of that change; null for other responses. */
    holds: z.nullable(z.object({ version: z.int(), since: z.string() })),
  }),
} satisfies CallSchemas
