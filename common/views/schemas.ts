import * as z from 'zod/mini'
import type { CallSchemas } from '#common/kit/call.ts'
import { longestViewName } from './views.ts'

/** Rejects control characters, which databases cannot store and screens misread. */
export const viewName = z.string().check(
  z.maxLength(longestViewName),
  z.refine(value => !/[\p{Cc}\p{Cs}]/u.test(value)),
)

/** Null where counting would delay the page. The same call counts it if `exact` is sent. */
const count = z.nullable(z.number())

export const exact = z._default(z.boolean(), false)

/** The counts of the built-in views by their ids, and the user's own views with their counts. */
export const listedViews = <View extends z.core.$ZodLooseShape>(view: View) =>
  z.object({
    builtIn: z.record(z.string(), count),
    views: z.array(z.object({ viewUuid: z.uuid(), name: z.string(), ...view, count })),
  })

export const savedView = z.object({ viewUuid: z.uuid() })

export const deleteView = {
  summary: 'Deletes a saved view',
  request: z.strictObject({ viewUuid: z.uuid() }),
  response: z.object({ deleted: z.literal(true) }),
} satisfies CallSchemas
