import * as z from 'zod/mini'
import { type CallSchemas, largestPage } from '#common/kit/call.ts'
import { movementKinds, longestQuestion, settledWays, ways } from './book.ts'
import { dateInReach as day, lines, monthInReach as month } from '#common/kit/schemas/parts.ts'
import { partNames, termNames } from './calculation.ts'
import { statementFormats } from './statement.ts'

const kind = z.enum(movementKinds)
const way = z.enum(ways)
const currency = z.optional(z.nullable(z.string().check(z.regex(/^[A-Z]{3}$/))))

const paging = {
  page: z._default(z.int().check(z.gte(1), z.lte(largestPage)), 1),
  perPage: z._default(z.int().check(z.gte(1), z.lte(100)), 10),
}
const pages = { totalPages: z.number(), total: z.number(), page: z.number(), perPage: z.number() }

/** The number of movements, their prices, the part on the agency's account, and its commission. */
const sums = { deeds: z.number(), gross: z.number(), account: z.number(), earned: z.number() }

/** A movement in a list. */
const movement = {
  uuid: z.uuid(),
  at: z.string(),
  policyUuid: z.uuid(),
  policyNumber: z.string(),
  /** The policyholder’s name as it is now; null without permission to view policies, or if it was erased. No file or email has it. */
  policyTaker: z.nullable(z.string()),
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

/** A movement of the same policy, and the statement that it is on. */
const pair = z.object({ uuid: z.uuid(), at: z.string(), kind, commission: z.number(), statement: z.nullable(z.string()) })

/** A movement in a list, with the details that an accountant needs. */
const explainedMovement = {
  ...movement,
  /** The reason; null for a sale. `basis`: the right or rule by which money goes back. `byClient`: the client acted without the agency. */
  why: z.nullable(z.object({ basis: z.nullable(z.string()), reason: z.nullable(z.string()), byClient: z.boolean() })),
  /** The movements whose commission it took back, oldest first, and those that took back its own. */
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
        ...explainedMovement,
        state: z.enum(['open', 'on_statement', 'paid']),
        statement: z.nullable(z.string()),
      }),
    ),
  }),
} satisfies CallSchemas

const earned = z.object({ uuid: z.optional(z.uuid()), name: z.string(), ...sums })

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
  /** Withheld from the commission for the state; negative if more commission went back than was earned. Null percent: no duty. */
  stampDuty: z.object({ percent: z.number(), amount: z.number() }),
  /** The open amounts at the start of the month. */
  before: amounts,
  /** The amounts of payments in the month; negative if they lower what the agency owes or is owed. */
  paid: amounts,
  /** The open amounts at the end, before the commission is set against the account. */
  after: amounts,
  /** Positive: the agency pays the insurer. */
  due: amounts,
  state: z.enum(['open', 'overdue', 'paid', 'carried']),
  /** The number of the next statement if it carries over the unpaid rest, which is then due there. */
  carriedTo: z.nullable(z.string()),
  /** The overdue amount with that of earlier statements carried over, and the due day of the oldest. */
  overdue: z.nullable(z.object({ amount: z.number(), since: z.string() })),
})

/** How the amount due comes about. Without netting, the account and the commission have an equation each. */
const calculation = z.object({
  equations: z.array(
    z.object({
      /** They add up to the amount due; those of the commission alone to what the insurer pays. */
      terms: z.array(
        z.object({
          name: z.enum(termNames),
          amount: z.number(),
          /** Empty if there is only one part. Returns are negative. */
          parts: z.array(z.object({ name: z.enum(partNames), amount: z.number() })),
        }),
      ),
      /** Positive: the agency pays the insurer. */
      due: z.number(),
    }),
  ),
  dutyPercent: z.number(),
  insurerName: z.string(),
  /** The insurer's bank account in this currency, for payments of the agency; null if the catalogue has none. */
  iban: z.nullable(z.string()),
})

/** The agent's part of the commission, for information; null without a share. The percentage is null if it differs between the months. */
const share = z.nullable(z.object({ percent: z.nullable(z.number()), amount: z.number() }))

export const accountingEarnings = {
  summary: 'Returns the agency’s earnings from one month to another, by month, product, agent and way of payment',
  request: z.strictObject({
    from: month,
    to: month,
    currency,
    /** True to get all products and agents, as for a file, and not only those with the highest commission. */
    whole: z._default(z.boolean(), false),
  }),
  response: z.object({
    currency: z.string(),
    total: z.object(sums),
    /** `name` is YYYY-MM; oldest first, including months without movements. */
    months: z.array(earned),
    /** Highest commission first; at most fifty of each unless `whole`. */
    products: z.array(earned),
    sellers: z.array(z.object({ ...earned.shape, share })),
    /** `name` is the way. */
    ways: z.array(earned),
    /**
     * One month of the whole agency. Null for several months, for users who see only own sales, and for a month whose carried-over amount is unknown,
     * as an earlier one is not closed yet. `closed`: its statement and the amounts still to be paid; null while the month is open.
     */
    month: z.nullable(z.object({ calculation, closed: z.nullable(z.object({ statement, open: amounts })) })),
  }),
} satisfies CallSchemas

