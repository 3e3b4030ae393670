import { type Insertable, sql } from 'kysely'
import type { Share } from '#common/accounting/shares.ts'
import type { UnitTx } from '#server/kit/database.ts'
import { type KeptMonths, monthOf, type Window } from '../queries.ts'
import type { AccountingTables } from '../tables.ts'

type Narrowing = { own: string | undefined }

/** A month (YYYY-MM) and its first and last instants. */
export type Month = { name: string; from: Date; until: Date }

export type Quotes = { quotes: number; sold: number }

/**
 * Counts the policies that were created in each month, and those of them that were sold. Each month and status is one search, which an index answers
 * without the table. Unsold renewals, which the service makes by itself, are no quotes that failed: few have an index of their own.
 */
export async function quotesIn(tx: UnitTx, months: readonly Month[], { own }: Narrowing): Promise<Map<string, Quotes>> {
  const ownOnly = own === undefined ? sql`` : sql`and seller_id = ${own}::uuid`
  const { rows } = await sql<Quotes & { name: string }>`
    select month.name, (sum(created.count) - sum(created.renewals))::int as quotes, coalesce(sum(created.count) filter (where each.sold), 0)::int as sold
    from unnest(${months.map(({ name }) => name)}::text[], ${months.map(({ from }) => from)}::timestamptz[],
      ${months.map(({ until }) => until)}::timestamptz[]) as month (name, starts, ends)
    cross join (values ('budgeted', false), ('pending', false), ('deleted', false), ('purchased', true), ('cancelled', true),
      ('blocked', true)) as each (status, sold)
    cross join lateral (
      select count(*), (
          select count(*) from policies
          where business_unit_id = ${tx.businessUnitId} ${ownOnly} and status = each.status and created_at >= month.starts and created_at < month.ends
            and renews is not null and not each.sold) as renewals
      from policies
      where business_unit_id = ${tx.businessUnitId} ${ownOnly} and status = each.status and created_at >= month.starts and created_at < month.ends
      ) as created
    group by month.name`.execute(tx)
  return new Map(rows.map(({ name, quotes, sold }) => [name, { quotes, sold }]))
}

/**
 * Adds up refunds of movements, in cents, by month (YYYY-MM). Reads the movements themselves, since a statement's sums mix refunds with surcharges. The book
 * has many more sales than movements. A refund that a reinstatement stopped is left out.
 */
export async function refundedIn(
  tx: UnitTx,
  window: Window,
  { own, kept }: Narrowing & { kept: KeptMonths },
): Promise<Map<string, number>> {
  const { from, until, currency } = window
  const ownOnly =
    own === undefined
      ? sql``
      : sql`and exists (
          select from policies
          where policies.business_unit_id = movement.business_unit_id and policies.id = movement.policy_id and policies.seller_id = ${own}::uuid)`
  const { rows } = await sql<{ month: string; refunded: number }>`
    select ${monthOf(kept)} as month, sum(refund_cents - stopped_after)::bigint as refunded
    from policy_deeds as movement
    cross join lateral (
      select coalesce(sum(later.stopped_cents), 0) as stopped_after from policy_deeds as later
      where later.business_unit_id = movement.business_unit_id and later.policy_id = movement.policy_id and later.from_version = movement.to_version
      ) as stopped
    where business_unit_id = ${tx.businessUnitId} and currency = ${currency} and at >= ${from} and at < ${until} and refund_cents > 0 ${ownOnly}
    group by 1`.execute(tx)
  return new Map(rows.map(({ month, refunded }) => [month, refunded]))
}

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
