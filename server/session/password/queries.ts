import { sql } from 'kysely'
import type { ServiceTx } from '#server/kit/database.ts'

/** Returns the user's name and email address, the name of each invitation, and the names of the user's agencies. */
export async function namesOfUser(tx: ServiceTx, userId: string): Promise<string[]> {
  const rows = await tx
    .selectFrom('users')
    .leftJoin('memberships', 'memberships.user_id', 'users.id')
    .leftJoin('business_units', 'business_units.id', 'memberships.business_unit_id')
    .where('users.id', '=', userId)
    .select([
      'users.name',
      'users.email',
      'memberships.invited_name',
      sql<string | null>`business_units.settings->>'brandName'`.as('brandName'),
      sql<string | null>`business_units.settings->>'legalName'`.as('legalName'),
    ])
    .execute()
  return [...new Set(rows.flatMap(row => Object.values(row)))].filter(name => name !== null)
}
