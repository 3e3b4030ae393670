import type * as calls from '#common/session/account-calls.ts'
import { refuseFields } from '#common/kit/refusals.ts'
import type { World } from '#server/kit/app-context.ts'
import type { Handler } from '#server/kit/serve.ts'
import { audit } from '#server/session/audit.ts'
import { onlyWithPasswords } from '#server/session/external/kind.ts'
import { refuseGuessable } from '#server/session/password/guessable.ts'
import { hashPassword } from '#server/session/password/passwords.ts'
import { endSessionsOf, updateUser, voidLinksOf } from '#server/session/queries.ts'
import { notifyAccessChange } from './access-changed.ts'
import { demandPassword } from './demand.ts'

/** Changes the user's password and ends all their other sessions. */
export const changePassword =
  (world: World): Handler<typeof calls.changePassword> =>
  async input => {
    onlyWithPasswords(world.config)
    await demandPassword(world, input, { path: 'current', password: input.ask.current }, 'session.password_change')
    if (input.ask.password.normalize() === input.ask.current.normalize())
      throw refuseFields([{ path: 'password', rule: 'other', key: 'account.password.same' }])
    const { userId, sessionId } = input.caller
    const hash = await hashPassword(input.ask.password)
    const now = world.realTime.now()
    await world.database.asService(async tx => {
      await refuseGuessable(tx, userId, input.ask.password)
      await updateUser(tx, userId, { password_hash: hash })
      const ended = await endSessionsOf(tx, userId, now, sessionId)
      await voidLinksOf(tx, userId, now)
      await audit(world, tx, input, { action: 'session.password_change', outcome: 'done', object: userId, details: { ended } })
      await notifyAccessChange(world, tx, input, userId, 'password')
    })
    return { changed: true }
  }
