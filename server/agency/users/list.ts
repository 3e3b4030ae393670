import type * as calls from '#common/agency/calls.ts'
import { assignableBy } from '#common/agency/users.ts'
import { within } from '#server/kit/database.ts'
import type { World } from '#server/kit/app-context.ts'
import type { Handler } from '#server/kit/serve.ts'
import { audit } from '#server/session/public.ts'
import { describeMember } from './describe.ts'
import { listMembers } from './queries.ts'

/** Lists the agency's users. This views personal data, so it is audited. */
export const agencyUsers =
  (world: World): Handler<typeof calls.agencyUsers> =>
  async input => {
    const { caller } = input
    const { scope, permissions } = caller.unit
    const members = await world.database.asService(async whole => {
      const tx = within(whole, scope)
      await audit(world, tx, input, { action: 'agency.users_look', outcome: 'done' })
      return listMembers(tx)
    })
    return { users: members.map(member => describeMember(caller, member)), assignable: assignableBy(permissions) }
  }
