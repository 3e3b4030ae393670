import type * as calls from '#common/administration/user-calls.ts'
import type { World } from '#server/kit/app-context.ts'
import type { Handler } from '#server/kit/serve.ts'
import { audit } from '#server/session/public.ts'
import { pagesOf } from '../paging.ts'
import { describeUser, describeUsers } from './describe.ts'
import { listUserRows } from './queries.ts'

/** To look through people's names and addresses is a look at personal data: the audit has what was looked for. */
export const listUsers =
  (world: World): Handler<typeof calls.listUsers> =>
  async asked => {
    const { ask, caller } = asked
    const { allUnits, userId } = caller
    const { page, perPage, ...search } = ask
    return world.database.acrossUnits(allUnits, async tx => {
      const wanted = { text: ask.searchData ?? '', unitId: ask.businessUnitUuid, state: ask.state }
      const { total, rows } = await listUserRows(tx, wanted, ask)
      const deed = { action: 'administration.users_listed', outcome: 'done' as const, userId, businessUnitId: ask.businessUnitUuid }
      await audit(world, tx, asked, { ...deed, details: { ...search, page, total } })
      return { ...pagesOf(total, { page, perPage }), users: await describeUsers(tx, rows) }
    })
  }

export const viewUser =
  (world: World): Handler<typeof calls.viewUser> =>
  async asked => {
    const { ask, caller } = asked
    const { allUnits, userId } = caller
    return world.database.acrossUnits(allUnits, async tx => {
      const user = await describeUser(world, tx, ask.uuid)
      await audit(world, tx, asked, { action: 'administration.user_viewed', outcome: 'done', userId, object: ask.uuid })
      return user
    })
  }
