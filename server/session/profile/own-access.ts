import { sql } from 'kysely'
import { may } from '#common/kit/permissions.ts'
import { Refusal } from '#common/kit/refusals.ts'
import { roles } from '#common/session/roles.ts'
import type { Tx } from '#server/kit/database.ts'
import { invited } from '#server/session/invitation/queries.ts'

/** The roles that grant administration. */
export const adminRoles = Object.entries(roles).flatMap(([name, permissions]) => (may(permissions, 'b2b-admin') ? [name] : []))

/** Locks access rights before a change, so that two administrators cannot remove each other at once. */
export async function lockAccess(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('administration', 0))`.execute(tx)
}

/** Throws if a change took the user's own administration away. The service thus always keeps an administrator. */
export async function keepsOwnAccess(tx: Tx, userId: string): Promise<void> {
  const still = await activeAdministrators(tx).where('users.id', '=', userId).executeTakeFirst()
  if (!still) throw new Refusal('administration.own_access')
}

/** Selects the users who may administer now. */
export const activeAdministrators = (tx: Tx) =>
  tx
    .selectFrom('users')
    .leftJoin('memberships', join => join.onRef('memberships.user_id', '=', 'users.id').on('memberships.active', '=', true))
    .leftJoin('business_units', join =>
      join.onRef('business_units.id', '=', 'memberships.business_unit_id').on('business_units.suspended', '=', false),
    )
    .where('users.active', '=', true)
    .where(eb =>
      eb.or([
        eb('users.administrator', '=', true),
        eb.and([eb('business_units.id', 'is not', null), eb('memberships.roles', '&&', eb.val(adminRoles))]),
      ]),
    )
    .select('users.id')
    .distinct()

/** Returns whether the user may administer, will once they accept an invitation, or would but for a suspended unit. */
export const isAdministrator = async (tx: Tx, userId: string): Promise<boolean> =>
  (await tx
    .selectFrom('users')
    .leftJoin('memberships', join =>
      join.onRef('memberships.user_id', '=', 'users.id').on(eb => eb.or([eb('memberships.active', '=', true), invited])),
    )
    .where('users.id', '=', userId)
    .where('users.active', '=', true)
    .where(eb => eb.or([eb('users.administrator', '=', true), eb('memberships.roles', '&&', eb.val(adminRoles))]))
    .select('users.id')
    .executeTakeFirst()) !== undefined
