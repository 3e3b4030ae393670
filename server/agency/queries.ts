import type { ProfileChange } from '#common/agency/schemas.ts'
import type { UnitSettings } from '#server/business-unit/public.ts'
import type { Instant, Json, UnitId } from '#server/kit/sql/tables.ts'
import type { UnitTx } from '#server/kit/database.ts'

type AgencyTables = {
  business_unit_changes: {
    business_unit_id: UnitId
    version: number
    at: Instant
    user_id: string | null
    changes: Json<ProfileChange[]>
  }
}

declare module '#server/kit/sql/tables.ts' {
  interface Tables extends AgencyTables {}
}

export type StoredProfile = { settings: UnitSettings; version: number; updatedAt: Date }

export async function findProfile(tx: UnitTx): Promise<StoredProfile> {
  return profileIn(await profileOf(tx).executeTakeFirstOrThrow())
}

/** Reads the profile and locks it until the transaction ends. Of two concurrent saves the second thus sees the first. */
export async function lockProfile(tx: UnitTx): Promise<StoredProfile> {
  return profileIn(await profileOf(tx).forUpdate().executeTakeFirstOrThrow())
}

const profileOf = (tx: UnitTx) => tx.selectFrom('business_units').select(['settings', 'version', 'updated_at as updatedAt'])

const profileIn = (row: { settings: Record<string, unknown>; version: number; updatedAt: Date }): StoredProfile => ({
  ...row,
  // Safe: settings are written from UnitSettings only, by the catalogue, the administration and the agency.
  settings: row.settings as UnitSettings,
})

export const saveProfile = (tx: UnitTx, settings: UnitSettings, version: number, now: Date) =>
  tx
    .updateTable('business_units')
    .set({ settings: JSON.stringify(settings), version, updated_at: now })
    .execute()

export const insertChange = (tx: UnitTx, change: { version: number; at: Date; userId: string | null; changes: ProfileChange[] }) =>
  tx
    .insertInto('business_unit_changes')
    .values({
      version: change.version,
      at: change.at,
      user_id: change.userId,
      changes: JSON.stringify(change.changes),
    })
    .execute()

/** Lists the changes, newest first. It runs as the service within the named unit, since units cannot read users' names. */
export const listChanges = (tx: UnitTx) =>
  tx
    .selectFrom('business_unit_changes')
    .leftJoin('users', 'users.id', 'business_unit_changes.user_id')
    .select(['business_unit_changes.at', 'business_unit_changes.changes', 'users.name as who'])
    .orderBy('business_unit_changes.version', 'desc')
    .limit(100)
    .execute()
