import { commissionTakenBack } from '#common/accounting/pairs.ts'
import { fromCents } from '#common/kit/money.ts'
import { deedOf } from '../deed.ts'
import { type Standing, statementOfDeed } from '../statements/standing.ts'
import type { ExplainedRow, PairRow } from './queries.ts'

/**
 * Describes a deed with the reason for it. Deeds that took commission back and deeds that had earned it name each other. The note is left out, as it
 * may be about a person.
 */
export function explainedDeedOf(row: ExplainedRow, standing: readonly Standing[]) {
  const { id, kind, currency, basis, reason, by_client: byClient, deeds_of_policy: deeds } = row
  const pairs = commissionTakenBack(deeds)
  const pairOf = ({ id, at, kind, earned }: PairRow) => {
    const statement = statementOfDeed(standing, { id, at: new Date(at), currency })
    return { uuid: id, at: new Date(at).toISOString(), kind, commission: fromCents(earned), statement: statement?.row.number ?? null }
  }
  return {
    ...deedOf(row),
    why: kind === 'sale' ? null : { basis, reason, byClient },
    takesBack: (pairs.get(id) ?? []).map(pairOf),
    takenBackBy: deeds.filter(deed => pairs.get(deed.id)?.some(earned => earned.id === id)).map(pairOf),
  }
}
