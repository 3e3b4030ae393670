import { Refusal } from '#common/kit/refusals.ts'
import { fullNameOfRow } from '#common/people/full-name.ts'
import type { UnitTx } from '#server/kit/database.ts'
import { asOf } from '../document-facts.ts'
import { historyOf, linesOf, namesOf, type PolicyRow } from '../queries.ts'

/** Returns a policy as it stood in a version. An unknown one, or one from before the sale, is refused like an unknown policy. */
export async function asItStood(tx: UnitTx, now: PolicyRow, version: number): Promise<PolicyRow> {
  if (version === now.version) return now
  const policy = await asOf(tx, now, version)
  if (!policy) throw new Refusal('request.not_found')
  const holder = (await namesOf(tx, policy)).find(person => person.holder)
  const commission = (await linesOf(tx, policy)).find(({ kind }) => kind === 'commission')
  const steps = (await historyOf(tx, policy.id)).filter(({ details }) => details['version'] === version)
  return {
    ...policy,
    taker: holder ? fullNameOfRow(holder) : policy.taker,
    commission_cents: commission?.amount_cents ?? 0,
    status: steps.some(({ what }) => what === 'cancelled') ? 'cancelled' : 'purchased',
  }
}
