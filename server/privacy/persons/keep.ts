import type { Locale } from '#common/kit/locales.ts'
import { refuseFields } from '#common/kit/refusals.ts'
import type { World } from '#server/kit/app-context.ts'
import type { PrivacyUnitTx } from '#server/kit/database.ts'
import { audit, type Where } from '#server/session/public.ts'
import type { RequestKind } from '../tables.ts'
import type { Outcome } from '#common/privacy/outcome.ts'
import { answerDue, receivedProblems } from '#common/privacy/days.ts'
import { dayOf } from './judge.ts'

type Asked = Where & {
  ask: { askedBy: 'person' | 'guardian' | 'representative'; receivedOn?: string | undefined }
  caller: { userId: string }
}

type Kept = {
  kind: RequestKind
  reason: string
  locale: Locale
  outcome: Outcome
  /** False while the answer is still being made. By default it is done unless a part was refused. */
  isDone?: boolean
}

/** Stores a person's request with its outcome, which has no name. The answer is due within a month of its receipt. */
export async function keepRequest(
  world: World,
  tx: PrivacyUnitTx,
  input: Asked,
  { kind, reason, locale, outcome, isDone = isAnswered(outcome) }: Kept,
): Promise<string> {
  const { id, receivedOn } = await insertRequest(world, tx, input, { kind, reason, locale, outcome, isDone })
  await auditRequest(world, tx, input, { id, kind, outcome, receivedOn })
  return id
}

/** Stores a request before it is carried out in several transactions. One that stops half-way stays open. */
export const openRequest = async (
  world: World,
  tx: PrivacyUnitTx,
  input: Asked,
  request: Pick<Kept, 'kind' | 'reason' | 'locale'>,
): Promise<string> => (await insertRequest(world, tx, input, { ...request, outcome: null, isDone: false })).id

/** Stores the outcome of an open request. */
export async function answerRequest(
  world: World,
  tx: PrivacyUnitTx,
  input: Asked,
  answer: { id: string; kind: RequestKind; outcome: Outcome },
): Promise<void> {
  const { id, outcome } = answer
  const { received_on: receivedOn } = await tx
    .updateTable('person_requests')
    // A request that was closed meanwhile stays closed.
    .set({ outcome: JSON.stringify(outcome), ...(isAnswered(outcome) ? { done_at: world.clock.now() } : {}) })
    .where('id', '=', id)
    .returning('received_on')
    .executeTakeFirstOrThrow()
  await auditRequest(world, tx, input, { ...answer, receivedOn })
}

const isAnswered = (outcome: Outcome): boolean => outcome.items.every(item => item.outcome !== 'refused')

async function insertRequest(
  world: World,
  tx: PrivacyUnitTx,
  input: Asked,
  { kind, reason, locale, outcome, isDone }: Omit<Kept, 'outcome' | 'isDone'> & { outcome: Outcome | null; isDone: boolean },
): Promise<{ id: string; receivedOn: string }> {
  const receivedOn = await receivedDay(world, tx, input)
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
      received_on: receivedOn,
      due_on: answerDue(receivedOn),
      user_id: input.caller.userId,
      done_at: isDone ? now : null,
      outcome: outcome && JSON.stringify(outcome),
      locale,
    })
    .execute()
  return { id, receivedOn }
}

/** Returns the day on which the request came, in the agency's zone. An impossible day is refused at its field. */
async function receivedDay(world: World, tx: PrivacyUnitTx, { ask: { receivedOn } }: Asked): Promise<string> {
  const { today } = await dayOf(world, tx)
  const problems = receivedOn === undefined ? [] : receivedProblems(receivedOn, today)
  if (problems.length > 0) throw refuseFields(problems)
  return receivedOn ?? today
}

async function auditRequest(
  world: World,
  tx: PrivacyUnitTx,
  input: Asked,
  { id, kind, outcome, receivedOn }: { id: string; kind: RequestKind; outcome: Outcome; receivedOn: string },
): Promise<void> {
  const counts = Object.groupBy(outcome.items, item => item.outcome)
  const details = Object.fromEntries(Object.entries(counts).map(([what, items]) => [what, items.length]))
  const entry = { action: `privacy.${kind}`, outcome: 'done' as const, businessUnitId: tx.businessUnitId, object: id }
  await audit(world, tx.whole, input, { ...entry, details: { ...details, receivedOn } })
}
