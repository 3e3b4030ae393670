import type { Route } from '#common/changes/money.ts'
import { accountGateway } from '#common/changes/state.ts'
import { Refusal } from '#common/kit/refusals.ts'
import type { World } from '#server/kit/app-context.ts'
import type { UnitTx } from '#server/kit/database.ts'
import { changePayment, findPayment, insertLedgerEntry, insertPayment, insertRefund } from '#server/payments/public.ts'
import type { Loaded } from './load.ts'
import { stopRefunds, unsentRefunds } from './queries.ts'
import type { DeedKind } from './tables.ts'

/** The money of a deed, under the policy's lock. */
export type Movement = {
  deedId: string
  kind: DeedKind
  policyId: string
  version: number
  /** Null for the client, to whom money only comes back. */
  userId: string | null
  currency: string
  now: Date
}

/** A cancellation or a change can be taken back within the hour, so its refund by card leaves after it. A withdrawal's leaves at once. */
const leavesAfterMs = 60 * 60_000

/** Charges the agency's account with a payment of the deed's own, or refuses: a card is not charged. */
export async function charge({ ids }: World, tx: UnitTx, gateways: Loaded['gateways'], moved: Movement, routes: Route[]): Promise<void> {
  for (const { gateway, amount } of routes) {
    const account = gateways.find(({ name }) => name === accountGateway)
    if (gateway !== accountGateway || !account || moved.userId === null) throw new Refusal('change.account_only')
    const [id, entryId] = [ids.next(), ids.next()]
    const money = { amount_cents: amount, currency: moved.currency }
    await insertLedgerEntry(tx, { ...entryOf(moved), id: entryId, payment_id: id, ...money })
    await insertPayment(tx, {
      id,
      policy_id: moved.policyId,
      policy_version: moved.version,
      gateway: account.name,
      gateway_id: account.id,
      user_id: moved.userId,
      ...money,
      state: 'settled',
      purpose: moved.kind === 'reinstatement' ? 'reinstatement' : 'change',
      idempotency_key: `deed-${moved.deedId}`,
      ledger_entry_id: entryId,
      created_at: moved.now,
      settled_at: moved.now,
    })
  }
}

const entryOf = ({ deedId, kind, policyId, now }: Movement) => ({ at: now, policy_id: policyId, kind, deed_id: deedId })

/** Gives back: on account at once by a credit, by card by a refund that leaves later. */
export async function giveBack({ ids }: World, tx: UnitTx, moved: Movement, routes: Route[]): Promise<void> {
  const { deedId, kind, currency, now } = moved
  for (const { paymentUuid, amount } of routes) {
    const payment = paymentUuid && (await findPayment(tx, paymentUuid))
    if (!payment) throw new Refusal('request.conflict')
    const refunded_cents = payment.refunded_cents + amount
    if (payment.gateway === accountGateway) {
      await insertLedgerEntry(tx, { ...entryOf(moved), id: ids.next(), payment_id: payment.id, amount_cents: -amount, currency })
      await changePayment(tx, payment.id, { refunded_cents })
      continue
    }
    const id = ids.next()
    const leave_at = kind === 'withdrawal' ? now : new Date(now.getTime() + leavesAfterMs)
    await insertRefund(tx, {
      id,
      payment_id: payment.id,
      amount_cents: amount,
      currency,
      reason: kind,
      state: 'due',
      idempotency_key: `refund-${id}`,
      created_at: now,
      deed_id: deedId,
      leave_at,
    })
    // The reconciler sends what is due.
    await changePayment(tx, payment.id, { refunded_cents, check_at: payment.check_at ?? leave_at })
  }
}

/** Stops the refunds of an earlier deed that have not left. The policy's lock is held, so their sum is the one of the preview. */
export async function stop(tx: UnitTx, deedId: string, now: Date): Promise<void> {
  const unsent = await unsentRefunds(tx, deedId, now)
  if (unsent.length === 0) return
  const stopped = await stopRefunds(
    tx,
    unsent.map(({ id }) => id),
  )
  if (stopped.length !== unsent.length) throw new Refusal('request.conflict')
  for (const { payment_id, amount_cents } of unsent) {
    const payment = await findPayment(tx, payment_id)
    if (payment) await changePayment(tx, payment_id, { refunded_cents: payment.refunded_cents - amount_cents })
  }
}
