import { may, narrowedToOwn, type Permission } from '#common/kit/permissions.ts'

const selling = [
  'b2b-access',
  'b2b-products-view',
  'b2b-products-sell',
  'b2b-policies-sold-view',
  'b2b-policies-draft-view',
  'b2b-policies-change',
] as const

/** The permissions of each role (spec 6). */
export const roles = {
  viewer: ['b2b-access', 'b2b-policies-sold-view'],
  seller: [...selling, 'b2b-agency-view'],
  /** A seller who sees only own sales. */
  freelancer: [...selling, 'b2b-policies-own-only', 'b2b-accounting-view'],
  accountant: ['b2b-access', 'b2b-policies-sold-view', 'b2b-agency-view', 'b2b-accounting-view'],
  manager: [...selling, 'b2b-agency-view', 'b2b-agency-update', 'b2b-users-view', 'b2b-users-update', 'b2b-accounting-view'],
  admin: ['b2b-admin'],
} as const satisfies Record<string, readonly Permission[]>

export type Role = keyof typeof roles

/** All roles, from the fewest permissions to the most. Safe: `roles` has no other keys. */
export const allRoles = Object.keys(roles) as Role[]

/** Returns the effective roles. An administrator of the service has every permission in each own unit. */
export const rolesHeld = (roleNames: readonly string[], administrator: boolean): readonly string[] =>
  administrator ? [...roleNames, 'admin' satisfies Role] : roleNames

export const isRole = (name: string): name is Role => Object.hasOwn(roles, name)

/** Returns the permissions of these roles, each once. Unknown roles grant nothing. */
export const permissionsOf = (names: readonly string[]): Permission[] => [
  ...new Set(names.filter(isRole).flatMap(name => [...roles[name]])),
]

/** True if a user may grant these roles (docs/decisions/0015-accounts.md). They must not exceed the user's own permissions or view. */
export function reaches(granted: readonly Permission[], roleNames: readonly string[]): boolean {
  const wanted = permissionsOf(roleNames)
  const widens = narrowedToOwn(granted) && !narrowedToOwn(wanted)
  return !widens && wanted.every(permission => permission === 'b2b-policies-own-only' || may(granted, permission))
}

/** Returns the roles that a user may grant, from the fewest permissions to the most. */
export const assignableBy = (granted: readonly Permission[]): Role[] => allRoles.filter(role => reaches(granted, [role]))

/** True if these roles manage the unit's users. Administrators do not count, as they are not staff of the unit. */
export const isManager = (roleNames: readonly string[]): boolean => permissionsOf(roleNames).includes('b2b-users-update')

/** True if a change would leave a unit without a manager who can appoint others. */
export function leavesNoManager(before: readonly MemberRoles[], after: readonly MemberRoles[]): boolean {
  const managing = (members: readonly MemberRoles[]) => members.some(({ active, roles }) => active && isManager(roles))
  return managing(before) && !managing(after)
}

export type MemberRoles = { active: boolean; roles: readonly string[] }
