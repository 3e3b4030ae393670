import type * as calls from '#common/session/account-calls.ts'
import { Refusal, refuseFields } from '#common/kit/refusals.ts'
import type { World } from '#server/kit/app-context.ts'
import type { Handler } from '#server/kit/serve.ts'
import { audit } from '#server/session/audit.ts'
import { findSession, updateUser } from '#server/session/queries.ts'
import { describeUser } from '#server/session/sign-in/users-me.ts'
import { hashToken } from '#server/session/tokens.ts'
import { personName } from './person-name.ts'

/** Name, language and density of whoever asks; what is left out stays. */
export const updateMe =
  (world: World): Handler<typeof calls.updateMe> =>
  async asked => {
    const { userId, accessToken } = asked.caller
    const { name, locale, density } = asked.ask
    const spoken = name === undefined ? undefined : personName(name)
    if (spoken === '') throw refuseFields([{ path: 'name', rule: 'required', key: 'validation.required' }])
    const changes = {
      ...(spoken === undefined ? {} : { name: spoken }),
      ...(locale === undefined ? {} : { locale }),
      ...(density === undefined ? {} : { density }),
    }
    if (Object.keys(changes).length > 0)
      await world.database.asService(async tx => {
        await updateUser(tx, userId, changes)
        await audit(world, tx, asked, { action: 'session.profile_update', outcome: 'done', object: userId, details: changes })
      })
    const session = await findSession(world.database, hashToken(accessToken))
    if (!session) throw new Refusal('session.missing')
    return describeUser(world, session, accessToken)
  }
