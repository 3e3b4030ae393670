import * as z from 'zod/mini'
import { type CallSchemas, largestPage } from '#common/kit/call.ts'
import { deedKinds, longestQuestion, settledWays, ways } from './deeds.ts'
import { dateInReach as day, lines, monthInReach as month } from '#common/kit/schemas/parts.ts'
import { statementFormats } from './statement.ts'

const kind = z.enum(deedKinds)
const way = z.enum(ways)
const currency = z.optional(z.nullable(z.string().check(z.regex(/^[A-Z]{3}$/))))

const paging = {
  page: z._default(z.int().check(z.gte(1), z.lte(largestPage)), 1),
  perPage: z._default(z.int().check(z.gte(1), z.lte(100)), 10),
}
const pages = { totalPages: z.number(), total: z.number(), page: z.number(), perPage: z.number() }

/** The number of deeds, their prices, the part on the agency's account, and the agency's commission. */
const sums = { deeds: z.number(), gross: z.number(), account: z.number(), earned: z.number() }

/** A deed in a list. */
const deed = {
  uuid: z.uuid(),
  at: z.string(),
  policyUuid: z.uuid(),
  policyNumber: z.string(),
  productUuid: z.uuid(),
  /** In the language of the sale. */
  productName: z.string(),
  sellerName: z.string(),
  kind,
  way,
  gross: z.number(),
  account: z.number(),
  commission: z.number(),
}

/** A deed of the same policy, and the statement that it is on. */
const pair = z.object({ uuid: z.uuid(), at: z.string(), kind, commission: z.number(), statement: z.nullable(z.string()) })

/** A deed in a list, with what an accountant asks of it. */
const explainedDeed = {
  ...deed,
  /** The reason, in the words of the desk; null for a sale. `basis`: the right or rule that money goes back by. `byClient`: without the agency. */
  why: z.nullable(z.object({ basis: z.nullable(z.string()), reason: z.nullable(z.string()), byClient: z.boolean() })),
  /** The deeds whose commission it took back, the oldest first, and those that took back its own. */
  takesBack: z.array(pair),
  takenBackBy: z.array(pair),
}

export const accountingEntries = {
  summary: 'Lists what earned a commission, or took one back, between two days, the newest first',
  request: z.strictObject({
    from: day,
    to: day,
    currency,
    policyUuid: z.optional(z.nullable(z.uuid())),
    productUuid: z.optional(z.nullable(z.uuid())),
    sellerUuid: z.optional(z.nullable(z.uuid())),
    way: z.optional(z.nullable(way)),
    ...paging,
  }),
  response: z.object({
    ...pages,
    currency: z.string(),
    sums: z.object(sums),
    entries: z.array(
      z.object({
        ...explainedDeed,
        state: z.enum(['open', 'on_statement', 'paid']),
        statement: z.nullable(z.string()),
      }),
    ),
  }),
} satisfies CallSchemas

const earned = z.object({ uuid: z.optional(z.uuid()), name: z.string(), ...sums })

/** The part of the commission that is the agent's, for information; null without a share. The percentage is null if it differs between the months. */
const share = z.nullable(z.object({ percent: z.nullable(z.number()), amount: z.number() }))

export const accountingEarnings = {
  summary: 'Returns the agency’s earnings from one month to another, by month, product, agent and way of payment',
  request: z.strictObject({
    from: month,
    to: month,
    currency,
    /** All products and agents, not only those with the most: for a file. */
    whole: z._default(z.boolean(), false),
  }),
  response: z.object({
    currency: z.string(),
    total: z.object(sums),
    /** `name` is YYYY-MM; the oldest first, including months without deeds. */
    months: z.array(earned),
    /** The highest commission first; at most fifty of each unless `whole`. */
    products: z.array(earned),
    sellers: z.array(z.object({ ...earned.shape, share })),
    /** `name` is the way. */
    ways: z.array(earned),
  }),
} satisfies CallSchemas

const rates = {
  /** Saved or registered in the month, whatever became of them. */
  quotes: z.number(),
  /** Sold since, in whatever month. */
  sold: z.number(),
  /** Paid by clients, and given back to them by changes, cancellations and withdrawals. The difference is `gross` of the earnings. */
  charged: z.number(),
  refunded: z.number(),
  /** Parts of one, with four decimals; null of nothing. */
  conversion: z.nullable(z.number()),
  refundRate: z.nullable(z.number()),
}

export const accountingRates = {
  summary: 'Returns how many quotes became sales, and how much was refunded, from one month to another',
  request: z.strictObject({ from: month, to: month, currency }),
  response: z.object({
    /** The amounts are in it. Quotes are counted in all currencies. */
    currency: z.string(),
    total: z.object(rates),
    /** `name` is YYYY-MM; the oldest first, including months without quotes. */
    months: z.array(z.object({ name: z.string(), ...rates })),
  }),
} satisfies CallSchemas

