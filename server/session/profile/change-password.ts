import type * as calls from '#common/session/account-calls.ts'
import type { World } from '#server/kit/app-context.ts'
import type { Handler } from '#server/kit/serve.ts'
import { audit } from '#server/session/audit.ts'
import { onlyWithPasswords } from '#server/session/external/kind.ts'
import { hashPassword } from '#server/session/password/passwords.ts'
import { endSessionsOf, updateUser, voidLinksOf } from '#server/session/queries.ts'
import { tellAccessChange } from './access-changed.ts'
import { demandPassword } from './demand.ts'

/** Whoever is signed in elsewhere with the old password is so no longer; this session goes on. */
export const changePassword =
  (world: World): Handler<typeof calls.changePassword> =>
  async asked => {
    onlyWithPasswords(world.config)
    await demandPassword(world, asked, { path: 'current', password: asked.ask.current }, 'session.password_change')
    const { userId, sessionId } = asked.caller
    const hash = await hashPassword(asked.ask.password)
    const now = world.clock.now()
    await world.database.asService(async tx => {
      await updateUser(tx, userId, { password_hash: hash })
      const ended = await endSessionsOf(tx, userId, now, sessionId)
      await voidLinksOf(tx, userId, now)
      await audit(world, tx, asked, { action: 'session.password_change', outcome: 'done', object: userId, details: { ended } })
      await tellAccessChange(world, tx, asked, userId, 'password')
    })
    return { changed: true }
  }
