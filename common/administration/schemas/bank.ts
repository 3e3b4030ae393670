import * as z from 'zod/mini'
import { mostBooked, mostBytes } from '#common/accounting/bank/entry.ts'
import type { CallSchemas } from '#common/kit/call.ts'
import { unitName } from './parts.ts'

/** The length of the largest file in base64, in characters, with room for one that is refused as too large. */
const longest = Math.ceil((mostBytes + 100_000) / 3) * 4

/** The bank's file in base64. It is read again for each call, and never stored: most of its entries are strangers' money. */
const file = z.string().check(z.maxLength(longest), z.regex(/^[A-Za-z\d+/]*={0,2}$/))

const bodyLimit = longest + 200_000

export const readBankFile = {
  summary: 'Reads a bank’s file (camt.053 or Norma 43) and proposes the agency of each entry; books nothing',
  bodyLimit,
  request: z.strictObject({ file }),
  response: z.object({
    /** Those that an entry may be of. */
    agencies: z.array(z.object({ uuid: z.uuid(), brandName: z.string(), key: z.string(), currency: z.string() })),
    entries: z.array(
      z.object({
        /** The same in every file that has this entry. */
        uuid: z.uuid(),
        account: z.string(),
        bookedOn: z.string(),
        way: z.enum(['received', 'paid']),
        isReversal: z.boolean(),
        amount: z.number(),
        currency: z.string(),
        name: z.string(),
        reference: z.string(),
        /** `alike`: another entry of that account, day and amount is booked, maybe this one in a file of another format. */
        state: z.enum(['new', 'booked', 'alike']),
        bookedFor: z.nullable(unitName),
        /** For each agency with one: the payment booked by hand that the entry looks like. */
        byHand: z.array(z.object({ businessUnitUuid: z.uuid(), on: z.string(), reference: z.string() })),
        proposal: z.nullable(
          z.object({
            businessUnit: unitName,
            statement: z.nullable(z.string()),
            by: z.enum(['statement', 'name', 'amount']),
            /** Money that left the account and is not what the agency is owed. */
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
          /** Without it, an entry that looks like a payment booked by hand is not booked. */
          again: z.optional(z.boolean()),
        }),
      )
      .check(z.minLength(1), z.maxLength(mostBooked)),
  }),
  response: z.object({
    /** `before`: it was booked before, for whichever agency. `by_hand`: it looks like a payment booked by hand, and is not booked. */
    outcomes: z.array(z.object({ uuid: z.uuid(), outcome: z.enum(['booked', 'before', 'by_hand']) })),
  }),
} satisfies CallSchemas
