import * as z from 'zod/mini'
import { accountingEarnings, accountingEntries } from '#common/accounting/schemas.ts'
import { overview } from '#common/administration/schemas/work.ts'
import { listUnits } from '#common/administration/schemas/unit.ts'
import { agency, agencyChanges, agencyUsers } from '#common/agency/schemas.ts'
import { businessUnitSettings } from '#common/business-unit/schemas.ts'
import type { CallSchemas } from '#common/kit/call.ts'
import { locales } from '#common/kit/locales.ts'
import { policyDay, policySales } from '#common/policies/schemas/day.ts'
import { listPolicies } from '#common/policies/schemas/policy.ts'
import { policyViews } from '#common/policies/views/schemas.ts'
import { product } from '#common/products/schemas.ts'
import { leastPrices, tariff } from '#common/quotes/schemas.ts'
import { mySessions, twoFactor } from '#common/session/account-schemas.ts'
import { sessionUser } from '#common/session/schemas.ts'
import { listTickets, ticketViews } from '#common/tickets/schemas.ts'
import { isTarget, type RoutePath } from './routes.ts'

/** A response that the page would ask for at once: the call's path, the request, and the call's own `data`. */
const first = ({ response }: CallSchemas) => z.optional(z.object({ path: z.string(), request: z.unknown(), data: response }))

const funnel = { tariff: first(tariff) }
const tickets = { tickets: first(listTickets), views: first(ticketViews) }

/** The responses that each page shows first, besides its user, settings and products. Responses that the user may not see are absent. */
const shownFirst: { [path in RoutePath]?: Record<string, ReturnType<typeof first>> } = {
  '/funnel': funnel,
  '/funnel/steps/step1': funnel,
  '/funnel/steps/step2': funnel,
  '/funnel/steps/step3': funnel,
  '/products': { day: first(policyDay), quotes: first(listPolicies), least: first(leastPrices) },
  '/policies': { policies: first(listPolicies), views: first(policyViews), day: first(policyDay), sales: first(policySales) },
  '/policies/saved': { policies: first(listPolicies), views: first(policyViews) },
  '/account': {
    agency: first(agency),
    changes: first(agencyChanges),
    users: first(agencyUsers),
    sessions: first(mySessions),
    twoFactor: first(twoFactor),
  },
  '/claim': tickets,
  '/customer-service': tickets,
  '/earnings': { earnings: first(accountingEarnings), entries: first(accountingEntries) },
  '/administration': { overview: first(overview), units: first(listUnits) },
}

export const payloadOf = (path: RoutePath) => {
  const names = Object.keys(shownFirst[path] ?? {})
  return {
    summary: `Returns the first data of the page ${path}: ${['user', 'settings', 'products', ...names].join(', ')}`,
    request: z.object({
      locale: z.optional(z.enum(locales)),
      /** The product of the funnel, by default the first one, or if this one is not on sale. */
      product: z.optional(z.string()),
    }),
    response: z.object({
      user: sessionUser,
      /** The service's time in ms, by which the portal knows the day (decision 52). */
      now: z.int(),
      unitUuid: z.uuid(),
      settings: businessUnitSettings,
      products: z.array(product),
      first: z.object(shownFirst[path] ?? {}),
    }),
  } satisfies CallSchemas
}

/** The setting ROUTE_RULES (spec 2). */
export const routeRules = z.record(
  z.string().check(z.regex(/^\/(?!\/)[^?#\s\\]*$/, 'must be a path such as /old')),
  z.strictObject({ redirect: z.string().check(z.refine(isTarget, 'must be a path, or an address that begins with https:// or http://')) }),
)

export const latestBuild = z.object({ id: z.string(), timestamp: z.number() })
