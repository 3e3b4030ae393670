import { movedBy } from '#common/changes/money.ts'
import { cardGateway } from '#common/changes/state.ts'
import { Refusal } from '#common/kit/refusals.ts'
import { refundMarginMs } from '#common/payments/states.ts'
import type { World } from '#server/kit/app-context.ts'
import type { UnitTx } from '#server/kit/database.ts'
import { insertPayment, type NewPayment, type PaymentRow, unsentRefunds } from '#server/payments/public.ts'
import { type PolicyRow, recordEvent, type Sales } from '#server/policies/public.ts'
import { audit } from '#server/session/public.ts'
import type { Written } from '../write.ts'
import type { Loaded } from '../load.ts'
import { movementTo, insertOpenChange, type NewOpenChange, type OpenChangeRow } from '../queries.ts'
import { stepColumns } from '../sealed/step.ts'
import type { Step } from '../write.ts'

/** The time until the reconciler first checks the payment, in case the process dies before the browser has its reply. */
const firstCheckMs = 120_000

export const isByCard = ({ charge, routes }: Step): boolean => charge > 0 && routes.some(({ gateway }) => gateway === cardGateway)

/**
 * Opens a step that is charged to a card: it waits for its payment, and the policy stays as it is. The payment is written first, with the key by
 * which the card network then finds or creates its intent. The step is kept as it was shown, and written as such when it is paid.
 */
export async function openStep({ world, cards }: Sales, tx: UnitTx, written: Written & { by: { userId: string } }): Promise<OpenChangeRow> {
  const { id, row, loaded, step, by, where, now } = written
  const { kind } = step
  if (!cards) throw new Refusal('payment.unavailable', { retryAfter: 60 })
  const open = { ...(await openRow(world, tx, written)), state: 'awaiting_payment' as const }
  const payment = await openPayment(world, tx, {
    open,
    row,
    gateways: loaded.gateways,
    userId: by.userId,
    charge: movedBy(step).charge,
    now,
  })
  await recordEvent(world, tx, { policyId: row.id, at: now, by, what: 'change_asked' })
  await audit(world, tx, where, { action: 'policy.change_asked', outcome: 'done', object: row.id, details: { version: row.version, kind } })
  return insertOpenChange(tx, { ...open, id, payment_id: payment.id })
}

type ToPay = {
  open: Pick<OpenChangeRow, 'id' | 'kind' | 'until'>
  row: PolicyRow
  gateways: Loaded['gateways']
  userId: string
  charge: number
  now: Date
}

/** Writes the card payment of a change, with the key by which the network finds or creates its intent. */
export function openPayment(
  { ids }: Pick<World, 'ids'>,
  tx: UnitTx,
  { open, row, gateways, userId, charge, now }: ToPay,
): Promise<PaymentRow> {
  const gateway = gateways.find(({ name }) => name === cardGateway)
  if (!gateway) throw new Refusal('payment.unavailable', { retryAfter: 60 })
  return insertPayment(tx, {
    id: ids.next(),
    policy_id: row.id,
    policy_version: row.version,
    gateway: gateway.name,
    gateway_id: gateway.id,
    user_id: userId,
    amount_cents: charge,
    currency: row.currency,
    state: 'open',
    purpose: open.kind === 'reinstatement' ? 'reinstatement' : 'change',
    idempotency_key: `deed-${open.id}`,
    created_at: now,
    check_at: new Date(Math.min(now.getTime() + firstCheckMs, open.until.getTime())),
  } satisfies NewPayment)
}

/** Returns the row of a step that waits, as it was shown. */
export async function openRow(world: Pick<World, 'secrets'>, tx: UnitTx, written: Written & { by: { userId: string } }) {
  const { id, row, step, asked, by, requestKey, now } = written
  const { kind } = step
  // An ending charges nothing.
  if (kind === 'cancellation' || kind === 'withdrawal') throw new Refusal('request.conflict')
  return {
    id,
    policy_id: row.id,
    kind,
    from_version: row.version,
    asked: JSON.stringify(asked),
    ...stepColumns(world.secrets, id, storedAs(step)),
    at: now,
    until: await untilOf(tx, written),
    user_id: by.userId,
    user_name: by.name,
    request_key: requestKey,
    difference_cents: step.charge + step.stopped,
  } satisfies Partial<NewOpenChange>
}

/** Leaves out what a step has beyond its type: the preview that it comes from, with the people once more. */
const storedAs = ({ kind, contents, charge, refund, stopped, kept, waived, commission, routes, ...more }: Step): Step => {
  const { basis, waitUntil, validUntil, papers: kinds, reason, note, ending } = more
  const money = { charge, refund, stopped, kept, waived, commission, routes }
  return { kind, contents, ...money, basis, waitUntil, validUntil, papers: kinds, reason, note, ending }
}

/** Returns until when a step can be paid: never after an earlier refund leaves that it should stop. */
async function untilOf(tx: UnitTx, { row, step, now }: Written): Promise<Date> {
  const former = step.stopped > 0 ? await movementTo(tx, row.id, row.version) : undefined
  const leaving = former ? await unsentRefunds(tx, former.id, now) : []
  const ends = leaving.flatMap(({ leave_at }) => (leave_at ? [leave_at.getTime() - refundMarginMs] : []))
  return new Date(Math.min(step.validUntil, ...ends))
}
