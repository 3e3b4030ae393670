import { type Entry, entriesOfPayment, entriesOfPayout, entriesOfWriteOff } from '#common/accounting/entries.ts'
import { Refusal } from '#common/kit/refusals.ts'
import { unitSettings } from '#server/business-unit/public.ts'
import type { World } from '#server/kit/app-context.ts'
import type { UnitTx } from '#server/kit/database.ts'
import { changeLimit } from './limit/exposure.ts'
import { lockSlots, saveTerms, termsOf } from './limit/queries.ts'
import { notifyOf } from './notices/notices.ts'
import { bookedBy, columnsOf, insertBooking } from './queries.ts'
import { lastStatement } from './statements/queries.ts'
import { standingOf } from './statements/standing.ts'

type ByHand = { requestId: string; cents: number; currency: string }

type Payment = ByHand & {
  way: 'received' | 'paid'
  /** The bank took an earlier payment back, so money of the agency went out, or money for it came in. */
  isReversal?: boolean
}

/** Books money that an agency paid, or that was paid to it: from its account if its commission is netted, else as commission. */
export async function bookPayment(world: World, tx: UnitTx, payment: Payment): Promise<boolean> {
  const { way, cents, currency, isReversal = false } = payment
  // As the statement has it that is paid: its commission stands on the account, or apart, whatever the terms are by now.
  const netted = (await lastStatement(tx, currency))?.netted ?? (await termsOf(tx))?.netted ?? true
  const signed = way === 'received' ? cents : -cents
  const isOfAgency = (way === 'received') !== isReversal
  const entries = netted || isOfAgency ? entriesOfPayment(signed) : entriesOfPayout(-signed)
  return bookByHand(world, tx, 'payment', payment, entries)
}

/** Gives up an amount that an agency owes. */
export const bookWriteOff = (world: World, tx: UnitTx, amount: ByHand): Promise<boolean> =>
  bookByHand(world, tx, 'write_off', amount, entriesOfWriteOff(amount.cents))

/** Books a request once, however often it comes. False if it was booked before; one that asks for something else by now is refused. */
async function bookByHand(
  world: World,
  tx: UnitTx,
  kind: 'payment' | 'write_off',
  { requestId, currency }: ByHand,
  entries: Entry[],
): Promise<boolean> {
  // Under its lock, the same request waits for the first one.
  await lockSlots(tx, currency)
  const before = await bookedBy(tx, requestId)
  const { bank = 0, write_off = 0 } = columnsOf(entries)
  if (before) {
    const isSame = before.kind === kind && before.currency === currency && before.bank === bank && before.write_off === write_off
    if (!isSame) throw new Refusal('idempotency.mismatch')
    return false
  }
  await insertBooking(tx, { id: world.ids.next(), at: world.clock.now(), kind, request_id: requestId, currency }, entries)
  await markOverdue(world, tx)
  return true
}

type Terms = { limit: number | null; liftedUntil: Date | null; netted: boolean; namesInBordereau?: boolean | undefined }

export async function setTerms(tx: UnitTx, currency: string, { limit, liftedUntil, netted, namesInBordereau }: Terms): Promise<void> {
  const terms = await termsOf(tx)
  // The currency of the agency has changed: the limit in the old one ends.
  if (terms?.currency && terms.currency !== currency) await changeLimit(tx, terms.currency, null)
  await changeLimit(tx, currency, limit)
  const names = namesInBordereau === undefined ? {} : { names_in_bordereau: namesInBordereau }
  await saveTerms(tx, { currency, limit_cents: limit, lifted_until: liftedUntil, netted, ...names })
}

/** Marks the agency as overdue by its last statement, or takes the mark away. One that owes nothing by now is not overdue. */
export async function markOverdue(world: World, tx: UnitTx): Promise<void> {
  const standing = await standingOf(tx, world.clock.now(), (await unitSettings(tx)).timeZone)
  const terms = await termsOf(tx)
  const overdue = standing.filter(({ state }) => state === 'overdue')
  let since: string | null = null
  for (const each of overdue) {
    const { currency, due_on } = each.row
    // An amount that opens its slot is not checked, so all of them are opened.
    const headroom = await lockSlots(tx, currency)
    const owed = (terms?.currency === currency ? (terms.limit_cents ?? 0) : 0) - headroom
    if (owed <= 0) continue
    await notifyOf(world, tx, 'overdue', each)
    if (since === null || due_on < since) since = due_on
  }
  if (since !== (terms?.overdue_since ?? null)) await saveTerms(tx, { overdue_since: since })
}
