import { narrowedToOwn, type Permission } from '#common/kit/permissions.ts'
import { permissionsOf } from '#common/session/roles.ts'
import type { UnitWithinTx } from '#server/kit/database.ts'

/** `ownOnly`: the permission is narrowed to the user's own sales. */
export type Member = { id: string; name: string; email: string; locale: string | null; ownOnly: boolean }

/** Returns the users of a unit to whom a role gives a permission for all of it. Administrators of the service are left out. */
export const membersWith = async (tx: UnitWithinTx, permission: Permission): Promise<Member[]> =>
  (await membersGranted(tx, permission)).filter(({ ownOnly }) => !ownOnly)

/** Returns the users of a unit to whom a role gives a permission, narrowed or not. */
export async function membersGranted(tx: UnitWithinTx, permission: Permission): Promise<Member[]> {
  const rows = await tx.whole
    .selectFrom('memberships')
    .innerJoin('users', 'users.id', 'memberships.user_id')
    .innerJoin('business_units', 'business_units.id', 'memberships.business_unit_id')
    .where('memberships.business_unit_id', '=', tx.businessUnitId)
    .where('memberships.active', '=', true)
    .where('users.active', '=', true)
    .where('business_units.suspended', '=', false)
    .where(where => where.or([where('memberships.invited_at', 'is', null), where('memberships.accepted_at', 'is not', null)]))
    .select(['users.id', 'users.name', 'users.email', 'users.locale', 'memberships.roles'])
    .orderBy('users.id')
    .execute()
  return rows.flatMap(({ roles, ...user }) => {
    const granted = permissionsOf(roles)
    return granted.includes(permission) ? [{ ...user, ownOnly: narrowedToOwn(granted) }] : []
  })
}

/** Returns the names of users, also of those who have left. */
export const namesOfUsers = async (tx: UnitWithinTx, ids: readonly string[]): Promise<Map<string, string>> => {
  if (ids.length === 0) return new Map()
  const rows = await tx.whole.selectFrom('users').select(['id', 'name']).where('id', 'in', ids).execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}
