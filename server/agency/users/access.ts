import type * as calls from '#common/agency/calls.ts'
import { Refusal } from '#common/kit/refusals.ts'
import type { CallerInUnit } from '#server/kit/caller.ts'
import type { UnitWithinTx } from '#server/kit/database.ts'
import type { World } from '#server/kit/app-context.ts'
import type { Handler } from '#server/kit/serve.ts'
import { audit, dropFactor, endSessionsOf, notifyAccessChange } from '#server/session/public.ts'
import { describeMember } from './describe.ts'
import { withMember } from './locked-members.ts'
import { otherMemberships, type Member, updateMember } from './queries.ts'

export const endUserSessions =
  (world: World): Handler<typeof calls.endUserSessions> =>
  async input =>
    withMember(world, input, 'agency.user_sessions_ended', input.ask.uuid, async ({ tx, target }) => {
      if (target.invited) throw new Refusal('agency.still_invited')
      const ended = await endAccess(world, input.caller, tx, target)
      const entry = { action: 'agency.user_sessions_ended', outcome: 'done' as const, object: target.userId }
      await audit(world, tx, input, { ...entry, details: { ended } })
      return { ended }
    })

/** Ends the user's access. Sessions of a user of other agencies go on there, but no longer open this unit. */
async function endAccess(world: World, { userId, sessionId }: CallerInUnit, tx: UnitWithinTx, target: Member): Promise<number | null> {
  const now = world.realTime.now()
  if (!target.hasOtherUnits || target.userId === userId) return endSessionsOf(tx.whole, target.userId, now, sessionId)
  await updateMember(tx, target.userId, { access_from: now })
  return null
}

/** Resets the second factor of a user who lost phone and recovery codes. Users cannot reset their own, which would bypass the code. */
export const resetUserTwoFactor =
  (world: World): Handler<typeof calls.resetUserTwoFactor> =>
  async input => {
    const { caller, ask } = input
    return withMember(world, input, 'agency.user_two_factor_reset', ask.uuid, async ({ tx, target }) => {
      if (target.invited) throw new Refusal('agency.still_invited')
      if (target.userId === caller.userId) throw new Refusal('session.forbidden')
      if ((await otherMemberships(tx, target.userId)).length > 0) throw new Refusal('agency.user_elsewhere')
      await dropFactor(tx.whole, target.userId)
      await endSessionsOf(tx.whole, target.userId, world.realTime.now())
      await audit(world, tx, input, { action: 'agency.user_two_factor_reset', outcome: 'done', object: target.userId })
      if (target.twoFactor) await notifyAccessChange(world, tx.whole, input, target.userId, 'two_factor_reset')
      return describeMember(caller, { ...target, twoFactor: false, sessions: 0 })
    })
  }
