import type * as calls from '#common/administration/user-calls.ts'
import { Refusal } from '#common/kit/refusals.ts'
import type { World } from '#server/kit/app-context.ts'
import type { Handler } from '#server/kit/serve.ts'
import { audit } from '#server/session/public.ts'
import { endSessions, findUserRow } from './queries.ts'

export const endUserSessions =
  (world: World): Handler<typeof calls.endUserSessions> =>
  async input => {
    const { ask, caller } = input
    const { allUnits, userId } = caller
    return world.database.acrossUnits(allUnits, async tx => {
      if (!(await findUserRow(tx, ask.uuid))) throw new Refusal('request.not_found')
      const ended = await endSessions(tx, ask.uuid, world.realTime.now(), ask.sessionUuid)
      const details = { ended, ...(ask.sessionUuid ? { sessionUuid: ask.sessionUuid } : {}) }
      await audit(world, tx, input, { action: 'administration.sessions_ended', outcome: 'done', userId, object: ask.uuid, details })
      return { ended }
    })
  }
