import * as z from 'zod/mini'
import { businessUnitSettings } from '#common/business-unit/schemas.ts'
import type { CallSchemas } from '#common/kit/call.ts'
import { locales } from '#common/kit/locales.ts'
import { product } from '#common/products/schemas.ts'
import { sessionUser } from '#common/session/schemas.ts'
import { isTarget } from './route-rules.ts'

const payload = {
  request: z.object({ locale: z.optional(z.enum(locales)) }),
  response: z.object({ user: sessionUser, unitUuid: z.uuid(), settings: businessUnitSettings, products: z.array(product) }),
}

export const payloadOf = (path: string) =>
  ({
    summary: `Returns the first data of the page ${path}: user, settings and products`,
    ...payload,
  }) satisfies CallSchemas

/** The setting ROUTE_RULES (spec 2). */
export const routeRules = z.record(
  z.string().check(z.regex(/^\/(?!\/)[^?#\s\\]*$/, 'must be a path such as /old')),
  z.strictObject({ redirect: z.string().check(z.refine(isTarget, 'must be a path, or an address that begins with https:// or http://')) }),
)

export const latestBuild = z.object({ id: z.string(), timestamp: z.number() })
