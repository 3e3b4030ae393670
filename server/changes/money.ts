import { type Price, withSums } from '#common/quotes/price.ts'
import { type BookedMovement, entriesOfMovement, type Entry } from '#common/accounting/entries.ts'
import { movedBy, type Route, taxesKept } from '#common/changes/money.ts'
import { accountGateway, type Policy } from '#common/changes/state.ts'
import { Refusal } from '#common/kit/refusals.ts'
import { refundLeavesAfterMs } from '#common/payments/states.ts'
import { bookingRow } from '#server/accounting/public.ts'
import type { World } from '#server/kit/app-context.ts'
import type { UnitTx } from '#server/kit/database.ts'
import { changePayment, findPayment, moveRefund, oweRefund, renewReview, unsentRefunds } from '#server/payments/public.ts'
import { type Movement, unpaid } from '#server/policies/public.ts'
import type { Loaded } from './load.ts'
import { type MovementRow, movementTo } from './queries.ts'
import type { MovementKind } from './tables.ts'
import type { Written } from './write.ts'

// The money of a step, under the policy's lock: what is written with it, and what it gives back.

type Moved = Pick<BookedMovement, 'charge' | 'refund' | 'stopped' | 'waived'> & { contents: { charged: Price }; routes: Route[] }

type Money = Pick<Movement, 'opens' | 'settles'> & { booking: NonNullable<Movement['booking']> }

/** Returns what a step books, and the payment of its charge: one on the agency's account, or the card payment that the step waited for. */
export function moneyOf({ ids }: Pick<World, 'ids'>, { row, loaded, step, paid }: Written, movement: MovementRow): Money {
  const charged = step.charge > 0 ? chargeOf({ ids }, { loaded, step, paid }, movement) : {}
  const paymentId = (charged.opens ?? charged.settles)?.id
  const booking = {
    id: ids.next(),
    at: movement.at,
    kind: movement.kind,
    policy_id: movement.policy_id,
    policy_version: movement.to_version,
    deed_id: movement.id,
    currency: movement.currency,
    ...(paymentId ? { payment_id: paymentId } : {}),
  }
  return { ...charged, booking: bookingRow(booking, row, entriesOf(loaded, movement.kind, step)) }
}

/** Returns the entries of a step in the money book. */
const entriesOf = ({ policy }: Pick<Loaded, 'policy'>, kind: MovementKind, step: Moved): Entry[] =>
  entriesOfMovement({
    ...step,
    before: withSums(policy.charged),
    after: withSums(step.contents.charged),
    reverses: kind === 'undo' || kind === 'reinstatement',
    taxesKept: taxesKept(policy.edition, policy.trip),
    ways: step.routes,
  })

type Charged = Pick<Written, 'loaded' | 'step'> & { paid: Written['paid'] | undefined }

function chargeOf({ ids }: Pick<World, 'ids'>, { loaded, step, paid }: Charged, movement: MovementRow) {
  const { at: now, to_version: version } = movement
  if (paid) {
    const { payment, intent } = paid
    return {
      settles: { id: payment.id, policy_version: version, settled_at: now, intent_id: intent.id, received_cents: intent.receivedCents },
    }
  }
  const [route] = step.routes
  if (!route) return {}
  const account = loaded.gateways.find(({ name }) => name === accountGateway)
  if (route.gateway !== accountGateway || !account || movement.user_id === null) throw new Refusal('change.account_only')
  const opens = {
    ...unpaid,
    id: ids.next(),
    policy_id: movement.policy_id,
    policy_version: version,
    gateway: account.name,
    gateway_id: account.id,
    user_id: movement.user_id,
    amount_cents: route.amount,
    currency: movement.currency,
    state: 'settled' as const,
    purpose: movement.kind === 'reinstatement' ? ('reinstatement' as const) : ('change' as const),
    idempotency_key: `deed-${movement.id}`,
    request_key: null,
    created_at: now,
    check_at: null,
    settled_at: now,
  }
  return { opens }
}

/** Gives back what a step owes, and stops the refunds of the step before that have not left. */
export async function moveBack(world: World, tx: UnitTx, { row, loaded, step, now }: Written, movement: MovementRow): Promise<void> {
  const former = step.stopped > 0 ? await movementTo(tx, row.id, row.version) : undefined
  if (former) await stopRefunds(tx, former.id, now)
  if (step.charge > 0) return
  await giveBack(world, tx, movement, step.routes)
  const back = step.routes.reduce((sum, { amount }) => sum + amount, 0)
  await reviewWithoutWay(world, tx, movement, loaded.policy, movedBy(step).refund - back)
}

/** Gives back: on account at once by a credit, by card by a refund that leaves later. */
async function giveBack(world: World, tx: UnitTx, { id, kind, at: now }: MovementRow, routes: Route[]): Promise<void> {
  for (const { paymentUuid, amount } of routes) {
    const payment = paymentUuid && (await findPayment(tx, paymentUuid))
    if (!payment) throw new Refusal('request.conflict')
    if (payment.gateway === accountGateway) {
      await changePayment(tx, payment.id, { refunded_cents: payment.refunded_cents + amount })
      continue
    }
    const leaveAt = kind === 'withdrawal' ? now : new Date(now.getTime() + refundLeavesAfterMs)
    await oweRefund(world, tx, payment, { cents: amount, reason: kind, at: now, movement: { id, leaveAt } })
  }
}

/** Opens a review for the part of a refund that no payment can take back, under the newest payment. A person then gives it back. */
async function reviewWithoutWay(
  { ids }: World,
  tx: UnitTx,
  { currency, at: now }: MovementRow,
  { payments }: Policy,
  cents: number,
): Promise<void> {
  const payment = payments.at(-1)
  if (!payment || cents <= 0) return
  const details = JSON.stringify({ owed: { cents, currency } })
  await renewReview(tx, { id: ids.next(), at: now, payment_id: payment.paymentUuid, reason: 'refund_without_way', details })
}

/** Stops the refunds of an earlier movement that have not left. The policy's lock is held, so their sum is the one of the preview. */
async function stopRefunds(tx: UnitTx, movementId: string, now: Date): Promise<void> {
  for (const refund of await unsentRefunds(tx, movementId, now))
    if (!(await moveRefund(tx, refund, 'stopped'))) throw new Refusal('request.conflict')
}
