import type { Permission } from '#common/kit/permissions.ts'

/** What each role may do (spec 6; the demo's users in api.md). */
export const roles = {
  viewer: ['b2b-access', 'b2b-policies-sold-view'],
  seller: ['b2b-access', 'b2b-products-view', 'b2b-products-sell', 'b2b-policies-sold-view', 'b2b-policies-draft-view', 'b2b-agency-view'],
  /** A seller who is shown only what he sold himself. */
  freelancer: [
    'b2b-access',
    'b2b-products-view',
    'b2b-products-sell',
    'b2b-policies-sold-view',
    'b2b-policies-draft-view',
    'b2b-policies-own-only',
  ],
  manager: [
    'b2b-access',
    'b2b-products-view',
    'b2b-products-sell',
    'b2b-policies-sold-view',
    'b2b-policies-draft-view',
    'b2b-agency-view',
    'b2b-agency-update',
    'b2b-users-view',
    'b2b-users-update',
  ],
  admin: ['b2b-admin'],
} as const satisfies Record<string, readonly Permission[]>

export type Role = keyof typeof roles

/** Whoever administers the whole service may everything in the units that he belongs to, whatever his roles there. */
export const rolesHeld = (roleNames: readonly string[], administrator: boolean): readonly string[] =>
  administrator ? [...roleNames, 'admin' satisfies Role] : roleNames

export const isRole = (name: string): name is Role => Object.hasOwn(roles, name)

/** Everything that a user's roles give him, each permission once; a role nobody knows gives nothing. */
export const permissionsOf = (names: readonly string[]): Permission[] => [
  ...new Set(names.filter(isRole).flatMap(name => [...roles[name]])),
]
