import { Refusal } from '#common/kit/refusals.ts'
import type { UnitTx } from '#server/kit/database.ts'
import type { Scope } from '#server/kit/scope.ts'
import { findPayment, type PaymentRow } from '#server/payments/public.ts'
import { clientSecretOf, lockPolicy, paidIntent, type Sales, settle } from '#server/policies/public.ts'
import { audit, type Where } from '#server/session/public.ts'
import { loadPolicy } from '../load.ts'
import { abandonChange } from '../payment/abandon.ts'
import { openPayment } from '../payment/open.ts'
import { figuresIn } from '../reply.ts'
import { changeWaits } from '../payment/waits.ts'
import { awaitPayment, openChangeById, type OpenChangeRow } from '../queries.ts'

/** The client's answer to an offer of their policy. The caller has checked that the offer is the client's. */
type Answer = { id: string; where: Where; action: string }
export type OfferPayment = { state: 'awaiting_payment' | 'done'; clientSecret: string | null; publishableKey: string | null }

const isDone: OfferPayment = { state: 'done', clientSecret: null, publishableKey: null }

/** Begins to pay an offer: writes its payment once, and returns the secret by which the browser takes the card. Repeated, it returns the same one. */
export async function beginToPay(sales: Sales, scope: Scope, answer: Answer): Promise<OfferPayment> {
  const { world, cards } = sales
  if (!cards) throw new Refusal('payment.unavailable', { retryAfter: 60 })
  const payment = await world.database.inScope(scope, tx => begin(sales, tx, answer))
  if (payment === 'done') return isDone
  return { state: 'awaiting_payment', clientSecret: await clientSecretOf(sales, scope, payment), publishableKey: cards.publishableKey }
}

async function begin({ world }: Sales, tx: UnitTx, { id, where, action }: Answer): Promise<PaymentRow | 'done'> {
  const found = await openChangeById(tx, id)
  const row = found && (await lockPolicy(tx, found.policy_id))
  // Read under the lock: a concurrent call may have begun, paid or ended it.
  const open = row && (await openChangeById(tx, id))
  if (!open) throw new Refusal('request.not_found')
  if (open.state === 'done') return 'done'
  const now = world.clock.now()
  const step = figuresIn(open)
  if (!step || now >= open.until) throw new Refusal('change.expired')
  const begun = open.payment_id && (await findPayment(tx, open.payment_id))
  if (begun) return begun
  const loaded = await loadPolicy(tx, row, { secrets: world.secrets, now, locale: row.locale })
  if (loaded.policy.claimed) throw new Refusal('change.claimed')
  const payment = await openPayment(world, tx, { open, row, gateways: loaded.gateways, userId: open.user_id, charge: step.charge, now })
  await awaitPayment(tx, id, payment.id)
  await audit(world, tx, where, { action, outcome: 'done', object: row.id, details: { changeUuid: id } })
  return payment
}

/** Makes the change once the client has paid, by the same way as the desk. Repeated calls find it made. */
export async function reportPaid(sales: Sales, scope: Scope, { id, where }: Answer, secret: string): Promise<OfferPayment> {
  const { open, payment } = await sales.world.database.inScope(scope, tx => paymentOf(tx, id))
  if (open.state === 'done') return isDone
  if (!payment) throw new Refusal('payment.not_paid')
  const intent = await paidIntent(sales, payment, secret)
  const settled = await settle(sales, scope, payment, changeWaits, { by: 'card', intent, where })
  if (!settled.made) throw new Refusal(settled.code)
  return isDone
}

async function paymentOf(tx: UnitTx, id: string): Promise<{ open: OpenChangeRow; payment: PaymentRow | undefined }> {
  const open = await openChangeById(tx, id)
  if (!open) throw new Refusal('request.not_found')
  return { open, payment: open.payment_id === null ? undefined : await findPayment(tx, open.payment_id) }
}

/** Declines an offer. If it was paid meanwhile, it is made, and the state says so. */
export async function declineOffer(sales: Sales, scope: Scope, { id, where, action }: Answer, name: string): Promise<'declined' | 'done'> {
  const open = await sales.world.database.inScope(scope, tx => openChangeById(tx, id))
  if (!open) throw new Refusal('request.not_found')
  if (open.state === 'done' || open.state === 'declined') return open.state
  if (open.ended_at) throw new Refusal('change.expired')
  const standing = await abandonChange(sales, scope, id, { state: 'declined', action, by: { userId: null, name }, where })
  if ('movement' in standing) return 'done'
  if (standing.open.state !== 'declined') throw new Refusal('change.expired')
  return 'declined'
}
