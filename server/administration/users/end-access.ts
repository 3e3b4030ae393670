import * as calls from '#common/administration/calls.ts'
import { Refusal } from '#common/kit/refusals.ts'
import type { World } from '#server/kit/app-context.ts'
import type { Handler } from '#server/kit/serve.ts'
import { audit, notifyAccessChange } from '#server/session/public.ts'
import { describeUser } from './describe.ts'
import { endSessions, findUserRow, resetFactor } from './queries.ts'

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

/**
 * Resets the second factor of a user who lost phone and recovery codes and works for several units.
 * None of these units may reset it alone, as it also protects the others.
 */
export const resetTwoFactor =
  (world: World): Handler<typeof calls.resetTwoFactor> =>
  async input => {
    const { ask, caller } = input
    const { allUnits, userId } = caller
    // Administrators cannot reset their own second factor, which would bypass the code.
    if (ask.uuid === userId) throw new Refusal('session.forbidden')
    return world.database.acrossUnits(allUnits, async tx => {
      if (!(await findUserRow(tx, ask.uuid))) throw new Refusal('request.not_found')
      if (!(await resetFactor(tx, ask.uuid))) throw new Refusal('session.two_factor_off')
      const ended = await endSessions(tx, ask.uuid, world.realTime.now())
      const entry = { action: 'administration.two_factor_reset', outcome: 'done' as const, userId, object: ask.uuid }
      await audit(world, tx, input, { ...entry, reason: ask.reason, details: { sessionsEnded: ended } })
      await notifyAccessChange(world, tx, input, ask.uuid, 'two_factor_reset')
      return describeUser(world, tx, ask.uuid)
    })
  }
