import { Refusal } from '#common/kit/refusals.ts'
import { onlyWithPasswords } from '#server/session/external/kind.ts'
import type * as calls from '#common/session/calls.ts'
import type { World } from '#server/kit/app-context.ts'
import type { Handler } from '#server/kit/serve.ts'
import { audit, countRefusal } from '#server/session/audit.ts'
import { hashPassword } from '#server/session/password/passwords.ts'
import { tellAccessChange } from '#server/session/profile/access-changed.ts'
import { endSessionsOf, updateUser, useToken, voidLinksOf } from '#server/session/queries.ts'
import { rememberDevice } from '#server/session/second-factor/devices.ts'
import { hashToken } from '#server/session/tokens.ts'

/** A new password for whoever has the link; every session of that user ends, and every other link. */
export const resetPassword =
  (world: World): Handler<typeof calls.resetPassword> =>
  async asked => {
    onlyWithPasswords(world.config)
    const hash = await hashPassword(asked.ask.password)
    const now = world.clock.now()
    const changed = await world.database.asService(async tx => {
      const used = await useToken(tx, { hash: hashToken(asked.ask.token), purpose: 'password', now })
      if (!used) {
        await countRefusal(world, tx, asked, { action: 'session.reset_password', reason: 'session.bad_token' })
        return false
      }
      await audit(world, tx, asked, { action: 'session.reset_password', outcome: 'done', userId: used.userId })
      await updateUser(tx, used.userId, { password_hash: hash })
      await endSessionsOf(tx, used.userId, now)
      await voidLinksOf(tx, used.userId, now)
      // A way in for an owner whose codes somebody else is guessing: the mail has shown whose browser this is.
      await rememberDevice(world, tx, asked.cookies, used.userId, 'mail')
      await tellAccessChange(world, tx, asked, used.userId, 'password_link')
      return true
    })
    world.metrics.signIns.inc({ event: changed ? 'session.reset_password' : 'session.bad_token' })
    if (!changed) throw new Refusal('session.bad_token')
    return { changed: true }
  }
