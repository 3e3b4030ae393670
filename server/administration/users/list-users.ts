import type * as calls from '#common/administration/calls.ts'
import type { World } from '#server/kit/app-context.ts'
import type { Handler } from '#server/kit/serve.ts'
import { audit } from '#server/session/public.ts'
import { pagesOf } from '#server/kit/paging.ts'
import { describeUser, describeUsers } from './describe.ts'
import { listUserRows } from './queries.ts'

/** Lists users. This views personal data, so it is audited with its search. */
export const listUsers =
  (world: World): Handler<typeof calls.listUsers> =>
  async input => {
    const { ask, caller } = input
    const { allUnits, userId } = caller
    const { page, perPage, ...search } = ask
    return world.database.acrossUnits(allUnits, async tx => {
      const wanted = { text: ask.searchData ?? '', unitId: ask.businessUnitUuid, state: ask.state }
      const { total, rows } = await listUserRows(tx, wanted, ask)
      const entry = { action: 'administration.users_listed', outcome: 'done' as const, userId, businessUnitId: ask.businessUnitUuid }
      await audit(world, tx, input, { ...entry, details: { ...search, page, total } })
      return { ...pagesOf(total, { page, perPage }), users: await describeUsers(tx, rows) }
    })
  }

export const viewUser =
  (world: World): Handler<typeof calls.viewUser> =>
  async input => {
    const { ask, caller } = input
    const { allUnits, userId } = caller
    return world.database.acrossUnits(allUnits, async tx => {
      const user = await describeUser(world, tx, ask.uuid)
      await audit(world, tx, input, { action: 'administration.user_viewed', outcome: 'done', userId, object: ask.uuid })
      return user
    })
  }
