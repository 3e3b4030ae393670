import { Refusal, refuseFields } from '#common/kit/refusals.ts'
import type * as calls from '#common/session/invitation-calls.ts'
import type { UnitSettings } from '#server/business-unit/public.ts'
import type { Config } from '#server/config.ts'
import { type UnitWithinTx, within } from '#server/kit/database.ts'
import type { World } from '#server/kit/app-context.ts'
import type { Handler } from '#server/kit/serve.ts'
import { audit } from '#server/session/audit.ts'
import { signInKind } from '#server/session/external/kind.ts'
import { hashPassword, refuseGuessable } from '#server/session/password/passwords.ts'
import { madeAdministrator } from '#server/session/profile/access-notices.ts'
import { activeAdministrators, adminRoles } from '#server/session/profile/own-access.ts'
import { updateUser, useToken, voidLinksOf } from '#server/session/queries.ts'
import { scopeOf } from '#server/session/scope.ts'
import { hashToken, mintToken } from '#server/session/tokens.ts'
import { acceptMembership, findInvitation, insertInvitation, isInvited, voidInvitations } from './queries.ts'

/** Returns the invitation that a link leads to, for its form. */
export const invitation =
  (world: World): Handler<typeof calls.invitation> =>
  async ({ ask }) => {
    const found = await world.database.asService(tx => findInvitation(tx, hashToken(ask.token), world.realTime.now()))
    if (!found) throw new Refusal('session.bad_token')
    // Safe: settings are written from UnitSettings only.
    const { brandName } = found.settings as UnitSettings
    return { brandName, name: found.invitedName ?? found.name, email: found.email, choosesPassword: choosesPassword(world.config, found) }
  }

/** Makes the invited user a member. Users without a password choose one, others keep theirs. */
export const acceptInvitation =
  (world: World): Handler<typeof calls.acceptInvitation> =>
  async input => {
    const { token, password } = input.ask
    const hash = password === undefined ? undefined : await hashPassword(password)
    const now = world.realTime.now()
    const email = await world.database.asService(async tx => {
      const found = await findInvitation(tx, hashToken(token), now)
      if (!found) return undefined
      const chooses = choosesPassword(world.config, found)
      if (chooses && !hash) throw refuseFields([{ path: 'password', rule: 'required', key: 'validation.required' }])
      if (!chooses && hash) throw refuseFields([{ path: 'password', rule: 'unknown', key: 'shape.unknown' }])
      const used = await useToken(tx, { hash: hashToken(token), purpose: 'invitation', now })
      if (!used) return undefined
      const { userId, businessUnitId } = found
      if (password !== undefined) await refuseGuessable(tx, userId, password)
      const administers = await activeAdministrators(tx).where('users.id', '=', userId).executeTakeFirst()
      await acceptMembership(within(tx, scopeOf(businessUnitId)), userId, now)
      if (hash) {
        await updateUser(tx, userId, { password_hash: hash, name: found.invitedName ?? found.name })
        await voidLinksOf(tx, userId, now)
      }
      await audit(world, tx, input, { action: 'session.invitation_accepted', outcome: 'done', userId, businessUnitId, object: userId })
      if (!administers && found.roles.some(role => adminRoles.includes(role)))
        await audit(world, tx, input, { action: madeAdministrator, outcome: 'done', userId, businessUnitId, object: userId })
      return found.email
    })
    if (email === undefined) throw new Refusal('session.bad_token')
    return { email }
  }

const choosesPassword = (config: Config, { passwordHash }: { passwordHash: string | null }): boolean =>
  signInKind(config) === 'password' && passwordHash === null

/** Returns a single-use link to accept an invitation, or undefined if it is not open. Earlier links stop working. */
export async function invitationLink(world: World, tx: UnitWithinTx, userId: string, minutes: number): Promise<string | undefined> {
  if (!(await isInvited(tx, userId))) return undefined
  const token = mintToken()
  const now = world.realTime.now()
  await voidInvitations(tx, userId, now)
  await insertInvitation(tx, { tokenHash: hashToken(token), userId, expires: new Date(now.getTime() + minutes * 60_000) })
  return `/auth/invitation#token=${token}`
}
