import type { ResponseSentOf } from '#common/kit/call.ts'
import { Refusal } from '#common/kit/refusals.ts'
import type * as calls from '#common/session/calls.ts'
import type { World } from '#server/kit/app-context.ts'
import type { Handler } from '#server/kit/serve.ts'
import { findSession, type LiveSession } from '#server/session/queries.ts'
import { hashToken, unitToken } from '#server/session/tokens.ts'

/** Returns the signed-in user with their units and roles. */
export const usersMe =
  (world: World): Handler<typeof calls.usersMe> =>
  async ({ caller }) => {
    const session = await findSession(world.database, hashToken(caller.accessToken))
    if (!session) throw new Refusal('session.missing')
    return describeUser(world, session, caller.accessToken)
  }

/** Describes the user. The roles and permissions at the top are the first unit's (spec 3); each unit states its own. */
export function describeUser({ secrets }: World, session: LiveSession, accessToken: string): ResponseSentOf<typeof calls.usersMe> {
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
      // The key is the same in every session of the user and stored nowhere, so drafts are readable after the next sign-in.
      browserKey: secrets.derive(`browser ${session.userId} ${businessUnitId}`).toString('base64'),
      locale,
      roles,
      permissions,
    })),
  }
}
