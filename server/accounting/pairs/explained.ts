import type { MovementKind } from '#common/accounting/book.ts'
import { fromCents } from '#common/kit/money.ts'
import { may, type Permission } from '#common/kit/permissions.ts'
import type { UnitTx } from '#server/kit/database.ts'
import type { EarnedRow } from '../queries.ts'
import { type Standing, statementOfMovement } from '../statements/standing.ts'
import { type ExplainedRow, type PairRow, type Takers, takersOf } from './queries.ts'

/** Returns the policyholders of a page of movements if the caller may view policies, and what the audit keeps of it. */
export async function takersFor(tx: UnitTx, permissions: readonly Permission[], rows: readonly Pick<EarnedRow, 'policy_id'>[]) {
  const isShown = may(permissions, 'b2b-policies-sold-view')
  const takers: Takers = isShown ? await takersOf(tx, [...new Set(rows.map(row => row.policy_id))]) : new Map()
  return { takers, audited: takers.size > 0 ? { seen: takers.size } : {} }
}

/**
 * Describes a movement with the reason for it. Movements that took commission back and movements that had earned it name each other. The note is left out, as it
 * may be about a person.
 */
export function explainedMovementOf(row: ExplainedRow, standing: readonly Standing[], takers: Takers) {
  const { id, kind, currency, basis, reason, by_client: byClient, deeds_of_policy: movements } = row
  const pairs = commissionTakenBack(movements)
  const pairOf = ({ id, at, kind, earned }: PairRow) => {
    const statement = statementOfMovement(standing, { id, at: new Date(at), currency })
    return { uuid: id, at: new Date(at).toISOString(), kind, commission: fromCents(earned), statement: statement?.row.number ?? null }
  }
  return {
    ...movementOf(row),
    policyTaker: takers.get(row.policy_id) ?? null,
    why: kind === 'sale' ? null : { basis, reason, byClient },
    takesBack: (pairs.get(id) ?? []).map(pairOf),
    takenBackBy: movements.filter(movement => pairs.get(movement.id)?.some(earned => earned.id === id)).map(pairOf),
  }
}

/** Describes a movement in the form that all lists of movements share. */
const movementOf = (row: EarnedRow) => ({
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

/** A movement of a policy, with the commission that it earned or took back. */
type Earning = { id: string; kind: MovementKind; earned: number }

/**
 * Returns, for each movement that took commission back, the movements that had earned it. `movements` are those of one policy, in the order of its versions. An
 * undo takes back only the movement before it; an ending takes back all that is still earned.
 */
export function commissionTakenBack<Movement extends Earning>(movements: readonly Movement[]): Map<string, Movement[]> {
  const pairs = new Map<string, Movement[]>()
  /** The movements that still earn commission, after each movement that was not undone. */
  const stages: Movement[][] = [[]]
  let last: Movement | undefined
  for (const movement of movements) {
    const standing = stages.at(-1) ?? []
    if (movement.kind === 'undo') {
      if (stages.length > 1) stages.pop()
      if (movement.earned < 0) pairs.set(movement.id, last ? [last] : [])
    } else {
      if (movement.earned < 0) pairs.set(movement.id, standing)
      stages.push(after(standing, movement))
    }
    last = movement
  }
  return pairs
}

function after<Movement extends Earning>(standing: Movement[], movement: Movement): Movement[] {
  if (movement.earned > 0) return [...standing, movement]
  return movement.earned < 0 && (movement.kind === 'cancellation' || movement.kind === 'withdrawal') ? [] : standing
}