const rates = {
  /** Saved or registered in the month, whatever happened later. */
  quotes: z.number(),
  /** Those of them sold since, in whatever month. */
  sold: z.number(),
  /** Amounts paid by clients, and returned to them by changes, cancellations and withdrawals. The difference is `gross` of the earnings. */
  charged: z.number(),
  refunded: z.number(),
  /** Ratios from 0 to 1 with four decimals; null if the divisor is 0. */
  conversion: z.nullable(z.number()),
  refundRate: z.nullable(z.number()),
}

export const accountingRates = {
  summary: 'Returns how many quotes became sales, and how much was refunded, from one month to another',
  request: z.strictObject({ from: month, to: month, currency }),
  response: z.object({
    /** The currency of the amounts. Quotes in all currencies are counted. */
    currency: z.string(),
    total: z.object(rates),
    /** `name` is YYYY-MM; oldest first, including months without quotes. */
    months: z.array(z.object({ name: z.string(), ...rates })),
  }),
} satisfies CallSchemas

export const accountingStatements = {
  summary: 'Lists the unit’s closed months, the newest first, and what is due for each',
  request: z.strictObject({ ...paging }),
  response: z.object({ ...pages, statements: z.array(statement) }),
} satisfies CallSchemas

/** A statement's number: the agency's key, the month, and the currency if it is not the agency's own. */
const statementNumber = z.string().check(z.minLength(1), z.maxLength(100))

export const accountingStatement = {
  summary: 'Returns a closed month: what it carried over, what was paid, what is still due, and a page of its lines, the oldest first',
  request: z.strictObject({ number: statementNumber, ...paging }),
  response: z.object({
    ...pages,
    statement,
    calculation,
    /** The amounts still to be paid. */
    open: amounts,
    /** Commission of earlier months that was set against the account in this one. */
    netting: z.number(),
    /** Payments received by the insurer, paid out by it, or written off, in the month or since. Oldest first. */
    payments: z.array(
      z.object({
        uuid: z.uuid(),
        at: z.string(),
        way: z.enum(settledWays),
        /** The day of the payment, and the bank's reference. */
        on: z.string(),
        reference: z.string(),
        /** True if it reverses an earlier booking. */
        reverses: z.boolean(),
        /** Positive if it lowers what the agency owes, or is owed. */
        account: z.number(),
        commission: z.number(),
        since: z.boolean(),
      }),
    ),
    lines: z.array(z.object({ ...explainedMovement, reference: z.string() })),
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

/** The maximum length of a list, in characters. */
const longestList = 2_000_000

const amountsThere = z.object({ gross: z.nullable(z.number()), commission: z.nullable(z.number()) })

export const accountingMatch = {
  summary: 'Compares an agency’s own list (policy number or own reference, amounts) with a statement or some days, policy by policy',
  bodyLimit: 3 * longestList,
  request: z.strictObject({
    csv: z.string().check(z.maxLength(longestList)),
    /** Without a statement, the policies of the given days. */
    statement: z.optional(z.nullable(statementNumber)),
    from: z.optional(z.nullable(day)),
    to: z.optional(z.nullable(day)),
  }),
  response: z.object({
    currency: z.string(),
    counts: z.object({ matched: z.number(), differs: z.number(), missingThere: z.number(), missingHere: z.number(), unclear: z.number() }),
    /** The first twenty of the `unclear` lines: their amount can be read in two ways, such as `38,710`, and is read as thousands. */
    unclearLines: z.array(z.number()),
    /** Rows that differ or are missing come first; at most 5000. */
    rows: z.array(
      z.object({
        state: z.enum(['matched', 'differs', 'missing_there', 'missing_here']),
        /** Null if the policy is not in the book. */
        policyUuid: z.nullable(z.uuid()),
        policyNumber: z.string(),
        reference: z.string(),
        ours: z.nullable(amountsThere),
        /** An amount is null if the list has no column for it. */
        theirs: z.nullable(amountsThere),
        /** The currency of the list's amounts if it differs from the book's. They are then not compared. */
        currency: z.nullable(z.string()),
        /** The list's amount minus the book's. */
        by: amountsThere,
      }),
    ),
  }),
} satisfies CallSchemas
