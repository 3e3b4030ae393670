import type { RefusalCode } from '#common/kit/refusals.ts'
import { Refusal } from '#common/kit/refusals.ts'
import type { World } from '#server/kit/app-context.ts'
import type { UnitTx } from '#server/kit/database.ts'
import type { Scope } from '#server/kit/scope.ts'
import { changePaymentNotified, findPayment, type Intent, type PaymentRow } from '#server/payments/public.ts'
import {
  giveNotice,
  isPaymentBy,
  lockPolicyOfPayment,
  type PolicyRow,
  recordEvent,
  recordUnmatchedPayment,
  type Sales,
} from '#server/policies/public.ts'
import { noRequest, type Where } from '#server/session/public.ts'
import { writeDeed } from '../deed.ts'
import { type Loaded, loadPolicy } from '../load.ts'
import { deedById, deedTo, openChangeOfPayment, type OpenChangeRow, unsentRefunds } from '../queries.ts'
import type { Step } from '../write.ts'
import { endOpen, endUnmade } from './end.ts'
import { stepIn } from '../sealed/step.ts'
import { filesOf, type Standing } from './reply.ts'

export type Finished = { made: true; standing: Standing } | { made: false; code: RefusalCode }

/**
 * Makes the change that a card payment was for: the only way, for browser, card network and reconciler. Concurrent calls wait for the policy's
 * lock; one makes it, and the others find it made. Money for a change that can no longer be made is given back, and nothing is changed.
 */
export const finishChange = (sales: Sales, scope: Scope, paymentId: string, paid: { intent: Intent; where?: Where }): Promise<Finished> =>
  sales.world.database.inScope(scope, async tx => {
    const policy = await lockPolicyOfPayment(tx, paymentId)
    // Read under the lock: a concurrent call may have settled it before.
    const payment = policy && (await findPayment(tx, paymentId))
    const open = payment && (await openChangeOfPayment(tx, paymentId))
    if (!policy || !payment || !open) throw new Refusal('request.not_found')
    if (payment.state === 'settled') return { made: true, standing: await madeBefore(sales, tx, policy, open) }
    return finish(sales, tx, { policy, payment, open, where: noRequest, ...paid })
  })

async function madeBefore(sales: Sales, tx: UnitTx, policy: PolicyRow, { id }: OpenChangeRow): Promise<Standing> {
  const deed = await deedById(tx, id)
  if (!deed) throw new Error('a settled change has a deed')
  return { policy, files: await filesOf(sales, tx, policy, deed.to_version), deed }
}

type Completion = { policy: PolicyRow; payment: PaymentRow; open: OpenChangeRow; intent: Intent; where: Where }

async function finish(sales: Sales, tx: UnitTx, completion: Completion): Promise<Finished> {
  const { world } = sales
  const { policy: row, payment, open, intent, where } = completion
  if (intent.status !== 'succeeded') return { made: false, code: 'payment.not_paid' }
  const now = world.clock.now()
  const loaded = await loadPolicy(tx, row, { secrets: world.secrets, now, locale: row.locale })
  const step = await whatIsMade(world, tx, completion, { loaded, now })
  if (typeof step === 'string') {
    if (open.state === 'awaiting_payment') await endUnmade(world, tx, open, { state: 'expired', now })
    return { made: false, code: await recordUnmatchedPayment(sales, tx, payment, intent, step) }
  }
  const { id, user_id: userId, user_name: name, request_key: requestKey } = open
  await endOpen(tx, open, 'done', now)
  if (open.offered_to) {
    await recordEvent(world, tx, { policyId: row.id, at: now, by: { userId: null, name: row.taker }, what: 'change_accepted' })
    await giveNotice(tx, { user_id: userId, policy_id: row.id, kind: 'offer_paid', at: now })
  }
  const written = { id, row, loaded, step, asked: askedOf(open), by: { userId, name }, where, requestKey, now, paid: { payment, intent } }
  const standing = await writeDeed(sales, tx, written)
  // The network notified of this reversal before the change was made, or not at all.
  if (intent.refundedCents > 0 || intent.disputed)
    await world.outbox.publish(tx, changePaymentNotified, { paymentId: payment.id, kind: 'charge.taken_back' })
  return { made: true, standing }
}

/** Returns what was asked. The address of an offer goes when the offer ends, and a deed is kept for ever. */
function askedOf({ asked, offered_to }: OpenChangeRow): Record<string, unknown> {
  const { settle, ...kept } = asked ?? {}
  return offered_to ? kept : { ...kept, settle }
}

/** Returns the step that is made now, or why not. The waiting time of more cancellation cover counts from the payment. */
async function whatIsMade(
  { secrets }: Pick<World, 'secrets'>,
  tx: UnitTx,
  { policy, payment, open, intent }: Completion,
  { loaded, now }: { loaded: Loaded; now: Date },
): Promise<Step | 'late' | 'differs' | 'returned'> {
  if (!(await isPaymentBy(tx, intent, payment))) return 'differs'
  const step = stepIn(secrets, open)
  if (payment.state !== 'open' || !step || now >= open.until || policy.version !== open.from_version) return 'late'
  if (loaded.policy.claimed && open.kind !== 'reinstatement') return 'late'
  if (step.stopped > 0 && (await unsentCents(tx, policy, now)) < step.stopped) return 'late'
  // The client already has the money back, so nothing is changed, and a person decides.
  if (intent.refundedCents >= intent.receivedCents) return 'returned'
  return step.waitUntil === null ? step : { ...step, waitUntil: step.waitUntil + now.getTime() - open.at.getTime() }
}

async function unsentCents(tx: UnitTx, { id, version }: PolicyRow, now: Date): Promise<number> {
  const former = await deedTo(tx, id, version)
  const unsent = former ? await unsentRefunds(tx, former.id, now) : []
  return unsent.reduce((sum, { amount_cents: cents }) => sum + cents, 0)
}
