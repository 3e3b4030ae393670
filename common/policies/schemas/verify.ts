import * as z from 'zod/mini'
import type { CallSchemas } from '#common/kit/call.ts'

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