const amounts = z.object({ account: z.number(), commission: z.number() })

const statement = z.object({
  uuid: z.uuid(),
  number: z.string(),
  month: z.string(),
  currency: z.string(),
  closedAt: z.string(),
  dueOn: z.string(),
  netted: z.boolean(),
  ...sums,
  /** Withheld from the commission for the state; negative if more commission went back than was earned. No percent: no duty. */
  stampDuty: z.object({ percent: z.number(), amount: z.number() }),
  /** The open amounts when the month began. */
  before: amounts,
  /** The amounts that payments moved in the month; negative if the agency owes less by it, or is owed less. */
  paid: amounts,
  /** The open amounts when it ended: the account before the commission is set against it. */
  after: amounts,
  /** Positive: the agency pays the insurer. */
  due: amounts,
  state: z.enum(['open', 'overdue', 'paid', 'carried']),
  /** The number of the next statement, if that carries over what is unpaid: it is due there. */
  carriedTo: z.nullable(z.string()),
  /** The amounts that the agency should have paid by now, of this statement or of those that it carries over, and the day that the oldest of it was due on. */
  overdue: z.nullable(z.object({ amount: z.number(), since: z.string() })),
})

export const accountingStatements = {
  summary: 'Lists the unit’s closed months, the newest first, and what is due for each',
  request: z.strictObject({ ...paging }),
  response: z.object({ ...pages, statements: z.array(statement) }),
} satisfies CallSchemas

/** As a statement's number is made: the unit's key, the month, and another currency than the unit's. */
const statementNumber = z.string().check(z.minLength(1), z.maxLength(100))

export const accountingStatement = {
  summary: 'Returns a closed month: what it carried over, what was paid, what is still due, and a page of its lines, the oldest first',
  request: z.strictObject({ number: statementNumber, ...paging }),
  response: z.object({
    ...pages,
    statement,
    /** Still to be paid, after what was. */
    open: amounts,
    /** Commission of the months before that was set against the account in this one. */
    netting: z.number(),
    /** Received by the insurer, paid out by it, or written off: in the month, and since. The oldest first. */
    payments: z.array(
      z.object({
        uuid: z.uuid(),
        at: z.string(),
        way: z.enum(settledWays),
        /** The day of the payment, and the bank's reference of it. */
        on: z.string(),
        reference: z.string(),
        /** It takes an earlier booking back. */
        reverses: z.boolean(),
        /** Positive if the agency owes less, or is owed less. */
        account: z.number(),
        commission: z.number(),
        since: z.boolean(),
      }),
    ),
    lines: z.array(z.object({ ...explainedDeed, reference: z.string() })),
  }),
} satisfies CallSchemas

export const accountingStatementFile = {
  summary: 'Sends a closed month as a file: a document in the caller’s language, or all its lines as a workbook or CSV',
  request: z.strictObject({ number: statementNumber, format: z.enum(statementFormats) }),
  response: z.unknown(),
} satisfies CallSchemas

export const accountingQuery = {
  summary: 'Asks customer service about a movement: files a request with its policy and amounts',
  request: z.strictObject({ entryUuid: z.uuid(), text: lines(longestQuestion) }),
  response: z.object({ ticketUuid: z.uuid(), reference: z.string() }),
} satisfies CallSchemas

/** The length of the longest list, in characters. */
const longestList = 2_000_000

const amountsThere = z.object({ gross: z.nullable(z.number()), commission: z.nullable(z.number()) })

export const accountingMatch = {
  summary: 'Compares an agency’s own list (policy number or own reference, amounts) with a statement or some days, policy by policy',
  bodyLimit: 3 * longestList,
  request: z.strictObject({
    csv: z.string().check(z.maxLength(longestList)),
    /** Without one, of the days. */
    statement: z.optional(z.nullable(statementNumber)),
    from: z.optional(z.nullable(day)),
    to: z.optional(z.nullable(day)),
  }),
  response: z.object({
    currency: z.string(),
    counts: z.object({ matched: z.number(), differs: z.number(), missingThere: z.number(), missingHere: z.number(), unclear: z.number() }),
    /** The first twenty of the `unclear` lines, with an amount that nothing in the list tells how to read, as `38,710`: it is taken for thousands. */
    unclearLines: z.array(z.number()),
    /** Those that differ or are missing first; at most 5000. */
    rows: z.array(
      z.object({
        state: z.enum(['matched', 'differs', 'missing_there', 'missing_here']),
        /** Null if the policy is not here. */
        policyUuid: z.nullable(z.uuid()),
        policyNumber: z.string(),
        reference: z.string(),
        ours: z.nullable(amountsThere),
        /** An amount is null if the list has no column of it. */
        theirs: z.nullable(amountsThere),
        /** Their currency, if another than the book's: the amounts are then not compared. */
        currency: z.nullable(z.string()),
        /** Theirs less ours. */
        by: amountsThere,
      }),
    ),
  }),
} satisfies CallSchemas
