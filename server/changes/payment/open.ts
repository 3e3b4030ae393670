import { Refusal } from '#common/kit/refusals.ts'
import type { UnitTx } from '#server/kit/database.ts'
import { insertPayment } from '#server/payments/public.ts'
import { recordEvent, type Sales } from '#server/policies/public.ts'
import { audit } from '#server/session/public.ts'
import type { Step, Written } from '../deed.ts'
import { deedTo, insertOpenChange, type OpenChangeRow, refundMarginMs, unsentRefunds } from '../queries.ts'

/** The reconciler's first check, in case everything stops here. */
const firstCheckMs = 120_000

export const isByCard = ({ charge, routes }: Step): boolean => charge > 0 && routes.some(({ gateway }) => gateway === 'StripeV2')

/**
 * Opens a step that is charged to a card: it waits for its payment, and the policy stays as it is. The payment is written first, with the key by
 * which the card network then finds or creates its intent. The step is kept as it was shown, and written as such when it is paid.
 */
export async function openStep({ world, cards }: Sales, tx: UnitTx, written: Written & { by: { userId: string } }): Promise<OpenChangeRow> {
  const { id, row, loaded, step, asked, by, where, requestKey, now } = written
  const { kind } = step
  const gateway = loaded.gateways.find(({ name }) => name === 'StripeV2')
  if (!cards || !gateway) throw new Refusal('payment.unavailable', { retryAfter: 60 })
  // An ending charges nothing.
  if (kind === 'cancellation' || kind === 'withdrawal') throw new Refusal('request.conflict')
  const until = await untilOf(tx, written)
  const payment = await insertPayment(tx, {
    id: world.ids.next(),
    policy_id: row.id,
    policy_version: row.version,
    gateway: gateway.name,
    gateway_id: gateway.id,
    user_id: by.userId,
    amount_cents: step.charge,
    currency: row.currency,
    state: 'open',
    purpose: kind === 'reinstatement' ? 'reinstatement' : 'change',
    idempotency_key: `deed-${id}`,
    created_at: now,
    check_at: new Date(Math.min(now.getTime() + firstCheckMs, until.getTime())),
  })
  await recordEvent(world, tx, { policyId: row.id, at: now, by, what: 'change_asked' })
  await audit(world, tx, where, { action: 'policy.change_asked', outcome: 'done', object: row.id, details: { version: row.version, kind } })
  return insertOpenChange(tx, {
    id,
    policy_id: row.id,
    kind,
    from_version: row.version,
    state: 'awaiting_payment',
    asked: JSON.stringify(asked),
    step: JSON.stringify(storedAs(step)),
    at: now,
    until,
    user_id: by.userId,
    user_name: by.name,
    request_key: requestKey,
    payment_id: payment.id,
    difference_cents: step.charge + step.stopped,
  })
}

/** A step holds more than its type says: the preview that it comes from, with the people once more. */
const storedAs = ({ kind, contents, charge, refund, stopped, kept, waived, commission, routes, ...more }: Step): Step => {
  const { basis, waitUntil, validUntil, reason, note, ending } = more
  const money = { charge, refund, stopped, kept, waived, commission, routes }
  return { kind, contents, ...money, basis, waitUntil, validUntil, reason, note, ending }
}

/** Until when a step can be paid: never past the moment at which an earlier refund leaves that it is to stop. */
async function untilOf(tx: UnitTx, { row, step, now }: Written): Promise<Date> {
  const former = step.stopped > 0 ? await deedTo(tx, row.id, row.version) : undefined
  const leaving = former ? await unsentRefunds(tx, former.id, now) : []
  const ends = leaving.flatMap(({ leave_at }) => (leave_at ? [leave_at.getTime() - refundMarginMs] : []))
  return new Date(Math.min(step.validUntil, ...ends))
}
