import type { UnitTx } from '#server/kit/database.ts'
import { managersFor } from '#server/session/public.ts'
import { giveNotice as writeNotice } from './day/queries.ts'

/** Notifies a user of an event of a policy. Without access to the agency, the user would never see it, so its managers are notified. */
export async function giveNotice(tx: UnitTx, notice: Parameters<typeof writeNotice>[1]): Promise<void> {
  const managers = await managersFor(tx, notice.user_id)
  for (const user_id of managers ?? [notice.user_id]) await writeNotice(tx, { ...notice, user_id })
}
