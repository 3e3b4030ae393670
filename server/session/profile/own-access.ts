import { sql } from 'kysely'
import { may } from '#common/kit/permissions.ts'
import { Refusal } from '#common/kit/refusals.ts'
import { roles } from '#common/session/roles.ts'
import type { Tx } from '#server/kit/database.ts'

/** The roles by which somebody may administer. */
export const adminRoles = Object.entries(roles).flatMap(([name, permissions]) => (may(permissions, 'b2b-admin') ? [name] : []))

/** Asked before a change of who may what: one after the other, so that two administrators cannot take the administration from each other. */
export async function holdAccess(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('administration', 0))`.execute(tx)
}

/** Asked after a change, within its transaction: nobody takes the administration from himself, so that somebody always has it. */
export async function keepsOwnAccess(tx: Tx, userId: string): Promise<void> {
  const still = await tx
    .selectFrom('users')
    .leftJoin('memberships', join => join.onRef('memberships.user_id', '=', 'users.id').on('memberships.active', '=', true))
    .leftJoin('business_units', join =>
      join.onRef('business_units.id', '=', 'memberships.business_unit_id').on('business_units.suspended', '=', false),
    )
    .where('users.id', '=', userId)
    .where('users.active', '=', true)
    .where(eb =>
      eb.or([
        eb('users.administrator', '=', true),
        eb.and([eb('business_units.id', 'is not', null), eb('memberships.roles', '&&', eb.val(adminRoles))]),
      ]),
    )
    .select('users.id')
    .executeTakeFirst()
  if (!still) throw new Refusal('administration.own_access')
}
