import * as z from 'zod/mini'
import { bookedWays, longestReference } from '#common/accounting/book.ts'
import type { CallSchemas } from '#common/kit/call.ts'
import { pages, paging, reason, unitName } from './parts.ts'
import { date as day } from '#common/kit/schemas/parts.ts'

/** Made by the client for each booking, so that a repeated request books nothing more. */
const requestUuid = z.uuid()

/** An amount above zero with at most two decimals. The handler checks it, so that the field gets its own message. */
const amount = z.number()

const account = z.object({
  businessUnit: unitName,
  currency: z.string(),
  netted: z.boolean(),
  /** The open balances: the agency's debt, and its unpaid commission. */
  account: z.number(),
  commission: z.number(),
  /** Null without a limit. */
  limit: z.nullable(z.number()),
  headroom: z.nullable(z.number()),
  liftedUntil: z.nullable(z.string()),
  overdueSince: z.nullable(z.string()),
  /** True if the insurer’s bordereau contains the names of insured people, not only pseudonyms. */
  namesInBordereau: z.boolean(),
  lastStatement: z.nullable(
    z.object({
      number: z.string(),
      dueOn: z.string(),
      due: z.number(),
      /** The amounts still to be paid. Positive: by the agency. */
      open: z.object({ account: z.number(), commission: z.number() }),
    }),
  ),
  /** The statements with an open part, in the order in which a payment settles them, each with that part. */
  openStatements: z.array(z.object({ number: z.string(), dueOn: z.string(), open: z.number() })),
  /** The earliest month that is over and not closed, for example after an outage. */
  openMonth: z.nullable(z.string()),
})

export const listAccounts = {
  summary: 'Lists the agencies’ accounts: balances, credit limits, and what is overdue',
  request: z.strictObject({ ...paging, businessUnitUuid: z.optional(z.uuid()) }),
  response: z.object({ ...pages, accounts: z.array(account) }),
} satisfies CallSchemas

export const changeAccountTerms = {
  summary: 'Sets or ends an agency’s credit limit, lifts it until the end of a day, and says if its commission is netted',
  request: z.strictObject({
    businessUnitUuid: z.uuid(),
    limit: z.nullable(amount),
    liftedUntil: z.optional(z.nullable(day)),
    netted: z.boolean(),
    /** If missing, the setting stays unchanged. */
    namesInBordereau: z.optional(z.boolean()),
    reason,
  }),
  response: account,
} satisfies CallSchemas

export const bookAccountPayment = {
  summary: 'Books a payment of an agency, or one to it, with its day and reference',
  request: z.strictObject({
    requestUuid,
    businessUnitUuid: z.uuid(),
    way: z.enum(['received', 'paid']),
    amount,
    on: day,
    reference: z.string().check(z.trim(), z.minLength(1), z.maxLength(longestReference)),
    /** Unless true, a payment like one of the last days is refused (`account.booked_before`). */
    again: z.optional(z.boolean()),
    /** Unless true, a payment above the open amount is refused (`account.beyond_balance`). */
    beyond: z.optional(z.boolean()),
  }),
  response: account,
} satisfies CallSchemas

export const writeOffAccount = {
  summary: 'Writes off an amount that an agency owes, for a reason',
  request: z.strictObject({ requestUuid, businessUnitUuid: z.uuid(), amount, reason }),
  response: account,
} satisfies CallSchemas

export const listAccountBookings = {
  summary: 'Lists the payments and write-offs that were booked on an agency’s account, by hand or from a bank’s file; the newest first',
  request: z.strictObject({ ...paging, businessUnitUuid: z.uuid() }),
  response: z.object({
    ...pages,
    bookings: z.array(
      z.object({
        uuid: z.uuid(),
        at: z.string(),
        way: z.enum(bookedWays),
        /** Negative if it reverses an earlier booking. */
        amount: z.number(),
        currency: z.string(),
        on: z.string(),
        reference: z.string(),
        /** The reason for a write-off or a reversal. */
        reason: z.nullable(z.string()),
        fromFile: z.boolean(),
        /** True if the bank reversed an earlier payment. */
        takenBack: z.boolean(),
        by: z.nullable(z.string()),
        /** The booking that it reverses, and the one that reverses it. */
        reverses: z.nullable(z.uuid()),
        reversedBy: z.nullable(z.uuid()),
      }),
    ),
  }),
} satisfies CallSchemas

export const reverseAccountBooking = {
  summary: 'Takes a payment or a write-off back by another booking with its reference, once, for a reason',
  request: z.strictObject({ requestUuid, businessUnitUuid: z.uuid(), bookingUuid: z.uuid(), reason }),
  response: account,
} satisfies CallSchemas

export const closeAccountMonth = {
  summary: 'Closes an agency’s month that is over and not closed, as after an outage',
  request: z.strictObject({ businessUnitUuid: z.uuid(), month: z.string().check(z.regex(/^2[01]\d\d-(?:0[1-9]|1[0-2])$/)) }),
  response: account,
} satisfies CallSchemas
