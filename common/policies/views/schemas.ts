import * as z from 'zod/mini'
import type { CallSchemas } from '#common/kit/call.ts'
import { date } from '#common/kit/schemas/parts.ts'
import { exact, listedViews, savedView, viewName as name } from '#common/views/schemas.ts'
import { sortKeys } from '../search.ts'
import { policyStatuses } from '../states.ts'
import { listKinds } from './views.ts'

const list = z.enum(listKinds)

/** A date, or a number of days from today: `6d` is a week including today. */
const day = z.optional(z.union([date, z.string().check(z.regex(/^-?\d{1,3}d$/))]))

const params = z.strictObject({
  from: day,
  to: day,
  returnFrom: day,
  returnTo: day,
  status: z.optional(z.enum(policyStatuses)),
  agent: z.optional(z.union([z.literal('me'), z.uuid()])),
  product: z.optional(z.uuid()),
  sort: z.optional(z.enum(sortKeys)),
  order: z.optional(z.enum(['asc', 'desc'])),
})

/** The hidden columns, by their keys. */
const hidden = z.array(z.enum(sortKeys)).check(z.maxLength(sortKeys.length))

export const policyViews = {
  summary: 'Returns the user’s saved views of a list, and how many policies each view finds, also the built-in ones',
  request: z.strictObject({ list, exact }),
  response: listedViews({ params, hidden }),
} satisfies CallSchemas

export const savePolicyView = {
  summary: 'Saves a view of a list under a name, in place of an own one of that name; at most twenty a user and agency',
  request: z.strictObject({ list, name, params, hidden }),
  response: savedView,
} satisfies CallSchemas

export { deleteView as deletePolicyView } from '#common/views/schemas.ts'

export const policyAgents = {
  summary: 'Returns the agents of a list’s policies, by which it can be filtered',
  request: z.strictObject({ list }),
  response: z.object({ agents: z.array(z.object({ uuid: z.uuid(), name: z.string() })) }),
} satisfies CallSchemas
