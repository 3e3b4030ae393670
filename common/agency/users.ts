import { may, narrowedToOwn, type Permission } from '#common/kit/permissions.ts'
import { allRoles, permissionsOf, type Role } from '#common/session/roles.ts'

/** True if a user may grant these roles (docs/decisions/0015-accounts.md). They must not exceed the user's own permissions or view. */
export function reaches(granted: readonly Permission[], roleNames: readonly string[]): boolean {
  const wanted = permissionsOf(roleNames)
  const widens = narrowedToOwn(granted) && !narrowedToOwn(wanted)
  return !widens && wanted.every(permission => permission === 'b2b-policies-own-only' || may(granted, permission))
}

/** Returns the roles that a user may grant, from the fewest permissions to the most. */
export const assignableBy = (granted: readonly Permission[]): Role[] => allRoles.filter(role => reaches(granted, [role]))

/** True if these roles manage the unit's users. Administrators do not count, as they are not staff of the unit. */
const isManager = (roleNames: readonly string[]): boolean => permissionsOf(roleNames).includes('b2b-users-update')

/** True if a change would leave a unit without a manager who can appoint others. */
export function leavesNoManager(before: readonly MemberRoles[], after: readonly MemberRoles[]): boolean {
  const managing = (members: readonly MemberRoles[]) => members.some(({ active, roles }) => active && isManager(roles))
  return managing(before) && !managing(after)
}

export type MemberRoles = { active: boolean; roles: readonly string[] }
