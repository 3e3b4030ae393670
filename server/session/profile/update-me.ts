import * as calls from '#common/session/account-calls.ts'
import { Refusal, refuseFields } from '#common/kit/refusals.ts'
import type { World } from '#server/kit/app-context.ts'
import type { Handler } from '#server/kit/serve.ts'
import { audit } from '#server/session/audit.ts'
import { onlyWithPasswords } from '#server/session/external/kind.ts'
import { hashPassword, refuseGuessable } from '#server/session/password/passwords.ts'
import { endSessionsOf, findSession, updateUser, voidLinksOf } from '#server/session/queries.ts'
import { describeUser } from '#server/session/sign-in/users-me.ts'
import { hashToken } from '#server/session/tokens.ts'
import { notifyAccessChange } from './access-notices.ts'
import { demandPassword } from './demand.ts'

/** Changes the user's name, language and density. Omitted fields stay as they are. */
export const updateMe =
  (world: World): Handler<typeof calls.updateMe> =>
  async input => {
    const { userId, accessToken } = input.caller
    const { name, locale, density } = input.ask
    const cleaned = name === undefined ? undefined : personName(name)
    if (cleaned === '') throw refuseFields([{ path: 'name', rule: 'required', key: 'validation.required' }])
    const changes = {
      ...(cleaned === undefined ? {} : { name: cleaned }),
      ...(locale === undefined ? {} : { locale }),
      ...(density === undefined ? {} : { density }),
    }
    if (Object.keys(changes).length > 0)
      await world.database.asService(async tx => {
        await updateUser(tx, userId, changes)
        await audit(world, tx, input, { action: 'session.profile_update', outcome: 'done', object: userId, details: changes })
      })
    const session = await findSession(world.database, hashToken(accessToken))
    if (!session) throw new Refusal('session.missing')
    return describeUser(world, session, accessToken)
  }

/** Makes a name one line in the order as written: no control, direction or hidden characters. */
export const personName = (text: string): string =>
  text
    .toWellFormed()
    .normalize('NFC')
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replaceAll(/\p{Cf}/gu, '')
    .trim()

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
