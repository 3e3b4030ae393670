import * as z from 'zod/mini'
import { largestPage } from '#common/kit/call.ts'

/** Schemas that the administration's calls share. */

export const optionalText = (most: number) => z.string().check(z.maxLength(most))

/** The reason for an action, which the audit keeps. */
export const reason = z.string().check(z.trim(), z.minLength(5), z.maxLength(500))

/** A request that acts on one record, with a reason. */
export const byUuidWithReason = z.strictObject({ uuid: z.uuid(), reason })

/** The paging of a list, as in the policy list (spec 9). */
export const paging = {
  page: z._default(z.number().check(z.int(), z.gte(1), z.lte(largestPage)), 1),
  perPage: z._default(z.number().check(z.int(), z.gte(1), z.lte(100)), 10),
}
export const pages = { total: z.number(), totalPages: z.number(), page: z.number(), perPage: z.number() }

export const unitName = z.object({ uuid: z.uuid(), brandName: z.string() })
export const personName = z.object({ uuid: z.uuid(), name: z.string(), email: z.string() })
