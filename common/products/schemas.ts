import * as z from 'zod/mini'
import { names } from '#common/kit/schemas/names.ts'
import type { CallSchemas } from '#common/kit/call.ts'
import { insures } from './tariff.ts'

const item = z.object({ name: z.string(), value: z.string(), itemUUID: z.uuid() })

/** The cover's code, which is the same in every product and begins with its group: `medical.europe`. Null if the catalogue gives none. */
const coverage = z.extend(item, { code: z.nullable(z.string()) })

/** A product (spec 3). Countries are ids; `defaultOriginRegion` is the country where trips begin. */
export const product = z
  .object({
    id: z.number(),
    uuid: z.uuid(),
    code: z.string(),
    name: z.string(),
    type: z.string(),
    icon: z.string(),
    /** In percent of the premium; null if the caller may not sell. */
    productBuCommission: z.nullable(z.number()),
    characteristics: z.array(z.string()),
    description: z.string(),
    importantInfo: z.array(z.string()),
    documents: z.array(z.string()),
    coverages: z.array(coverage),
    detailsFeatured: z.array(item),
    files: z.array(z.object({ name: z.string(), file: z.string(), label: z.string() })),
    paymentGateways: z.array(z.object({ name: z.string(), uuid: z.uuid() })),
    settings: z.object({
      countries: z.array(z.number()),
      defaultDestinationCountry: z.nullable(z.object({ id: z.number(), name: z.string() })),
      defaultOriginRegion: z.object({ id: z.number(), name: z.string() }),
      lockDestinationCountry: z.boolean(),
      lockOriginRegion: z.boolean(),
      maxStartDate: z.number(),
      startDayOffset: z.number(),
      maxEndDate: z.number(),
      hasAmountCancellation: z.boolean(),
      maxTravelCost: z.number(),
      maxTravelLength: z.number(),
      minTravelLength: z.number(),
      minPax: z.number(),
      maxPax: z.number(),
      minAge: z.number(),
      maxAge: z.number(),
      season: z.nullable(z.object({ from: z.string(), to: z.string() })),
      /** The people whom it insures: those who live in the country of origin, or anyone. Null if the catalogue does not say. */
      insures: z.nullable(insures),
    }),
  })
  .register(names, { id: 'Product' })

export const products = {
  summary: 'Lists the products that the business unit sells, in the caller’s language',
  request: z.strictObject({ businessUnitUuid: z.optional(z.uuid()) }),
  response: z.array(product),
} satisfies CallSchemas
