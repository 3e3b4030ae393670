import { addMonths, today } from '#common/kit/dates.ts'
import type { Locale } from '#common/kit/locales.ts'
import type { World } from '#server/kit/app-context.ts'
import type { PrivacyUnitTx } from '#server/kit/database.ts'
import { audit, type Where } from '#server/session/public.ts'
import type { RequestKind } from '../tables.ts'
import type { Outcome } from '#common/privacy/outcome.ts'

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
  { kind, reason, locale, outcome, isDone = isAnswered(outcome) }: Kept,
): Promise<string> {
  const id = await insertRequest(world, tx, input, { kind, reason, locale, outcome, isDone })
  await auditRequest(world, tx, input, { id, kind, outcome })
  return id
}

/** Keeps what a person asked before it is carried out in several transactions: what stops half-way is left as an open request. */
export const openRequest = (
  world: World,
  tx: PrivacyUnitTx,
  input: Asked,
  request: Pick<Kept, 'kind' | 'reason' | 'locale'>,
): Promise<string> => insertRequest(world, tx, input, { ...request, outcome: null, isDone: false })

/** Keeps the outcome of an open request. */
export async function answerRequest(
  world: World,
  tx: PrivacyUnitTx,
  input: Asked,
  answer: { id: string; kind: RequestKind; outcome: Outcome },
): Promise<void> {
  const { id, outcome } = answer
  await tx
    .updateTable('person_requests')
    // One that was closed meanwhile stays so.
    .set({ outcome: JSON.stringify(outcome), ...(isAnswered(outcome) ? { done_at: world.clock.now() } : {}) })
    .where('id', '=', id)
    .execute()
  await auditRequest(world, tx, input, answer)
}

const isAnswered = (outcome: Outcome): boolean => outcome.items.every(item => item.outcome !== 'refused')

async function insertRequest(
  world: World,
  tx: PrivacyUnitTx,
  input: Asked,
  { kind, reason, locale, outcome, isDone }: Omit<Kept, 'outcome' | 'isDone'> & { outcome: Outcome | null; isDone: boolean },
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
      outcome: outcome && JSON.stringify(outcome),
      locale,
    })
    .execute()
  return id
}

async function auditRequest(
  world: World,
  tx: PrivacyUnitTx,
  input: Asked,
  { id, kind, outcome }: { id: string; kind: RequestKind; outcome: Outcome },
): Promise<void> {
  const counts = Object.groupBy(outcome.items, item => item.outcome)
  const details = Object.fromEntries(Object.entries(counts).map(([what, items]) => [what, items.length]))
  const entry = { action: `privacy.${kind}`, outcome: 'done' as const, businessUnitId: tx.businessUnitId, object: id }
  await audit(world, tx.whole, input, { ...entry, details })
}
