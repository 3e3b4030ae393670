import { unitSettings } from '#server/business-unit/public.ts'
import type { UnitTx } from '#server/kit/database.ts'
import type { StoredVersion } from './stored/queries.ts'

/** Returns the time zone that a policy was sold in, by which all its days are counted. Versions from before it was kept have the unit's. */
export async function timeZoneOf(tx: UnitTx, { content }: Pick<StoredVersion['version'], 'content'>): Promise<string> {
  // Safe: registration.ts writes it.
  const { timeZone } = content as { timeZone?: string }
  return timeZone ?? (await unitSettings(tx)).timeZone
}
