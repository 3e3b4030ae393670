import type { ReplySent } from '#common/kit/call.ts'
import { Refusal } from '#common/kit/refusals.ts'
import type * as calls from '#common/session/calls.ts'
import type { World } from '#server/kit/app-context.ts'
import type { Handler } from '#server/kit/serve.ts'
import { findSession, type LiveSession } from '#server/session/queries.ts'
import { hashToken, unitToken } from '#server/session/tokens.ts'

/** Who is signed in, and as what in which unit. */
export const usersMe =
  (world: World): Handler<typeof calls.usersMe> =>
  async ({ caller }) => {
    const session = await findSession(world.database, hashToken(caller.accessToken))
    if (!session) throw new Refusal('session.missing')
    return describeUser(world, session, caller.accessToken)
  }

/** Roles and permissions at the top are those of the first unit, as spec 3 has them; each unit tells its own. */
export function describeUser({ secrets }: World, session: LiveSession, accessToken: string): ReplySent<typeof calls.usersMe> {
  const [first] = session.memberships
  return {
    uuid: session.userId,
    name: session.name,
    email: session.email,
    roles: first?.roles ?? [],
    permissions: first?.permissions ?? [],
    locale: session.locale,
    density: session.density,
    twoFactor: session.twoFactor,
    administrator: session.administrator,
    businessUnits: session.memberships.map(({ businessUnitId, name, locale, roles, permissions }) => ({
      uuid: businessUnitId,
      name,
      token: unitToken(accessToken, businessUnitId),
      // The same in every session of this user: whoever signs in again can read what was typed before. It is stored nowhere.
      browserKey: secrets.derive(`browser ${session.userId} ${businessUnitId}`).toString('base64'),
      locale,
      roles,
      permissions,
    })),
  }
}
