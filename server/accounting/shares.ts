import type { Insertable } from 'kysely'
import { type Share, type SharedOut, sharedOut } from '#common/accounting/shares.ts'
import { today } from '#common/kit/dates.ts'
import { unitSettings } from '#server/business-unit/public.ts'
import type { UnitTx } from '#server/kit/database.ts'
import { monthAfter } from './queries.ts'
import { lastClosed } from './statements/queries.ts'
import type { AccountingTables } from './tables.ts'

/** The shares of each seller who has or had one. */
type Shares = ReadonlyMap<string, Share[]>

export async function sharesOf(tx: UnitTx): Promise<Shares> {
  const rows = await tx.selectFrom('commission_shares').select(['user_id', 'month', 'share_bp']).execute()
  const shares = new Map<string, Share[]>()
  for (const { user_id, month, share_bp } of rows)
    shares.set(user_id, [...(shares.get(user_id) ?? []), { from: month.slice(0, 7), basisPoints: share_bp }])
  return shares
}

/** Sets a share from a month on. It replaces one that was set for the same month, which the audit keeps. */
async function upsertShare(tx: UnitTx, share: Omit<Insertable<AccountingTables['commission_shares']>, 'business_unit_id'>) {
  const { share_bp, set_at, set_by } = share
  await tx
    .insertInto('commission_shares')
    .values(share)
    .onConflict(conflict => conflict.columns(['business_unit_id', 'user_id', 'month']).doUpdateSet({ share_bp, set_at, set_by }))
    .execute()
}

type NewShare = { userId: string; basisPoints: number | null; at: Date; by: string }

/**
 * Sets a seller's share of the commission from this month on, and returns the month (YYYY-MM). A closed month keeps its share, even if a new time zone
 * takes the unit's calendar back into it.
 */
export async function setShare(tx: UnitTx, { userId, basisPoints, at, by }: NewShare): Promise<string> {
  const { timeZone } = await unitSettings(tx)
  const closed = await lastClosed(tx)
  const calendar = today(at, timeZone).slice(0, 7)
  const open = closed === undefined ? calendar : monthAfter(closed)
  const month = calendar > open ? calendar : open
  await upsertShare(tx, { user_id: userId, month: `${month}-01`, share_bp: basisPoints, set_at: at, set_by: by })
  return month
}

type SellerMonth = { seller: string; month: string; earned: number }

/** Returns each seller's part of the commission of some months, for sellers with a share in one of them. */
export function shareOfEach(rows: readonly SellerMonth[], shares: Shares): Map<string, SharedOut> {
  const bySeller = Map.groupBy(rows, ({ seller }) => seller)
  return new Map(
    [...bySeller].flatMap(([seller, months]) => {
      const out = sharedOut(months, shares.get(seller) ?? [])
      return out ? [[seller, out]] : []
    }),
  )
}
