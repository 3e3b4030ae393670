import * as z from 'zod/mini'
import type { CallSchemas } from '#common/kit/call.ts'
import { nothing, text } from '#common/kit/schemas/parts.ts'

const kind = z.enum(['common', 'product', 'tariff'])

const version = z.object({
  kind,
  productUuid: z.nullable(z.uuid()),
  /** The code of a product or tariff; null for the common content. */
  code: z.nullable(z.string()),
  name: z.nullable(z.string()),
  version: z.string(),
  loadedAt: z.string(),
  /** True if today's sales use this version. */
  current: z.boolean(),
})

export const catalogueVersions = {
  summary: 'Lists all versions of common content, products and tariffs by load; the newest first',
  request: nothing,
  response: z.object({ loads: z.array(z.object({ loadedAt: z.string(), versions: z.array(version) })) }),
} satisfies CallSchemas

export const catalogueChanges = {
  summary: 'Lists the changes of a version against the one before it',
  request: z.strictObject({ kind, version: text(40), productUuid: z.optional(z.uuid()) }),
  response: z.object({
    /** Null for the first version. */
    before: z.nullable(z.string()),
    total: z.number(),
    changes: z.array(z.object({ path: z.string(), before: z.nullable(z.string()), after: z.nullable(z.string()) })),
  }),
} satisfies CallSchemas
