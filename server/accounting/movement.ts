import { fromCents } from '#common/kit/money.ts'
import type { EarnedRow } from './queries.ts'

/** Describes a movement in the form that all lists of movements share. */
export const movementOf = (row: EarnedRow) => ({
  uuid: row.id,
  at: row.at.toISOString(),
  policyUuid: row.policy_id,
  policyNumber: row.number ?? '',
  productUuid: row.product_id,
  productName: row.product_name,
  sellerName: row.seller_name,
  kind: row.kind,
  way: row.way,
  gross: fromCents(row.gross_cents),
  account: fromCents(row.account_cents),
  commission: fromCents(row.earned_cents),
})
