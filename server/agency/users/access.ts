import type * as calls from '#common/agency/calls.ts'
import { Refusal } from '#common/kit/refusals.ts'
import type { CallerInUnit } from '#server/kit/caller.ts'
import type { UnitWithinTx } from '#server/kit/database.ts'
import type { World } from '#server/kit/app-context.ts'
import type { Handler } from '#server/kit/serve.ts'
import { audit, dropFactor, endSessionsOf, tellAccessChange } from '#server/session/public.ts'
import { describeMember } from './describe.ts'
import { withMember } from './locked-members.ts'
import { elsewhere, type Member, updateMember } from './queries.ts'

export const endUserSessions =
  (world: World): Handler<typeof calls.endUserSessions> =>
  async asked =>
    withMember(world, asked, 'agency.user_sessions_ended', asked.ask.uuid, async ({ tx, target }) => {
      if (target.invited) throw new Refusal('agency.still_invited')
      const ended = await endAccess(world, asked.caller, tx, target)
      const deed = { action: 'agency.user_sessions_ended', outcome: 'done' as const, object: target.userId }
      await audit(world, tx, asked, { ...deed, details: { ended } })
      return { ended }
    })

/** The sessions of somebody who works for another agency, too, go on there: they do not open this unit any more. */
async function endAccess(world: World, { userId, sessionId }: CallerInUnit, tx: UnitWithinTx, target: Member): Promise<number | null> {
  const now = world.clock.now()
  if (!target.worksElsewhere || target.userId === userId) return endSessionsOf(tx.whole, target.userId, now, sessionId)
  await updateMember(tx, target.userId, { access_from: now })
  return null
}

/** For whoever has lost telephone and recovery codes. One's own is not reset like this: it would spare oneself the code. */
export const resetUserTwoFactor =
  (world: World): Handler<typeof calls.resetUserTwoFactor> =>
  async asked => {
    const { caller, ask } = asked
    return withMember(world, asked, 'agency.user_two_factor_reset', ask.uuid, async ({ tx, target }) => {
      if (target.invited) throw new Refusal('agency.still_invited')
      if (target.userId === caller.userId) throw new Refusal('session.forbidden')
      if ((await elsewhere(tx, target.userId)).length > 0) throw new Refusal('agency.user_elsewhere')
      await dropFactor(tx.whole, target.userId)
      await endSessionsOf(tx.whole, target.userId, world.clock.now())
      await audit(world, tx, asked, { action: 'agency.user_two_factor_reset', outcome: 'done', object: target.userId })
      if (target.twoFactor) await tellAccessChange(world, tx.whole, asked, target.userId, 'two_factor_reset')
      return describeMember(caller, { ...target, twoFactor: false, sessions: 0 })
    })
  }
