import { sql } from 'kysely'
import { narrowedToOwn, type Permission } from '#common/kit/permissions.ts'
import { isManager, permissionsOf } from '#common/session/roles.ts'
import type { ServiceTx, UnitTx, UnitWithinTx } from '#server/kit/database.ts'

/** Selects memberships whose invitation is open. */
export const invited = sql<boolean>`not memberships.active and memberships.invited_at is not null and memberships.accepted_at is null`

/** Returns the open invitation of a link, or undefined if it was used, revoked, or has expired. */
export const findInvitation = (tx: ServiceTx, tokenHash: Buffer, now: Date) =>
  tx
    .selectFrom('one_time_tokens')
    .innerJoin('users', 'users.id', 'one_time_tokens.user_id')
    .innerJoin('memberships', join =>
      join
        .onRef('memberships.business_unit_id', '=', 'one_time_tokens.invited_to')
        .onRef('memberships.user_id', '=', 'one_time_tokens.user_id'),
    )
    .innerJoin('business_units', 'business_units.id', 'memberships.business_unit_id')
    .select([
      'users.id as userId',
      'users.email',
      'users.name',
      'users.password_hash as passwordHash',
      'memberships.business_unit_id as businessUnitId',
      'memberships.invited_name as invitedName',
      'memberships.roles',
      'business_units.settings',
    ])
    .where('one_time_tokens.token_hash', '=', tokenHash)
    .where('one_time_tokens.purpose', '=', 'invitation')
    .where('one_time_tokens.used_at', 'is', null)
    .where('one_time_tokens.expires_at', '>', now)
    .where('memberships.invited_at', 'is not', null)
    .where('memberships.accepted_at', 'is', null)
    .where('business_units.suspended', '=', false)
    .executeTakeFirst()

/** Voids earlier links, so that only an invitation's newest link works. */
export const voidInvitations = (tx: UnitWithinTx, userId: string, now: Date) =>
  tx.whole
    .updateTable('one_time_tokens')
    .set({ used_at: now })
    .where('user_id', '=', userId)
    .where('invited_to', '=', tx.businessUnitId)
    .where('used_at', 'is', null)
    .execute()

export const insertInvitation = (tx: UnitWithinTx, invitation: { tokenHash: Buffer; userId: string; expires: Date }) =>
  tx.whole
    .insertInto('one_time_tokens')
    .values({
      token_hash: invitation.tokenHash,
      purpose: 'invitation',
      user_id: invitation.userId,
      flow_hash: null,
      invited_to: tx.businessUnitId,
      expires_at: invitation.expires,
    })
    .execute()

/** Activates a membership and ranks it after the user's earlier units. */
export const acceptMembership = (tx: UnitTx, userId: string, now: Date) =>
  tx
    .updateTable('memberships')
    .set({
      active: true,
      accepted_at: now,
      invited_name: null,
      rank: sql<number>`(select coalesce(max(other.rank) + 1, 0) from memberships as other where other.user_id = ${userId} and other.active)`,
    })
    .where('user_id', '=', userId)
    .execute()

/** Returns whether an invitation is still open, as its mail may leave long after it was written. */
export const isInvited = async (tx: UnitTx, userId: string): Promise<boolean> =>
  (await tx
    .selectFrom('memberships')
    .select('user_id')
    .where('user_id', '=', userId)
    .where('invited_at', 'is not', null)
    .where('accepted_at', 'is', null)
    .executeTakeFirst()) !== undefined

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

/** Returns the managers who stand in for a user without access to the unit; undefined for a user who has it. */
export async function managersFor(tx: UnitTx, userId: string): Promise<string[] | undefined> {
  const members = await tx
    .selectFrom('memberships')
    .select(['user_id', 'roles'])
    .where('active', '=', true)
    .where(where => where.or([where('invited_at', 'is', null), where('accepted_at', 'is not', null)]))
    .execute()
  if (members.some(member => member.user_id === userId)) return undefined
  return members.filter(({ roles }) => isManager(roles)).map(({ user_id }) => user_id)
}
