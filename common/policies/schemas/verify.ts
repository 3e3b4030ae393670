import * as z from 'zod/mini'
import type { CallSchemas } from '#common/kit/call.ts'

const typed = z.string().check(
  z.maxLength(60),
  z.refine(value => !/[\p{Cc}\p{Cs}]/u.test(value)),
)

/** The response names neither the insured persons nor the cover. The agency tells policies of one number apart: until 0036 each dealt its own. */
export const verifyPolicy = {
  summary: 'Checks if a certificate’s number and check code belong to a policy, and if it is valid today',
  perMinute: 20,
  request: z.strictObject({ number: typed, code: typed }),
  response: z.object({ number: z.string(), agency: z.string(), validity: z.enum(['valid', 'upcoming', 'ended', 'cancelled', 'unknown']) }),
} satisfies CallSchemas
