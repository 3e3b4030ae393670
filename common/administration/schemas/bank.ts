import * as z from 'zod/mini'
import { mostBooked, mostBytes } from '#common/accounting/bank/entry.ts'
import type { CallSchemas } from '#common/kit/call.ts'
import { unitName } from './parts.ts'

/** The maximum length of a file in base64, in characters. It leaves room for a file refused as too large. */
const longest = Math.ceil((mostBytes + 100_000) / 3) * 4

/** The bank's file in base64. Each call reads it again and none stores it: most entries are other people's payments. */
const file = z.string().check(z.maxLength(longest), z.regex(/^[A-Za-z\d+/]*={0,2}$/))

const bodyLimit = longest + 200_000

export const readBankFile = {
  summary: 'Reads a bank’s file (camt.053 or Norma 43) and proposes the agency of each entry; books nothing',
  bodyLimit,
  request: z.strictObject({ file }),
  response: z.object({
    /** The agencies that an entry may be of. */
    agencies: z.array(z.object({ uuid: z.uuid(), brandName: z.string(), key: z.string(), currency: z.string() })),
    entries: z.array(
      z.object({
        /** The entry has the same id in every file that contains it. */
        uuid: z.uuid(),
        account: z.string(),
        bookedOn: z.string(),
        way: z.enum(['received', 'paid']),
        isReversal: z.boolean(),
        amount: z.number(),
        currency: z.string(),
        name: z.string(),
        reference: z.string(),
        /** `alike`: an entry of the same account, day and amount is booked, maybe this one from a file in another format. */
        state: z.enum(['new', 'booked', 'alike']),
        bookedFor: z.nullable(unitName),
        /** The payment booked by hand that the entry resembles, for each agency that has one. */
        byHand: z.array(z.object({ businessUnitUuid: z.uuid(), on: z.string(), reference: z.string() })),
        proposal: z.nullable(
          z.object({
            businessUnit: unitName,
            statement: z.nullable(z.string()),
            by: z.enum(['statement', 'name', 'amount']),
            /** True if the money left the account and the agency is not owed it. */
            doubtful: z.optional(z.boolean()),
          }),
        ),
      }),
    ),
  }),
} satisfies CallSchemas

export const bookBankEntries = {
  summary: 'Books chosen entries of a bank’s file on agencies’ accounts, each once for ever',
  bodyLimit: bodyLimit + 50_000,
  request: z.strictObject({
    file,
    entries: z
      .array(
        z.strictObject({
          uuid: z.uuid(),
          businessUnitUuid: z.uuid(),
          /** Unless true, an entry that resembles a payment booked by hand is not booked. */
          again: z.optional(z.boolean()),
        }),
      )
      .check(z.minLength(1), z.maxLength(mostBooked)),
  }),
  response: z.object({
    /** `before`: booked earlier, for any agency. `by_hand`: it resembles a payment booked by hand, and is not booked. */
    outcomes: z.array(z.object({ uuid: z.uuid(), outcome: z.enum(['booked', 'before', 'by_hand']) })),
  }),
} satisfies CallSchemas
