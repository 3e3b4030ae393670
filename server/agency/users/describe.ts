import type * as calls from '#common/agency/calls.ts'
import type { AgencyUser } from '#common/agency/schemas.ts'
import { may } from '#common/kit/permissions.ts'
import { assignableBy, reaches, rolesHeld } from '#common/session/roles.ts'
import type { World } from '#server/kit/app-context.ts'
import type { CallerInUnit } from '#server/kit/caller.ts'
import { within } from '#server/kit/database.ts'
import type { Scope } from '#server/kit/scope.ts'
import type { Handler } from '#server/kit/serve.ts'
import { stableId } from '#server/kit/store/stable-id.ts'
import { audit } from '#server/session/public.ts'
import { listMembers, type Member } from './queries.ts'

/**
 * Describes a member to their agency. For an invited user it reveals the invitation and nothing else.
 * Sign-ins and sessions of a user of other agencies, too, are not this agency's business.
 */
export function describeMember({ userId, unit }: CallerInUnit, member: Member): AgencyUser {
  const { invited, hasOtherUnits } = member
  const mayChange = may(unit.permissions, 'b2b-users-update')
  const self = member.userId === userId
  const state = invited ? 'invited' : member.active && member.userActive ? 'active' : 'suspended'
  return {
    uuid: shownId(unit.scope, member),
    name: member.name,
    email: member.email,
    roles: member.roles,
    active: state !== 'suspended',
    state,
    invitedAt: invited ? (member.invitedAt?.toISOString() ?? null) : null,
    lastSignInAt: invited || (hasOtherUnits && !self) ? null : (member.lastSignInAt?.toISOString() ?? null),
    sessions: invited ? 0 : hasOtherUnits && !self ? null : member.sessions,
    twoFactor: !invited && member.twoFactor,
    commissionShare: mayChange ? percentOf(member) : null,
    self,
    changeable: mayChange && reaches(unit.permissions, rolesHeld(member.roles, member.administrator)),
  }
}

/**
 * Returns the id by which the agency knows a member. An invited user's own id is hidden: it says when the user was created, and so whether another
 * agency has them.
 */
export const shownId = ({ businessUnitId }: Scope, { userId, invited }: Pick<Member, 'userId' | 'invited'>): string =>
  invited ? stableId('invitation', businessUnitId, userId) : userId

export const percentOf = ({ shareBp }: Pick<Member, 'shareBp'>): number | null => (shareBp === null ? null : shareBp / 100)

/** Lists the agency's users. This views personal data, so it is audited. */
export const agencyUsers =
  (world: World): Handler<typeof calls.agencyUsers> =>
  async input => {
    const { caller } = input
    const { scope, permissions } = caller.unit
    const members = await world.database.asService(async whole => {
      const tx = within(whole, scope)
      await audit(world, tx, input, { action: 'agency.users_look', outcome: 'done' })
      return listMembers(tx)
    })
    return { users: members.map(member => describeMember(caller, member)), assignable: assignableBy(permissions) }
  }
