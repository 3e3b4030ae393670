import { accountingEarnings, accountingEntries } from '#common/accounting/calls.ts'
import { entriesRequest, monthsOf } from '#common/accounting/period.ts'
import { listUnits, overview } from '#common/administration/calls.ts'
import { agency, agencyChanges, agencyUsers } from '#common/agency/calls.ts'
import { settings as settingsCall } from '#common/business-unit/calls.ts'
import type { AnyCall, RequestSentOf } from '#common/kit/call.ts'
import { today } from '#common/kit/dates.ts'
import { may, type Permission } from '#common/kit/permissions.ts'
import { Refusal } from '#common/kit/refusals.ts'
import { listPolicies } from '#common/policies/calls.ts'
import { policyDay, policySales } from '#common/policies/day-calls.ts'
import { newestPage, newestQuotes } from '#common/policies/search.ts'
import { products as productsCall } from '#common/products/calls.ts'
import { policyViews } from '#common/policies/views/calls.ts'
import { leastPrices, tariff } from '#common/quotes/calls.ts'
import { usersMe as usersMeCall } from '#common/session/calls.ts'
import { mySessions, twoFactor } from '#common/session/account-calls.ts'
import { payloadOf } from '#common/shell/calls.ts'
import { insidePaths, isFunnel, type RoutePath } from '#common/shell/routes.ts'
import * as schemas from '#common/shell/schemas.ts'
import { listTickets, ticketViews } from '#common/tickets/calls.ts'
import { policyStatusTypes, settings as unitSettings } from '#server/business-unit/public.ts'
import type { AppContext, World } from '#server/kit/app-context.ts'
import { type HandlerInput, serve } from '#server/kit/serve.ts'
import { products } from '#server/products/public.ts'
import { usersMe } from '#server/session/public.ts'

type Input = HandlerInput<ReturnType<typeof payloadOf>>

/** Serves each page's `_payload.json`, with which the page renders without another request (spec 7). It needs what its page needs. */
export function servePayloads(context: AppContext): void {
  const { world } = context
  const [me, unit, onSale] = [usersMe(world), unitSettings(world), products(world)]
  for (const path of insidePaths)
    serve(context, payloadOf(path), schemas.payloadOf(path), async input => {
      const sold = onSale({ ...input, call: productsCall, ask: {} })
      const configured = unit({ ...input, call: settingsCall, ask: {} })
      const replies = Promise.all([sold, configured]).then(([all, { configuration }]) => {
        const productUuid = (all.find(({ uuid }) => uuid === input.ask.product) ?? all[0])?.uuid
        return repliesOf(firstCalls(world, path, input, { productUuid, day: today(world.clock.now(), configuration.timeZone) }))
      })
      // Awaited together, so that no error is left without a listener: it would end the process.
      const [user, settings, shown, first] = await Promise.all([me({ ...input, call: usersMeCall, ask: {} }), configured, sold, replies])
      return {
        user,
        now: world.clock.now().getTime(),
        unitUuid: input.caller.unit.scope.businessUnitId,
        settings,
        products: shown,
        first,
      }
    })
}

type FirstCalls = { [name: string]: () => Promise<{ path: string; request: unknown; data: unknown } | undefined> }

const repliesOf = async (calls: FirstCalls) =>
  Object.fromEntries(await Promise.all(Object.entries(calls).map(async ([name, call]) => [name, await call()])))

/** Returns the calls that a page would send at once, by the names in its schema. */
function firstCalls(
  world: World,
  path: RoutePath,
  input: Input,
  { productUuid, day }: { productUuid: string | undefined; day: string },
): FirstCalls {
  const { permissions } = input.caller.unit
  const call =
    <C extends AnyCall>(call: C, ask: RequestSentOf<C>) =>
    () =>
      answered(world, input, call, ask)
  const tickets = (kind: 'claim' | 'request') => ({
    tickets: call(listTickets, { kind, page: 1, searchData: null }),
    views: call(ticketViews, { list: kind }),
  })
  if (isFunnel(path)) return productUuid && may(permissions, 'b2b-products-view') ? { tariff: call(tariff, { productUuid }) } : {}
  switch (path) {
    case '/products':
      return {
        day: call(policyDay, {}),
        quotes: call(listPolicies, newestPage(policyStatusTypes.budgeted.uuid, newestQuotes)),
        least: call(leastPrices, {}),
      }
    case '/policies':
      return {
        policies: call(listPolicies, newestPage(policyStatusTypes.purchased.uuid)),
        views: call(policyViews, { list: 'purchased' }),
        day: call(policyDay, {}),
        ...(may(permissions, 'b2b-agency-view') ? { sales: call(policySales, {}) } : {}),
      }
    case '/policies/saved':
      return {
        policies: call(listPolicies, newestPage(policyStatusTypes.budgeted.uuid)),
        views: call(policyViews, { list: 'budgeted' }),
      }
    case '/account':
      return firstTab(permissions, {
        'b2b-agency-view': { agency: call(agency, {}), changes: call(agencyChanges, {}) },
        'b2b-users-view': { users: call(agencyUsers, {}) },
        own: { sessions: call(mySessions, {}), twoFactor: call(twoFactor, {}) },
      })
    case '/claim':
      return tickets('claim')
    case '/customer-service':
      return tickets('request')
    case '/earnings': {
      const months = monthsOf('month', day)
      return { earnings: call(accountingEarnings, months), entries: call(accountingEntries, entriesRequest(months)) }
    }
    case '/administration':
      return { overview: call(overview, {}), units: call(listUnits, { page: 1, perPage: 20 }) }
    default:
      return {}
  }
}

type Tabs = { [tab in 'b2b-agency-view' | 'b2b-users-view' | 'own']: FirstCalls }

/** The account page opens with the first tab that the user may see. */
function firstTab(permissions: readonly Permission[], tabs: Tabs): FirstCalls {
  const shown = (['b2b-agency-view', 'b2b-users-view'] as const).find(permission => may(permissions, permission))
  return tabs[shown ?? 'own']
}

/** Returns the reply, or undefined if it is refused or fails: the page then sends the call itself, and shows the refusal in its place. */
async function answered<C extends AnyCall>(world: World, input: Input, call: C, ask: RequestSentOf<C>) {
  try {
    return { path: call.path, request: ask, data: await input.also(call, ask) }
  } catch (error) {
    if (!(error instanceof Refusal)) world.log.warn({ err: error, call: call.path }, 'a page is sent without a reply that failed')
    return undefined
  }
}
