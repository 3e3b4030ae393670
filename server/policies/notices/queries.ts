import type { Insertable } from 'kysely'
import type { UnitTx } from '#server/kit/database.ts'
import { managersFor } from '#server/session/public.ts'
import type { PolicyTables } from '../tables.ts'

type Notice = Omit<Insertable<PolicyTables['policy_notices']>, 'business_unit_id'>

/**
 * Notifies a user of an event of a policy, in place of the policy's earlier notice. Without access to the agency, the user would never see it, so its
 * managers are notified.
 */
export async function giveNotice(tx: UnitTx, { user_id: userId, kind, at, ...of }: Notice): Promise<void> {
  for (const user_id of (await managersFor(tx, userId)) ?? [userId])
    await tx
      .insertInto('policy_notices')
      .values({ ...of, user_id, kind, at })
      .onConflict(conflict => conflict.columns(['business_unit_id', 'user_id', 'policy_id']).doUpdateSet({ kind, at }))
      .execute()
}

/** Removes a user's notice, as the user has opened the policy. */
export const noticesSeen = (tx: UnitTx, policyId: string, userId: string) =>
  tx.deleteFrom('policy_notices').where('user_id', '=', userId).where('policy_id', '=', policyId).execute()
