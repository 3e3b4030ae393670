import { sql } from 'kysely'
import type { RequestOf } from '#common/kit/call.ts'
import { today } from '#common/kit/dates.ts'
import type { StoredStatus } from '#common/policies/states.ts'
import type * as calls from '#common/policies/views/calls.ts'
import { builtInViews, conditionsOf, type ListKind, type ViewParams } from '#common/policies/views/views.ts'
import { policyStatusTypes, unitSettings } from '#server/business-unit/public.ts'
import type { World } from '#server/kit/app-context.ts'
import type { CallerInUnit } from '#server/kit/caller.ts'
import type { UnitTx } from '#server/kit/database.ts'
import type { Handler } from '#server/kit/serve.ts'
import { countViews, saveView, viewsOf } from '#server/views/public.ts'
import { filterOf } from './list/filter.ts'
import type { Totals } from './list/totals.ts'
import { demandStatus, ownOnly } from './visibility.ts'

/** Finds each agent of these policies by one lookup in an index, with the name of the latest policy. */
async function agentsOf(tx: UnitTx, statuses: StoredStatus[]): Promise<{ id: string; name: string }[]> {
  const next = (after: ReturnType<typeof sql>) => sql`select seller_id from policies
    where business_unit_id = ${tx.businessUnitId} and seller_id > ${after} order by seller_id limit 1`
  const { rows } = await sql<{ id: string; name: string }>`
    with recursive sellers as (
      (${next(sql`'00000000-0000-0000-0000-000000000000'::uuid`)})
      union all
      select following.seller_id from sellers cross join lateral (${next(sql`sellers.seller_id`)}) as following)
    select seller_id as id, last.name from sellers cross join lateral (
      select seller_name as name from unnest(${statuses}::text[]) as each (status) cross join lateral (
        select seller_name, created_at from policies
        where business_unit_id = ${tx.businessUnitId} and seller_id = sellers.seller_id and status = each.status
        order by created_at desc, id desc limit 1) as newest
      order by created_at desc limit 1) as last
    order by name, id`.execute(tx)
  return rows
}

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
