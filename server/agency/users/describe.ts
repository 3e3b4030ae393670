import type { AgencyUser } from '#common/agency/schemas.ts'
import { reaches } from '#common/agency/users.ts'
import { may } from '#common/kit/permissions.ts'
import { rolesHeld } from '#common/session/roles.ts'
import type { CallerInUnit } from '#server/kit/caller.ts'
import type { Member } from './queries.ts'

/**
 * Of somebody who is only invited nothing is told but the invitation: what they are elsewhere is nobody's business here. When
 * somebody who works for another agency, too, has signed in, and where, is not this agency's either.
 */
export function describeMember({ userId, unit }: CallerInUnit, member: Member): AgencyUser {
  const { invited, worksElsewhere } = member
  const self = member.userId === userId
  const state = invited ? 'invited' : member.active && member.alive ? 'active' : 'suspended'
  return {
    uuid: member.userId,
    name: member.name,
    email: member.email,
    roles: member.roles,
    active: state !== 'suspended',
    state,
    invitedAt: invited ? (member.invitedAt?.toISOString() ?? null) : null,
    lastSignInAt: invited || (worksElsewhere && !self) ? null : (member.lastSignInAt?.toISOString() ?? null),
    sessions: invited ? 0 : worksElsewhere && !self ? null : member.sessions,
    twoFactor: !invited && member.twoFactor,
    self,
    changeable: may(unit.permissions, 'b2b-users-update') && reaches(unit.permissions, rolesHeld(member.roles, member.administrator)),
  }
}
