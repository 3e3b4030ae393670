import { type RawBuilder, sql } from 'kysely'
import type { MovementKind } from '#common/accounting/book.ts'
import type { UnitTx } from '#server/kit/database.ts'
import { type EarnedRow, isMovement } from '../queries.ts'

/** `at` is an instant in ISO 8601. */
export type PairRow = { id: string; at: string; kind: MovementKind; earned: number }

export type ExplainedRow = EarnedRow & {
  basis: string | null
  reason: string | null
  by_client: boolean
  /** All movements of its policy, in the order of the versions. */
  deeds_of_policy: PairRow[]
}

/** Policyholders' names by policy, for a screen alone. */
export type Takers = ReadonlyMap<string, string>

/**
 * Returns the policyholders of sold policies as they are now; if `own` is given, only of those that this seller sold. Blocking and erasing a policy leaves
 * none.
 */
export async function takersOf(tx: UnitTx, policyIds: readonly string[], own?: string): Promise<Takers> {
  if (policyIds.length === 0) return new Map()
  const isOwn = own === undefined ? sql`` : sql`and seller_id = ${own}::uuid`
  const { rows } = await sql<{ id: string; taker: string }>`
    select id, taker from policies where business_unit_id = ${tx.businessUnitId} and id = any(${policyIds}::uuid[])
      and status in ('purchased', 'cancelled') and taker <> '' ${isOwn}`.execute(tx)
  return new Map(rows.map(({ id, taker }) => [id, taker]))
}

/** Selects a page of movements, each with its reason and all movements of its policy. Only the page's own policies are read. */
export const explained = (tx: UnitTx, page: RawBuilder<EarnedRow>): RawBuilder<ExplainedRow> => sql<ExplainedRow>`
  select movement.*, step.basis, step.reason, step.id is not null and step.user_id is null as by_client, policy.deeds as deeds_of_policy
  from (${page}) as movement
  left join policy_deeds as step on step.business_unit_id = ${tx.businessUnitId} and step.id = movement.deed_id
  cross join lateral (
    select jsonb_agg(
      jsonb_build_object('id', book.id, 'at', book.at, 'kind', book.kind, 'earned', -book.commission_payable) order by book.policy_version
    ) as deeds
    from money_book as book
    where book.business_unit_id = ${tx.businessUnitId} and book.policy_id = movement.policy_id and ${isMovement}) as policy`
