import type * as calls from '#common/session/account-calls.ts'
import { Refusal, refuseFields } from '#common/kit/refusals.ts'
import type { World } from '#server/kit/app-context.ts'
import type { Handler } from '#server/kit/serve.ts'
import { audit } from '#server/session/audit.ts'
import { findSession, updateUser } from '#server/session/queries.ts'
import { describeUser } from '#server/session/sign-in/users-me.ts'
import { hashToken } from '#server/session/tokens.ts'
import { personName } from './person-name.ts'

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
