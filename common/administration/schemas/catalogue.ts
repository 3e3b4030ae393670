import * as z from 'zod/mini'
import type { CallSchemas } from '#common/kit/call.ts'
import { text } from './parts.ts'

const kind = z.enum(['common', 'product', 'tariff'])

const version = z.object({
  kind,
  /** Of a product or tariff; the common content belongs to none. */
  productUuid: z.nullable(z.uuid()),
  code: z.nullable(z.string()),
  name: z.nullable(z.string()),
  version: z.string(),
  loadedAt: z.string(),
  /** Whether what is sold today is sold by it. */
  current: z.boolean(),
})

export const catalogueVersions = {
  summary: 'Every version of the common content, the products and their tariffs, by the load that brought it; the newest first',
  ask: z.strictObject({}),
  answer: z.object({ loads: z.array(z.object({ loadedAt: z.string(), versions: z.array(version) })) }),
} satisfies CallSchemas

export const catalogueChanges = {
  summary: 'What a version changed against the one before it',
  ask: z.strictObject({ kind, version: text(40), productUuid: z.optional(z.uuid()) }),
  answer: z.object({
    /** Nothing: it was the first. */
    before: z.nullable(z.string()),
    total: z.number(),
    changes: z.array(z.object({ path: z.string(), before: z.nullable(z.string()), after: z.nullable(z.string()) })),
  }),
} satisfies CallSchemas
