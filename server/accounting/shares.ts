import { type SharedOut, sharedOut } from '#common/accounting/shares.ts'
import { today } from '#common/kit/dates.ts'
import { unitSettings } from '#server/business-unit/public.ts'
import type { UnitTx } from '#server/kit/database.ts'
import { monthAfter } from './queries.ts'
import { type Shares, upsertShare } from './rates/queries.ts'
import { lastClosed } from './statements/queries.ts'

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
