import { routesOfCharge } from '#common/changes/money.ts'
import { type Refused } from '#common/changes/refusals.ts'
import { goodwillBasis } from '#common/changes/ending/candidates.ts'
import { fromCents } from '#common/kit/money.ts'
import { Refusal, refusals, refuseFields } from '#common/kit/refusals.ts'
import { expose } from '#server/accounting/public.ts'
import type { DocumentFile } from '#server/documents/public.ts'
import type { UnitTx } from '#server/kit/database.ts'
import { eventRow, moveCount, type PolicyRow, type Sales, writeJudged } from '#server/policies/public.ts'
import { auditRow } from '#server/session/public.ts'
import type { Loaded } from './load.ts'
import { moneyOf, moveBack } from './money.ts'
import { queueMails } from './documents/mails.ts'
import { endOpenChangeOf } from './payment/open.ts'
import type { MovementRow } from './queries.ts'
import type { MovementKind } from './tables.ts'
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
    jobs: changed.rows,
  })
  tx.afterCommit(changed.published)
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
