import type { AgencyUser } from '#common/agency/calls.ts'
import { reaches } from '#common/agency/users.ts'
import { may } from '#common/kit/permissions.ts'
import { rolesHeld } from '#common/session/roles.ts'
import type { CallerInUnit } from '#server/kit/caller.ts'
import type { Member } from './rows.ts'

/** Of somebody who is only invited nothing is told but the invitation: what he is elsewhere is nobody's business here. */
export function describeMember({ userId, unit }: CallerInUnit, member: Member): AgencyUser {
  const { invited } = member
  const state = invited ? 'invited' : member.active && member.alive ? 'active' : 'suspended'
  return {
    uuid: member.userId,
    name: member.name,
    email: member.email,
    roles: member.roles,
    active: state !== 'suspended',
    state,
    invitedAt: invited ? (member.invitedAt?.toISOString() ?? null) : null,
    lastSignInAt: invited ? null : (member.lastSignInAt?.toISOString() ?? null),
    sessions: invited ? 0 : member.sessions,
    twoFactor: !invited && member.twoFactor,
    self: member.userId === userId,
    changeable: may(unit.permissions, 'b2b-users-update') && reaches(unit.permissions, rolesHeld(member.roles, member.administrator)),
  }
}
