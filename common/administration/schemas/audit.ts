import * as z from 'zod/mini'
import type { CallSchemas } from '#common/kit/call.ts'
import { dateInReach as day } from '#common/kit/schemas/parts.ts'
import { optionalText, pages, paging, personName, unitName } from './parts.ts'

/** The search fields of the audit: user, action, unit, time and object. */
const auditSearch = {
  who: z.optional(optionalText(200)),
  what: z.optional(optionalText(100)),
  businessUnitUuid: z.optional(z.uuid()),
  object: z.optional(optionalText(100)),
  outcome: z.optional(z.enum(['done', 'refused'])),
  dateFrom: z.optional(day),
  dateTo: z.optional(day),
}

const auditEntry = z.object({
  uuid: z.uuid(),
  at: z.string(),
  user: z.nullable(personName),
  businessUnit: z.nullable(unitName),
  action: z.string(),
  object: z.nullable(z.string()),
  outcome: z.enum(['done', 'refused']),
  reason: z.nullable(z.string()),
  details: z.nullable(z.record(z.string(), z.unknown())),
  network: z.string(),
  userAgent: z.string(),
  requestId: z.string(),
})

export const listAudit = {
  summary: 'Lists actions and views with user, time and network; the newest first',
  request: z.strictObject({ ...paging, ...auditSearch }),
  response: z.object({ ...pages, entries: z.array(auditEntry) }),
} satisfies CallSchemas

/** The response is the workbook itself, without an envelope. */
export const exportAudit = {
  summary: 'Exports all matching audit entries as a workbook',
  request: z.strictObject(auditSearch),
  response: z.unknown(),
} satisfies CallSchemas
