import { mostViews, type ViewedList } from '#common/views/views.ts'
import type { Instant, Json, UnitId } from '#server/kit/sql/tables.ts'
import type { UnitTx } from '#server/kit/database.ts'

/** The parameters and the hidden columns are those that the list's own call has checked. */
type StoredView = {
  business_unit_id: UnitId
  user_id: string
  id: string
  slot: number
  list: ViewedList
  name: string
  params: Json<Record<string, string>>
  hidden: string[]
  created_at: Instant
}

type ViewTables = { policy_views: StoredView }

declare module '#server/kit/sql/tables.ts' {
  interface Tables extends ViewTables {}
}

/** Returns the user's views of a list. Every query names the user, as colleagues' views have the same unit. A list's call has checked its views. */
export const viewsOf = <Content extends ViewContent>(tx: UnitTx, userId: string, list: ViewedList) =>
  tx
    .selectFrom('policy_views')
    .select(['id', 'name', 'params', 'hidden'])
    .where('user_id', '=', userId)
    .where('list', '=', list)
    .orderBy('slot')
    .$castTo<{ id: string; name: string } & Content>()
    .execute()

export type ViewContent = { params: object; hidden?: string[] }
export type ViewToSave = Pick<StoredView, 'list' | 'name'> & ViewContent
type OwnedView = ViewToSave & { userId: string }

/** Changes the view of that name; undefined if there is none. */
export const changeView = (tx: UnitTx, { userId, list, name, params, hidden = [] }: OwnedView): Promise<{ id: string } | undefined> =>
  tx
    .updateTable('policy_views')
    .set({ params: JSON.stringify(params), hidden })
    .where('user_id', '=', userId)
    .where('list', '=', list)
    .where('name', '=', name)
    .returning('id')
    .executeTakeFirst()

/** Puts a view into the first free slot; undefined if there is none, or if another request has taken it meanwhile. */
export async function insertView(
  tx: UnitTx,
  id: string,
  at: Date,
  { userId, list, name, params, hidden = [] }: OwnedView,
): Promise<{ id: string } | undefined> {
  const taken = await tx.selectFrom('policy_views').select('slot').where('user_id', '=', userId).execute()
  const slot = Array.from({ length: mostViews }, (_, index) => index + 1).find(each => taken.every(({ slot }) => slot !== each))
  if (slot === undefined) return undefined
  return tx
    .insertInto('policy_views')
    .values({ id, user_id: userId, slot, list, name, params: JSON.stringify(params), hidden, created_at: at })
    .onConflict(conflict => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
}

export const deleteView = (tx: UnitTx, userId: string, lists: readonly ViewedList[], id: string): Promise<{ id: string } | undefined> =>
  tx
    .deleteFrom('policy_views')
    .where('user_id', '=', userId)
    .where('list', 'in', lists)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()
