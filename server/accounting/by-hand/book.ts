import { aboveOwedProblems, type BeyondBalance } from '#common/accounting/by-hand.ts'
import { type Entry, entriesOfPayment, entriesOfPayout, entriesOfWriteOff } from '#common/accounting/book.ts'
import { displayDate, today } from '#common/kit/dates.ts'
import { fromCents } from '#common/kit/money.ts'
import { Refusal, refuseFields } from '#common/kit/refusals.ts'
import { unitSettings } from '#server/business-unit/public.ts'
import type { World } from '#server/kit/app-context.ts'
import type { UnitTx } from '#server/kit/database.ts'
import { lockOwed, termsOf } from '../limit/queries.ts'
import { bookedBy, columnsOf, insertBooking } from '../queries.ts'
import { markOverdue } from '../notices/notices.ts'
import { lastStatement } from '../statements/queries.ts'
import { bookedLately, bookingById, type Booked, type Facts, insertFacts, openCommission, reversedBy } from './queries.ts'

type ByHand = {
  requestId: string
  cents: number
  currency: string
  /** The user who books the amount. */
  by: string
}

/** A person's confirmation of an unlikely payment: one like a recent one, or one above the balance. */
type Meant = { again: boolean; beyond: boolean }

type Payment = ByHand & {
  way: 'received' | 'paid'
  /** The day of the payment. The bank's text is its reference. */
  on: string
  reference: string
  /** True if the bank took an earlier payment back, so that the money moved the other way. */
  isReversal?: boolean
  /** Present for a payment by hand only: an entry of a bank's file cannot be mistyped. */
  meant?: Meant
}

/** Books a payment by an agency, or to it. A payout is booked as commission unless that is netted. */
export async function bookPayment(world: World, tx: UnitTx, payment: Payment): Promise<boolean> {
  const { requestId, by, way, cents, currency, on, reference, isReversal = false, meant } = payment
  // The terms of the statement that is paid, not of today, decide whether its commission is on the account.
  const netted = (await lastStatement(tx, currency))?.netted ?? (await termsOf(tx))?.netted ?? true
  const signed = way === 'received' ? cents : -cents
  const isOfAgency = (way === 'received') !== isReversal
  const entries = netted || isOfAgency ? entriesOfPayment(signed) : entriesOfPayout(-signed)
  const facts = { way, cents, paid_on: on, reference, from_file: meant === undefined, taken_back: isReversal, booked_by: by }
  return book(world, tx, { kind: 'payment', requestId, currency, entries, facts }, async open => {
    if (meant && !meant.again) await refuseBookedBefore(tx, { way, cents, currency, on, now: world.clock.now() })
    if (meant && !meant.beyond) await refuseBeyond(tx, { way, cents, currency, isOnAccount: netted || isOfAgency }, open)
  })
}

async function refuseBookedBefore(tx: UnitTx, payment: Parameters<typeof bookedLately>[1]): Promise<void> {
  const alike = await bookedLately(tx, payment)
  if (!alike) return
  const { on, reference } = alike
  throw new Refusal('account.booked_before', { params: { on: displayDate(on) ?? on, reference }, data: alike })
}

type Moved = { way: 'received' | 'paid'; cents: number; currency: string; isOnAccount: boolean }

/** Refuses a payment above what is owed, in either direction, with the balance before and after. */
async function refuseBeyond(tx: UnitTx, { way, cents, currency, isOnAccount }: Moved, owed: number): Promise<void> {
  const before = isOnAccount ? owed : await openCommission(tx, currency)
  const after = isOnAccount && way === 'paid' ? before + cents : before - cents
  const isBeyond = isOnAccount && way === 'paid' ? after > 0 : after < 0
  if (!isBeyond) return
  const balance = { before: fromCents(before), after: fromCents(after), currency }
  const data: BeyondBalance = { of: isOnAccount ? 'account' : 'commission', ...balance }
  throw new Refusal('account.beyond_balance', { params: balance, data })
}

/** Writes off an amount that an agency owes, at most its whole debt. */
export async function bookWriteOff(world: World, tx: UnitTx, amount: ByHand & { reason: string }): Promise<boolean> {
  const { requestId, by, cents, currency, reason } = amount
  const paidOn = today(world.clock.now(), (await unitSettings(tx)).timeZone)
  const facts = { way: 'write_off' as const, cents, paid_on: paidOn, reference: '', reason, booked_by: by }
  const entries = entriesOfWriteOff(cents)
  return book(world, tx, { kind: 'write_off', requestId, currency, entries, facts: { ...handMade, ...facts } }, open => {
    const problems = aboveOwedProblems(cents, open, currency)
    if (problems.length > 0) throw refuseFields(problems)
  })
}

const handMade = { from_file: false, taken_back: false }

type Reversal = { requestId: string; bookingId: string; by: string; reason: string }

/** Reverses a booking by another one with the same reference, once. False if this same request has done it. */
export async function reverseBooking(world: World, tx: UnitTx, { requestId, bookingId, by, reason }: Reversal): Promise<Booked | false> {
  const first = await bookingById(tx, bookingId)
  if (!first) throw new Refusal('request.not_found')
  const { kind, currency, way, cents, reference, taken_back } = first
  const entries = (['bank', 'agency_account', 'commission_payable', 'write_off'] as const).map(account => ({
    account,
    cents: 0 - first[account],
  }))
  const paidOn = today(world.clock.now(), (await unitSettings(tx)).timeZone)
  const facts = { way, cents, paid_on: paidOn, reference, reason, from_file: false, taken_back, booked_by: by, reverses: bookingId }
  const isBooked = await book(world, tx, { kind, requestId, currency, entries, facts }, async () => {
    // Read again under the lock.
    if (first.reverses !== null || (await bookingById(tx, bookingId))?.reversed_by !== null) throw new Refusal('account.not_reversible')
  })
  return isBooked && first
}

type ByPerson = {
  kind: Booked['kind']
  requestId: string
  currency: string
  entries: Entry[]
  facts: Omit<Facts, 'id' | 'currency'>
}

/**
 * Books a request once. False if it was booked before; the same id with another content is refused. The check runs under the lock of the account,
 * with what the agency owes on it, and is skipped for a booked request.
 */
async function book(
  world: World,
  tx: UnitTx,
  { kind, requestId, currency, entries, facts }: ByPerson,
  check: (open: number) => Promise<void> | void,
): Promise<boolean> {
  // The lock makes the same request wait for the first one.
  const owed = await lockOwed(tx, currency)
  const before = await bookedBy(tx, requestId)
  const { bank, write_off } = columnsOf(entries)
  if (before) {
    const isSame =
      before.kind === kind &&
      before.currency === currency &&
      before.bank === bank &&
      before.write_off === write_off &&
      (await reversedBy(tx, requestId)) === (facts.reverses ?? null)
    if (!isSame) throw new Refusal('idempotency.mismatch')
    return false
  }
  await check(owed)
  const id = world.ids.next()
  await insertBooking(tx, { id, at: world.clock.now(), kind, request_id: requestId, currency }, entries)
  await insertFacts(tx, { id, currency, ...facts })
  await markOverdue(world, tx)
  return true
}
