import { type BookedMovement, entriesOfMovement, type Entry } from '#common/accounting/book.ts'
import { movedBy, type Route, routesOfCharge, taxesKept } from '#common/changes/money.ts'
import { type Refused } from '#common/changes/refusals.ts'
import { goodwillBasis } from '#common/changes/ending/candidates.ts'
import { accountGateway, type Policy } from '#common/changes/state.ts'
import { fromCents } from '#common/kit/money.ts'
import { Refusal, refusals, refuseFields } from '#common/kit/refusals.ts'
import { refundLeavesAfterMs } from '#common/payments/states.ts'
import { type Price, withSums } from '#common/quotes/price-lines.ts'
import { bookingRow, expose } from '#server/accounting/public.ts'
import type { DocumentFile } from '#server/documents/public.ts'
import type { World } from '#server/kit/app-context.ts'
import type { UnitTx } from '#server/kit/database.ts'
import { changePayment, findPayment, moveRefund, oweRefund, renewReview, unsentRefunds } from '#server/payments/public.ts'
import { eventRow, moveCount, type Movement, type PolicyRow, type Sales, unpaid, writeJudged } from '#server/policies/public.ts'
import { auditRow } from '#server/session/public.ts'
import type { Loaded } from './load.ts'
import { queueMails } from './documents/mails.ts'
import { endOpenChangeOf } from './payment/open.ts'
import { type MovementRow, movementTo } from './queries.ts'
import type { MovementKind } from './tables.ts'
import { renewalOutdated } from './renewal/outdated.ts'
import { nextVersion, type Step, type Written } from './write.ts'

export const policyChanged = 'policy.changed'

/** A step that was written, with the files of its documents, which may still be pending. */
type Made = { policy: PolicyRow; movement: MovementRow; files: DocumentFile[] }

/** Writes a step: version, money, history, files, emails, jobs and counts. The caller holds the policy's lock, and has judged the step on this very version. */
export async function writeMovement(sales: Sales, tx: UnitTx, written: Written): Promise<Made> {
  const { world, documents } = sales
  const { row, loaded, step, by, where, now } = written
  const { contents, columns } = await nextVersion(world, tx, { row, loaded, contents: step.contents, userId: by.userId, now })
  const { ending, kind, papers: kinds } = step
  const moved = {
    ...columns,
    status: ending ? ('cancelled' as const) : ('purchased' as const),
    ended_kind: ending?.kind ?? null,
    ended_at: ending ? now : null,
    cover_ends: ending?.coverEnds ?? null,
  }
  const policy: PolicyRow = { ...row, ...moved }
  const movement = movementOf(written)
  const money = moneyOf(world, written, movement)
  const planned = documents.planned(policy, kinds)
  const changed = world.outbox.jobsFor(policyChanged, {
    policyId: row.id,
    deedId: movement.id,
    version: movement.to_version,
    ends: ending !== null,
  })
  const isTerm = loaded.policy.edition.basis.tariff.base.kind === 'term'
  const jobs = [changed, ...(isTerm ? [world.outbox.jobsFor(renewalOutdated, { policyId: row.id })] : [])]
  const what = events[kind]
  const details = {
    version: policy.version,
    kind,
    ...(step.basis === goodwillBasis ? { basis: goodwillBasis, refund: fromCents(step.refund) } : {}),
  }
  if (ending) await endOpenChangeOf(world, tx, row.id, now)
  await expose(tx, money.booking)
  await writeJudged(tx, {
    policyId: row.id,
    expects: { status: row.status },
    policy: moved,
    ...contents,
    deed: movement,
    ...money,
    event: eventRow(world, { policyId: row.id, at: now, by, what, details }),
    audit: auditRow(world, where, { action: `policy.${what}`, outcome: 'done', object: row.id, details }),
    files: planned.rows,
    jobs: jobs.flatMap(({ rows }) => rows),
  })
  for (const { published } of jobs) tx.afterCommit(published)
  await moveBack(world, tx, written, movement)
  await documents.replaceCertificates(tx, policy, kinds)
  await queueMails(sales, tx, { policy, loaded, step, movement, files: planned.files })
  await moveCount(tx, row.id, row.status, policy.status, 1)
  return { policy, movement, files: planned.files }
}

/** The event of each step in the policy's history. */
const events: Record<MovementKind, string> = {
  change: 'changed',
  undo: 'change_undone',
  cancellation: 'cancelled',
  withdrawal: 'cancelled',
  reinstatement: 'reinstated',
}

const movementOf = ({ id, row, step, asked, by, requestKey, now }: Written): MovementRow => ({
  business_unit_id: row.business_unit_id,
  id,
  policy_id: row.id,
  kind: step.kind,
  from_version: row.version,
  to_version: row.version + 1,
  at: now,
  user_id: by.userId,
  user_name: by.name,
  withdrawal_id: by.withdrawalId ?? null,
  request_key: requestKey,
  basis: step.basis,
  reason: step.reason,
  note: step.note,
  asked,
  wait_until: step.waitUntil === null ? null : new Date(step.waitUntil),
  difference_cents: step.charge + step.stopped - step.refund,
  charge_cents: step.charge,
  refund_cents: step.refund,
  stopped_cents: step.stopped,
  kept_cents: step.kept,
  waived_cents: step.waived,
  commission_cents: step.commission,
  currency: row.currency,
  routes: step.routes,
})

type Settle = { paymentGatewayUUID: string } | null | undefined

/** Sends a charge to the gateway that the caller chose, else to that of the sale. The unit must have that gateway. */
export function settledBy({ policy, now, gateways }: Loaded, charge: number, settle: Settle): Pick<Step, 'routes'> & { waived: number } {
  const chosen = settle && gateways.find(({ id }) => id === settle.paymentGatewayUUID.toLowerCase())
  if (settle && !chosen) throw refuseFields([{ path: 'settle.paymentGatewayUUID', rule: 'gateway', key: 'policies.gateway' }])
  const settled = routesOfCharge(policy, charge, now, chosen?.name)
  if (settled.routes.some(({ gateway }) => !gateways.some(({ name }) => name === gateway))) throw new Refusal('change.account_only')
  return settled
}

/** Refuses with the first refusal of a preview. Rating and form refuse together, at their fields. `why`: the reason against a withdrawal. */
export function refuseWith(found: readonly Refused[]): Refusal {
  const [first] = found
  const code = Object.keys(refusals).find((each): each is keyof typeof refusals => each === first?.code) ?? 'validation.failed'
  const fields = found
    .filter(({ path }) => path !== '')
    .map(({ path, rule, key, params }) => ({ path, rule, key, ...(params ? { params } : {}) }))
  const why = first?.params?.['why']
  return new Refusal(code, {
    ...(fields.length > 0 ? { fields } : {}),
    ...(first?.params ? { params: first.params } : {}),
    ...(why === undefined ? {} : { data: { why } }),
  })
}

// The money of a step, under the policy's lock: what is written with it, and what it gives back.

type Moved = Pick<BookedMovement, 'charge' | 'refund' | 'stopped' | 'waived'> & { contents: { charged: Price }; routes: Route[] }

type Money = Pick<Movement, 'opens' | 'settles'> & { booking: NonNullable<Movement['booking']> }

/** Returns what a step books, and the payment of its charge: one on the agency's account, or the card payment that the step waited for. */
function moneyOf({ ids }: Pick<World, 'ids'>, { row, loaded, step, paid }: Written, movement: MovementRow): Money {
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
async function moveBack(world: World, tx: UnitTx, { row, loaded, step, now }: Written, movement: MovementRow): Promise<void> {
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
