import type { RequestOf } from '#common/kit/call.ts'
import { today } from '#common/kit/dates.ts'
import type { StoredStatus } from '#common/policies/states.ts'
import type * as calls from '#common/policies/views/calls.ts'
import { builtInViews, conditionsOf, type ListKind, type ViewParams } from '#common/policies/views/views.ts'
import { policyStatusTypes, unitSettings } from '#server/business-unit/public.ts'
import type { World } from '#server/kit/app-context.ts'
import { type CallerInUnit, ownOnly } from '#server/kit/caller.ts'
import type { Handler } from '#server/kit/serve.ts'
import { countViews, saveView, viewsOf } from '#server/views/public.ts'
import { filterOf } from './list/filter.ts'
import type { Totals } from './list/totals.ts'
import { agentsOf } from './queries.ts'
import { demandStatus } from './visibility.ts'

type SavedContent = Pick<RequestOf<typeof calls.savePolicyView>, 'params' | 'hidden'>

/** Returns the user's views of a list with their counts. Each view is counted in a transaction of its own, as some take long. */
export const views =
  (world: World, totals: Totals): Handler<typeof calls.policyViews> =>
  async input => {
    const { ask, caller } = input
    const { scope } = caller.unit
    await demandStatus(world, input, ask.list, 'POST /api/policy/views')
    const { timeZone, saved } = await world.database.inScope(scope, async tx => ({
      timeZone: (await unitSettings(tx)).timeZone,
      saved: await viewsOf<SavedContent>(tx, caller.userId, ask.list),
    }))
    const context = { today: today(world.clock.now(), timeZone), userUuid: caller.userId, statusTypes: policyStatusTypes }
    const count = (params: ViewParams) => {
      const filter = filterOf(world.secrets, conditionsOf(ask.list, params, context), caller)
      return world.database.inScope(scope, tx => totals.count(tx, filter, { exact: ask.exact }))
    }
    return countViews(saved, { builtIn: builtInViews[ask.list], count })
  }

export const savePolicyView =
  (world: World): Handler<typeof calls.savePolicyView> =>
  async input => {
    await demandStatus(world, input, input.ask.list, 'PUT /api/policy/views')
    return saveView(world, input, input.ask)
  }

/** Returns the agents whose policies the caller may see. */
export const agents =
  (world: World): Handler<typeof calls.policyAgents> =>
  async input => {
    const { ask, caller } = input
    await demandStatus(world, input, ask.list, 'POST /api/policy/agents')
    const all = await world.database.inScope(caller.unit.scope, tx => agentsOf(tx, statusesOf(ask.list)))
    return { agents: visibleTo(caller, all).map(({ id, name }) => ({ uuid: id, name })) }
  }

const statusesOf = (list: ListKind): StoredStatus[] => (list === 'purchased' ? ['purchased', 'cancelled'] : ['budgeted', 'pending'])

function visibleTo<Agent extends { id: string }>(caller: CallerInUnit, agents: Agent[]): Agent[] {
  const own = ownOnly(caller)
  return own === undefined ? agents : agents.filter(({ id }) => id === own)
}
