import type { Call } from '#common/kit/call.ts'
import { Refusal, refuseFields } from '#common/kit/refusals.ts'
import type { deleteView } from '#common/views/schemas.ts'
import type { ViewedList } from '#common/views/views.ts'
import type { World } from '#server/kit/app-context.ts'
import type { Handler } from '#server/kit/serve.ts'
import type { CallerInUnit } from '#server/kit/caller.ts'
import { audit, type Where } from '#server/session/public.ts'
import * as queries from './queries.ts'

type Counts<Params> = {
  builtIn: readonly { id: string; params: Params }[]
  /** Undefined where counting would delay the page. */
  count: (params: Params) => Promise<number | undefined>
}

/** Counts the built-in views of a list and the user's own ones. Each is counted on its own, as some take long. */
export async function countViews<Params extends object, Own extends queries.ViewContent & { params: Params }>(
  own: readonly ({ id: string; name: string } & Own)[],
  { builtIn, count }: Counts<Params>,
) {
  const counts: Record<string, number | null> = {}
  for (const { id, params } of builtIn) counts[id] = (await count(params)) ?? null
  const views = []
  for (const { id, ...view } of own) views.push({ viewUuid: id, ...view, count: (await count(view.params)) ?? null })
  return { builtIn: counts, views }
}

/** Saves a view under its name. A view of that name is replaced. */
export async function saveView(
  world: World,
  input: Where & { caller: CallerInUnit },
  view: queries.ViewToSave,
): Promise<{ viewUuid: string }> {
  const { caller } = input
  const name = view.name.trim()
  if (name === '') throw refuseFields([{ path: 'name', rule: 'required', key: 'validation.required' }])
  return world.database.inScope(caller.unit.scope, async tx => {
    const owned = { ...view, name, userId: caller.userId }
    const saved = (await queries.changeView(tx, owned)) ?? (await queries.insertView(tx, world.ids.next(), world.clock.now(), owned))
    if (!saved) throw new Refusal('policy.too_many_views')
    await audit(world, tx, input, { action: 'policy_view.saved', outcome: 'done', object: saved.id })
    return { viewUuid: saved.id }
  })
}

/** Deletes the user's view of one of these lists. */
export const removeView =
  (world: World, lists: readonly ViewedList[]): Handler<Call<typeof deleteView>> =>
  ({ ask, caller, ...where }) =>
    world.database.inScope(caller.unit.scope, async tx => {
      const deleted = await queries.deleteView(tx, caller.userId, lists, ask.viewUuid)
      if (!deleted) throw new Refusal('request.not_found')
      await audit(world, tx, { ...where, caller }, { action: 'policy_view.deleted', outcome: 'done', object: deleted.id })
      return { deleted: true }
    })
