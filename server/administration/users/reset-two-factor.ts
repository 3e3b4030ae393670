import type * as calls from '#common/administration/user-calls.ts'
import { Refusal } from '#common/kit/refusals.ts'
import type { World } from '#server/kit/app-context.ts'
import type { Handler } from '#server/kit/serve.ts'
import { audit, tellAccessChange } from '#server/session/public.ts'
import { describeUser } from './describe.ts'
import { endSessions, findUserRow, takeFactorBack } from './queries.ts'

/** For whoever lost telephone and recovery codes and works for several units, of which none may let him in for the others. */
export const resetTwoFactor =
  (world: World): Handler<typeof calls.resetTwoFactor> =>
  async asked => {
    const { ask, caller } = asked
    const { allUnits, userId } = caller
    // One's own is not reset like this: it would spare oneself the code.
    if (ask.uuid === userId) throw new Refusal('session.forbidden')
    return world.database.acrossUnits(allUnits, async tx => {
      if (!(await findUserRow(tx, ask.uuid))) throw new Refusal('request.not_found')
      if (!(await takeFactorBack(tx, ask.uuid))) throw new Refusal('session.two_factor_off')
      const ended = await endSessions(tx, ask.uuid, world.clock.now())
      const deed = { action: 'administration.two_factor_reset', outcome: 'done' as const, userId, object: ask.uuid }
      await audit(world, tx, asked, { ...deed, reason: ask.reason, details: { sessionsEnded: ended } })
      await tellAccessChange(world, tx, asked, ask.uuid, 'two_factor_reset')
      return describeUser(world, tx, ask.uuid)
    })
  }
