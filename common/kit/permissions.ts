/** The permission names in use (spec 6). */
export const permissions = [
  'b2b-admin',
  'b2b-access',
  'b2b-products-view',
  'b2b-products-sell',
  'b2b-policies-sold-view',
  'b2b-policies-draft-view',
  'b2b-policies-change',
  'b2b-agency-view',
  'b2b-agency-update',
  'b2b-users-view',
  'b2b-users-update',
  // Not in the specification: shows what the agency earns and owes.
  'b2b-accounting-view',
  // A restriction: users see only their own sales.
  'b2b-policies-own-only',
] as const

export type Permission = (typeof permissions)[number]

/** The alternative names of spec 6, used by other systems. */
const secondNaming: Record<string, Permission> = {
  ADMIN: 'b2b-admin',
  ACCESS: 'b2b-access',
  PRODUCTS_SELL: 'b2b-products-sell',
}

/** Returns the first name of a permission, given either one. Undefined for unknown names. */
function readPermission(name: string): Permission | undefined {
  const known = permissions.find(permission => permission === name)
  return known ?? (Object.hasOwn(secondNaming, name) ? secondNaming[name] : undefined)
}

/** True if the permission is granted. Administrators may do everything. */
export const may = (granted: readonly string[], wanted: Permission): boolean =>
  granted.some(name => {
    const permission = readPermission(name)
    return permission === wanted || permission === 'b2b-admin'
  })

/** True if the user sees only own sales. Never true for administrators. */
export const narrowedToOwn = (granted: readonly string[]): boolean =>
  granted.includes('b2b-policies-own-only') && !may(granted, 'b2b-admin')
