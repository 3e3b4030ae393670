import * as z from 'zod/mini'
import type { CallSchemas } from '#common/kit/call.ts'
import { ticketKinds } from '#common/products/tickets.ts'
import { exact, listedViews, savedView, viewName as name } from '#common/views/schemas.ts'
import { ticketStatuses } from '../states.ts'

const list = z.enum(ticketKinds)

const params = z.strictObject({
  status: z.optional(z.enum(ticketStatuses)),
  topic: z.optional(z.uuid()),
  by: z.optional(z.literal('me')),
})

export const ticketViews = {
  summary: 'Returns the user’s saved views of claims or requests, and how many tickets each view finds, also the built-in ones',
  request: z.strictObject({ list, exact }),
  response: listedViews({ params }),
} satisfies CallSchemas

export const saveTicketView = {
  summary: 'Saves a view of claims or requests under a name, in place of an own one of that name; the limit is that of all lists',
  request: z.strictObject({ list, name, params }),
  response: savedView,
} satisfies CallSchemas

export { deleteView as deleteTicketView } from '#common/views/schemas.ts'
