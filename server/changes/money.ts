import { type Price, withSums } from '#common/quotes/price.ts'
import { type BookedDeed, entriesOfDeed } from '#common/accounting/entries.ts'
import { type Route, taxesKept } from '#common/changes/money.ts'
import { accountGateway, type Policy } from '#common/changes/state.ts'
import { Refusal } from '#common/kit/refusals.ts'
import { refundLeavesAfterMs } from '#common/payments/refunds.ts'
import { insertBooking } from '#server/accounting/public.ts'
import type { World } from '#server/kit/app-context.ts'
import type { UnitTx } from '#server/kit/database.ts'
import {
  changePayment,
  findPayment,
  insertPayment,
  type Intent,
  moveRefund,
  oweRefund,
  type PaymentRow,
  renewReview,
  unsentRefunds,
} from '#server/payments/public.ts'
import type { Loaded } from './load.ts'
import type { DeedKind } from './tables.ts'

/** The money of a deed, under the policy's lock. */
export type Movement = {
  deedId: string
  kind: DeedKind
  /** The payment of a charge. */
  paymentId: string
  policyId: string
  version: number
  /** Null for the client, to whom money only comes back. */
  userId: string | null
  currency: string
  now: Date
  paid: Paid | undefined
}

/** A deed's card payment, and the intent by which it was paid. */
export type Paid = { payment: PaymentRow; intent: Intent }

/** Charges the agency's account with a payment of the deed's own, or settles the card payment that the deed waited for. */
export async function charge(tx: UnitTx, gateways: Loaded['gateways'], moved: Movement, routes: Route[]): Promise<void> {
  if (moved.paid) return markSettled(tx, moved.paid, moved)
  for (const { gateway, amount } of routes) {
    const account = gateways.find(({ name }) => name === accountGateway)
    if (gateway !== accountGateway || !account || moved.userId === null) throw new Refusal('change.account_only')
    await insertPayment(tx, {
      id: moved.paymentId,
      policy_id: moved.policyId,
      policy_version: moved.version,
      gateway: account.name,
      gateway_id: account.id,
      user_id: moved.userId,
      amount_cents: amount,
      currency: moved.currency,
      state: 'settled',
      purpose: moved.kind === 'reinstatement' ? 'reinstatement' : 'change',
      idempotency_key: `deed-${moved.deedId}`,
      created_at: moved.now,
      settled_at: moved.now,
    })
  }
}

type Moved = Pick<BookedDeed, 'charge' | 'refund' | 'stopped' | 'waived'> & { contents: { charged: Price }; routes: Route[] }

/** Books a deed, before its payment, which the book must have. */
export function bookDeed(tx: UnitTx, id: string, { policy }: Pick<Loaded, 'policy'>, step: Moved, moved: Movement): Promise<unknown> {
  const { deedId, kind, paymentId, policyId, version, currency, now } = moved
  const isCharged = step.charge > 0 && step.routes.length > 0
  const booking = { id, at: now, kind, policy_id: policyId, policy_version: version, deed_id: deedId, currency }
  const entries = entriesOfDeed({
    ...step,
    before: withSums(policy.charged),
    after: withSums(step.contents.charged),
    reverses: kind === 'undo' || kind === 'reinstatement',
    taxesKept: taxesKept(policy.edition, policy.trip),
    ways: step.routes,
  })
  return insertBooking(tx, isCharged ? { ...booking, payment_id: paymentId } : booking, entries)
}

async function markSettled(tx: UnitTx, { payment, intent }: Paid, { version, now }: Movement): Promise<void> {
  await changePayment(tx, payment.id, {
    state: 'settled',
    policy_version: version,
    settled_at: now,
    check_at: null,
    intent_id: intent.id,
    received_cents: intent.receivedCents,
  })
}

/** Gives back: on account at once by a credit, by card by a refund that leaves later. */
export async function giveBack(world: World, tx: UnitTx, { deedId, kind, now }: Movement, routes: Route[]): Promise<void> {
  for (const { paymentUuid, amount } of routes) {
    const payment = paymentUuid && (await findPayment(tx, paymentUuid))
    if (!payment) throw new Refusal('request.conflict')
    if (payment.gateway === accountGateway) {
      await changePayment(tx, payment.id, { refunded_cents: payment.refunded_cents + amount })
      continue
    }
    const leaveAt = kind === 'withdrawal' ? now : new Date(now.getTime() + refundLeavesAfterMs)
    await oweRefund(world, tx, payment, { cents: amount, reason: kind, at: now, deed: { id: deedId, leaveAt } })
  }
}

/** Opens a review for the part of a refund that no payment can take back, under the newest payment. A person then gives it back. */
export async function reviewWithoutWay(
  { ids }: World,
  tx: UnitTx,
  { currency, now }: Movement,
  { payments }: Policy,
  cents: number,
): Promise<void> {
  const payment = payments.at(-1)
  if (!payment || cents <= 0) return
  const details = JSON.stringify({ owed: { cents, currency } })
  await renewReview(tx, { id: ids.next(), at: now, payment_id: payment.paymentUuid, reason: 'refund_without_way', details })
}

/** Stops the refunds of an earlier deed that have not left. The policy's lock is held, so their sum is the one of the preview. */
export async function stop(tx: UnitTx, deedId: string, now: Date): Promise<void> {
  for (const refund of await unsentRefunds(tx, deedId, now))
    if (!(await moveRefund(tx, refund, 'stopped'))) throw new Refusal('request.conflict')
}
