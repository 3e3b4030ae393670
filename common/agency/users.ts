import { may, narrowedToOwn, type Permission } from '#common/kit/permissions.ts'
import { permissionsOf, type Role, roles } from '#common/session/roles.ts'

/** Nobody gives, or changes in others, more than he has himself (api.md, Agency). A narrower sight gives no wider one either. */
export function reaches(granted: readonly Permission[], roleNames: readonly string[]): boolean {
  const wanted = permissionsOf(roleNames)
  const widens = narrowedToOwn(granted) && !narrowedToOwn(wanted)
  return !widens && wanted.every(permission => permission === 'b2b-policies-own-only' || may(granted, permission))
}

/** The roles that somebody may give, from the least to the most. */
export const assignableBy = (granted: readonly Permission[]): Role[] =>
  (Object.keys(roles) as Role[]).filter(role => reaches(granted, [role]))

/** Whoever may change the users of his own unit by his own roles; the insurer’s people, who may everything, come and go. */
export const isManager = (roleNames: readonly string[]): boolean => permissionsOf(roleNames).includes('b2b-users-update')

/** The last one who manages a unit’s users cannot be taken from it: there would be nobody left to give them back. */
export function leavesNoManager(before: readonly MemberRoles[], after: readonly MemberRoles[]): boolean {
  const managing = (members: readonly MemberRoles[]) => members.some(({ active, roles }) => active && isManager(roles))
  return managing(before) && !managing(after)
}

export type MemberRoles = { active: boolean; roles: readonly string[] }
