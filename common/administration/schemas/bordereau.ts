import * as z from 'zod/mini'
import type { CallSchemas } from '#common/kit/call.ts'
import { bordereauKinds } from '#common/accounting/bordereau/row.ts'
import { monthInReach as month } from '#common/kit/schemas/parts.ts'
import { pages, paging, personName, unitName } from './parts.ts'

const kind = z.enum(bordereauKinds)

const sums = { rows: z.number(), gross: z.number(), commission: z.number() }

/** The sums of the file, of the statements, and of the money book. */
const compared = { ...sums, statements: z.object(sums), book: z.object(sums), equal: z.boolean() }

/** The control sums of one currency. They are equal if those of each agency are. */
const control = z.object({
  currency: z.string(),
  ...compared,
  premium: z.number(),
  net: z.number(),
  transactions: z.array(z.object({ transaction: z.string(), rows: z.number(), gross: z.number() })),
  taxes: z.array(z.object({ code: z.string(), amount: z.number(), kept: z.number() })),
  /** The number of rows of policies of more than four months whose policyholder resides elsewhere. */
  flagged: z.number(),
  units: z.array(z.object({ businessUnit: unitName, ...compared })),
})

const bordereau = z.object({
  uuid: z.uuid(),
  period: z.string(),
  kind,
  /** `failed`: its files could not be written. It will be prepared again. */
  state: z.enum(['preparing', 'failed', 'prepared', 'released']),
  businessUnits: z.array(unitName),
  preparedBy: z.nullable(personName),
  preparedAt: z.string(),
  releasedBy: z.nullable(personName),
  releasedAt: z.nullable(z.string()),
  /** False if a control sum differs, for the administrator who prepared it, and if one of the two is new or appointed the other. */
  mayRelease: z.boolean(),
  /** Null while it is prepared, or if that failed. A bordereau of claims has no sums. */
  sums: z.nullable(z.array(control)),
  /** The counts of a bordereau of claims, once it is prepared. */
  claims: z.nullable(
    z.object({
      rows: z.number(),
      /** The others were filed earlier and changed in the month. */
      filed: z.number(),
      states: z.array(z.object({ state: z.string(), rows: z.number() })),
    }),
  ),
  files: z.array(z.object({ name: z.string(), size: z.number(), sha256: z.string() })),
})

export const listBordereaux = {
  summary: 'Lists the closed months, the newest first, with their units and their bordereaux',
  request: z.strictObject({ ...paging }),
  response: z.object({
    ...pages,
    periods: z.array(
      z.object({
        period: z.string(),
        /** The state of the premiums alone. Open: the month of some agency is not released. */
        state: z.enum(['open', 'preparing', 'failed', 'prepared', 'released']),
        /** The agencies with a statement of the month, and the kinds of their released bordereaux. */
        units: z.array(z.object({ businessUnit: unitName, released: z.array(kind) })),
        bordereaux: z.array(bordereau),
      }),
    ),
  }),
} satisfies CallSchemas

export const prepareBordereau = {
  summary:
    'Prepares the insurer’s file of the premiums or claims of a closed month over the chosen units, instead of what was prepared for them and not released',
  request: z.strictObject({
    /** Made by the client for each bordereau, so that a repeated request prepares nothing more. */
    requestUuid: z.uuid(),
    period: month,
    units: z.array(z.uuid()).check(z.minLength(1), z.maxLength(1000)),
    kind,
  }),
  response: bordereau,
} satisfies CallSchemas

export const releaseBordereau = {
  summary: 'Releases a bordereau that another administrator prepared, if its control sums are equal. It never changes afterwards',
  request: z.strictObject({ uuid: z.uuid() }),
  response: bordereau,
} satisfies CallSchemas

/** The response is the file itself, without an envelope. */
export const bordereauFile = {
  summary: 'Returns a file of a bordereau: the rows as workbook, CSV and JSON, the control sums, and the tax returns',
  request: z.strictObject({ uuid: z.uuid(), name: z.string().check(z.minLength(1), z.maxLength(100)) }),
  response: z.unknown(),
} satisfies CallSchemas
