import { movedBy, routesOfCharge } from '#common/changes/money.ts'
import { type Refused } from '#common/changes/refusals.ts'
import { goodwillBasis } from '#common/changes/ending/candidates.ts'
import { fromCents } from '#common/kit/money.ts'
import { Refusal, refusals, refuseFields } from '#common/kit/refusals.ts'
import type { DocumentFile } from '#server/documents/public.ts'
import type { UnitTx } from '#server/kit/database.ts'
import { changePolicy, countDeed, moveCount, type PolicyRow, recordEvent, type Sales } from '#server/policies/public.ts'
import { audit, type Where } from '#server/session/public.ts'
import type { Loaded } from './load.ts'
import { bookDeed, charge, giveBack, type Movement, type Paid, reviewWithoutWay, stop } from './money.ts'
import { queueMails } from './papers/mails.ts'
import { endOpenChangeOf } from './payment/end.ts'
import { type DeedRow, deedTo, insertDeed } from './queries.ts'
import type { DeedKind } from './tables.ts'
import { type Step, writeVersion } from './write.ts'

export const policyChanged = 'policy.changed'

/** The author of a step: a user of the unit, or the client by a statement of withdrawal. */
type Author = { userId: string | null; name: string; withdrawalId?: string }

/** A step to be written under the policy's lock. `paid`: the card payment that it waited for. */
export type Written = {
  id: string
  row: PolicyRow
  loaded: Loaded
  step: Step
  asked: Record<string, unknown>
  by: Author
  where: Where
  requestKey: string | null
  now: Date
  paid?: Paid
}

/** A step that was written, with the files of its documents, which may still be pending. */
type Made = { policy: PolicyRow; deed: DeedRow; files: DocumentFile[] }

/** Writes a step: version, money, history, files, emails, jobs and counts. The caller holds the policy's lock, and has judged the step on this very version. */
export async function writeDeed(sales: Sales, tx: UnitTx, written: Written): Promise<Made> {
  const { world, documents } = sales
  const { row, loaded, step, by, where, now } = written
  const { userId } = by
  const next = { row, loaded, contents: step.contents, userId, now }
  const columns = await writeVersion(world, tx, next)
  const deed = deedOf(written)
  await insertDeed(tx, { ...deed, asked: JSON.stringify(deed.asked), routes: JSON.stringify(deed.routes) })
  await move({ world }, tx, written, deed)
  const { ending } = step
  if (ending) await endOpenChangeOf(world, tx, row.id, now)
  const status = ending ? ('cancelled' as const) : ('purchased' as const)
  const policy = await changePolicy(tx, row, {
    ...columns,
    status,
    ended_kind: ending?.kind ?? null,
    ended_at: ending ? now : null,
    cover_ends: ending?.coverEnds ?? null,
  })
  const what = events[step.kind]
  const details = {
    version: policy.version,
    kind: step.kind,
    ...(step.basis === goodwillBasis ? { basis: goodwillBasis, refund: fromCents(step.refund) } : {}),
  }
  await recordEvent(world, tx, { policyId: row.id, at: now, by, what, details })
  await audit(world, tx, where, { action: `policy.${what}`, outcome: 'done', object: row.id, details })
  const files = await documents.insertPending(tx, policy, step.papers)
  await queueMails(sales, tx, { policy, loaded, step, deed, files })
  await world.outbox.publish(tx, policyChanged, { policyId: row.id, deedId: deed.id, version: deed.to_version, ends: ending !== null })
  await moveCount(tx, row.id, row.status, status)
  await countDeed(tx, row.id)
  return { policy, deed, files }
}

/** The event of each step in the policy's history. */
const events: Record<DeedKind, string> = {
  change: 'changed',
  undo: 'change_undone',
  cancellation: 'cancelled',
  withdrawal: 'cancelled',
  reinstatement: 'reinstated',
}

const deedOf = ({ id, row, step, asked, by, requestKey, now }: Written): DeedRow => ({
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

async function move({ world }: Pick<Sales, 'world'>, tx: UnitTx, { row, loaded, step, now, paid }: Written, deed: DeedRow): Promise<void> {
  const { id: deedId, kind, user_id: userId, currency, to_version: version } = deed
  const paymentId = paid?.payment.id ?? world.ids.next()
  const moved: Movement = { deedId, kind, paymentId, policyId: row.id, version, userId, currency, now, paid }
  await bookDeed(tx, world.ids.next(), loaded, step, moved)
  const former = step.stopped > 0 ? await deedTo(tx, row.id, row.version) : undefined
  if (former) await stop(tx, former.id, now)
  if (step.charge > 0) return charge(tx, loaded.gateways, moved, step.routes)
  await giveBack(world, tx, moved, step.routes)
  const back = step.routes.reduce((sum, { amount }) => sum + amount, 0)
  await reviewWithoutWay(world, tx, moved, loaded.policy, movedBy(step).refund - back)
}

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
