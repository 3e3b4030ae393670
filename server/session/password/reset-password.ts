import { Refusal } from '#common/kit/refusals.ts'
import { onlyWithPasswords } from '#server/session/external/kind.ts'
import type * as calls from '#common/session/calls.ts'
import type { World } from '#server/kit/app-context.ts'
import type { Handler } from '#server/kit/serve.ts'
import { audit, countRefusal } from '#server/session/audit.ts'
import { refuseGuessable } from '#server/session/password/guessable.ts'
import { hashPassword } from '#server/session/password/passwords.ts'
import { notifyAccessChange } from '#server/session/profile/access-changed.ts'
import { endSessionsOf, updateUser, useToken, voidLinksOf } from '#server/session/queries.ts'
import { rememberDevice } from '#server/session/second-factor/devices.ts'
import { hashToken } from '#server/session/tokens.ts'

/** Sets a new password by a mailed link. It ends all sessions of the user and voids all other links. */
export const resetPassword =
  (world: World): Handler<typeof calls.resetPassword> =>
  async input => {
    onlyWithPasswords(world.config)
    const hash = await hashPassword(input.ask.password)
    const now = world.realTime.now()
    const changed = await world.database.asService(async tx => {
      const used = await useToken(tx, { hash: hashToken(input.ask.token), purpose: 'password', now })
      if (!used) {
        await countRefusal(world, tx, input, { action: 'session.reset_password', reason: 'session.bad_token' })
        return false
      }
      await refuseGuessable(tx, used.userId, input.ask.password)
      await audit(world, tx, input, { action: 'session.reset_password', outcome: 'done', userId: used.userId })
      await updateUser(tx, used.userId, { password_hash: hash })
      await endSessionsOf(tx, used.userId, now)
      await voidLinksOf(tx, used.userId, now)
      // The device becomes known, so an owner gets in while others guess codes. Reading the mail proved whose browser this is.
      await rememberDevice(world, tx, input.cookies, used.userId, 'mail')
      await notifyAccessChange(world, tx, input, used.userId, 'password_link')
      return true
    })
    world.metrics.signIns.inc({ event: changed ? 'session.reset_password' : 'session.bad_token' })
    if (!changed) throw new Refusal('session.bad_token')
    return { changed: true }
  }
