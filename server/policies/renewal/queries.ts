import type { UnitTx } from '#server/kit/database.ts'
import type { PolicyRow } from '../queries.ts'

/** Finds the quote or the policy of a policy's next term. */
export const renewalOf = (tx: UnitTx, id: string): Promise<PolicyRow | undefined> =>
  tx
    .selectFrom('policies')
    .selectAll()
    .where('renews', '=', id)
    .where('status', 'in', ['budgeted', 'pending', 'purchased'])
    .executeTakeFirst()

/** Finds the newest quote of a policy's next term that was deleted. */
export const deletedRenewalOf = (tx: UnitTx, id: string): Promise<PolicyRow | undefined> =>
  tx
    .selectFrom('policies')
    .selectAll()
    .where('renews', '=', id)
    .where('status', '=', 'deleted')
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()

/** Marks that the next term of this version is offered or refused now. False if there is a newer version, or the policy has ended. */
export async function markRenewal(tx: UnitTx, { id, version }: Pick<PolicyRow, 'id' | 'version'>): Promise<boolean> {
  const marked = await tx
    .updateTable('policies')
    .set({ renewal_judged: version })
    .where('id', '=', id)
    .where('version', '=', version)
    .where('status', '=', 'purchased')
    .returning('id')
    .executeTakeFirst()
  return marked !== undefined
}

/** True if a live renewal was made of an older version than the policy's. One from before the mark may be of any. */
export const isOutdated = ({ status, version, renewal_judged: judged }: PolicyRow): boolean =>
  status !== 'purchased' || (judged !== null && judged !== version)
