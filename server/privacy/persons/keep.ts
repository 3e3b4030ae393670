import { addMonths, today } from '#common/kit/dates.ts'
import type { Locale } from '#common/kit/locales.ts'
import type { World } from '#server/kit/app-context.ts'
import type { PrivacyUnitTx } from '#server/kit/database.ts'
import { audit, type Where } from '#server/session/public.ts'
import type { RequestKind } from '../tables.ts'
import type { Outcome } from './judge.ts'

type Asked = Where & { ask: { askedBy: 'person' | 'guardian' | 'representative' }; caller: { userId: string } }

type Kept = {
  kind: RequestKind
  reason: string
  locale: Locale
  outcome: Outcome
  /** False while the answer is still being made. By default it is done unless a part was refused. */
  isDone?: boolean
}

/** Keeps what a person asked, with the outcome, which has no name. The answer is due within a month. */
export async function keepRequest(
  world: World,
  tx: PrivacyUnitTx,
  input: Asked,
  { kind, reason, locale, outcome, isDone = outcome.items.every(item => item.outcome !== 'refused') }: Kept,
): Promise<string> {
  const now = world.clock.now()
  const id = world.ids.next()
  await tx
    .insertInto('person_requests')
    .values({
      id,
      kind,
      asked_by: input.ask.askedBy,
      reason,
      at: now,
      due_on: addMonths(today(now, 'UTC'), 1),
      user_id: input.caller.userId,
      done_at: isDone ? now : null,
      outcome: JSON.stringify(outcome),
      locale,
    })
    .execute()
  const counts = Object.groupBy(outcome.items, item => item.outcome)
  const details = Object.fromEntries(Object.entries(counts).map(([what, items]) => [what, items.length]))
  const entry = { action: `privacy.${kind}`, outcome: 'done' as const, businessUnitId: tx.businessUnitId, object: id }
  await audit(world, tx.whole, input, { ...entry, details })
  return id
}
