import type { Insertable } from 'kysely'
import type { Share } from '#common/accounting/shares.ts'
import type { UnitTx } from '#server/kit/database.ts'
import type { AccountingTables } from '../tables.ts'

/** The shares of each seller who has or had one. */
export type Shares = ReadonlyMap<string, Share[]>

export async function sharesOf(tx: UnitTx): Promise<Shares> {
  const rows = await tx.selectFrom('commission_shares').select(['user_id', 'month', 'share_bp']).execute()
  const shares = new Map<string, Share[]>()
  for (const { user_id, month, share_bp } of rows)
    shares.set(user_id, [...(shares.get(user_id) ?? []), { from: month.slice(0, 7), basisPoints: share_bp }])
  return shares
}

/** Sets a share from a month on. It replaces one that was set for the same month, which the audit keeps. */
export async function upsertShare(tx: UnitTx, share: Omit<Insertable<AccountingTables['commission_shares']>, 'business_unit_id'>) {
  const { share_bp, set_at, set_by } = share
  await tx
    .insertInto('commission_shares')
    .values(share)
    .onConflict(conflict => conflict.columns(['business_unit_id', 'user_id', 'month']).doUpdateSet({ share_bp, set_at, set_by }))
    .execute()
}
