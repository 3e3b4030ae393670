import * as z from 'zod/mini'
import { call } from '#common/kit/call.ts'

/** The public answer about a policy: whether it is valid today. It reveals neither persons nor cover. */
export const validities = ['valid', 'upcoming', 'ended', 'cancelled', 'unknown'] as const
export type Validity = (typeof validities)[number]

const typed = z.string().check(
  z.maxLength(60),
  z.refine(value => !/[\p{Cc}\p{Cs}]/u.test(value)),
)

export const verifyPolicy = call({
  method: 'POST',
  path: '/api/verify',
  summary: 'Whether a certificate’s number and check code belong to a policy, and whether that is valid today',
  needs: 'nothing',
  perMinute: 20,
  ask: z.strictObject({ number: typed, code: typed }),
  answer: z.object({ number: z.string(), validity: z.enum(validities) }),
})
