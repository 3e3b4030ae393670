import { createHash } from 'node:crypto'
import type { ResponseSentOf } from '#common/kit/call.ts'
import type * as calls from '#common/changes/calls.ts'
import type { Route } from '#common/changes/money.ts'
import { type Refused } from '#common/changes/refusals.ts'
import { accountGateway } from '#common/changes/state.ts'
import type { Locale } from '#common/kit/locales.ts'
import { fromCents } from '#common/kit/money.ts'
import { Refusal, refusals, refuseFields } from '#common/kit/refusals.ts'
import type { CallerInUnit } from '#server/kit/caller.ts'
import type { UnitTx } from '#server/kit/database.ts'
import {
  changePolicy,
  countDeed,
  isVisible,
  lockPolicy,
  moveCount,
  type PolicyRow,
  recordEvent,
  saleReply,
  type Sales,
  seesCommission,
} from '#server/policies/public.ts'
import { audit, type Where } from '#server/session/public.ts'
import { type Loaded, loadPolicy } from './load.ts'
import { queueMails } from './papers/mails.ts'
import { charge, giveBack, type Movement, stop } from './money.ts'
import { demandSold } from './previews.ts'
import { type DeedRow, deedOfRequest, deedTo, insertDeed } from './queries.ts'
import type { DeedKind } from './tables.ts'
import { type Step, writeVersion } from './write.ts'

export type DeedInput = Where & {
  ask: { policyUuid: string; version: number }
  caller: CallerInUnit
  locale: Locale
  idempotencyKey: string | undefined
}

export const policyChanged = 'policy.changed'

type Reply = ResponseSentOf<typeof calls.makeChange>

/**
 * Makes a step of a sold policy in one transaction: version, money, history, jobs and counts. The policy's lock comes first, and a step is made on
 * the version that the caller saw: of two at once, one finds a newer version. A repeated request finds its own step.
 */
export async function makeStep(sales: Sales, input: DeedInput, stepOf: (loaded: Loaded) => Step): Promise<Reply> {
  const { world, documents } = sales
  const { ask, caller, idempotencyKey, locale } = input
  const requestKey = idempotencyKey === undefined ? null : keyOf(caller, idempotencyKey, ask)
  return world.database.inScope(caller.unit.scope, async tx => {
    const row = await lockPolicy(tx, ask.policyUuid)
    if (!isVisible(caller, row)) throw new Refusal('request.not_found')
    demandSold(row)
    const before = requestKey ? await deedOfRequest(tx, requestKey) : undefined
    if (before) return replyOf(before, row, await filesOf(documents, tx, row, before.to_version), caller)
    const now = world.clock.now()
    const loaded = await loadPolicy(tx, row, { now, locale })
    const step = stepOf(loaded)
    const { policy, deed } = await write(sales, tx, { row, loaded, step, input, requestKey, now })
    const files = await documents.insertPending(tx, policy, step.papers)
    await queueMails(sales, tx, { policy, loaded, step, deed, files })
    await world.outbox.publish(tx, policyChanged, {
      policyId: row.id,
      deedId: deed.id,
      version: deed.to_version,
      ends: step.ending !== null,
    })
    return replyOf(deed, policy, files, caller)
  })
}

const filesOf = async (documents: Sales['documents'], tx: UnitTx, policy: PolicyRow, version: number) =>
  (await documents.listAll(tx, policy)).filter(file => file.version === version)

/** A key is valid for the same request of the same user alone. */
const keyOf = ({ userId }: CallerInUnit, key: string, ask: object): string =>
  createHash('sha256')
    .update(JSON.stringify([userId, key, ask]))
    .digest('hex')

type Written = { row: PolicyRow; loaded: Loaded; step: Step; input: DeedInput; requestKey: string | null; now: Date }

async function write({ world }: Sales, tx: UnitTx, written: Written): Promise<{ policy: PolicyRow; deed: DeedRow }> {
  const { row, loaded, step, input, now } = written
  const { userId, name } = input.caller
  const { edition } = loaded.policy
  const columns = await writeVersion(world, tx, { row, contents: step.contents, commissionRate: edition.commissionPercent, userId, now })
  const deed = deedOf(written, world.ids.next())
  await insertDeed(tx, { ...deed, asked: JSON.stringify(deed.asked), routes: JSON.stringify(deed.routes) })
  await move({ world }, tx, written, deed)
  const { ending } = step
  const status = ending ? ('cancelled' as const) : ('purchased' as const)
  const policy = await changePolicy(tx, row, {
    ...columns,
    status,
    ended_kind: ending?.kind ?? null,
    ended_at: ending ? now : null,
    cover_ends: ending?.coverEnds ?? null,
  })
  const what = events[step.kind]
  const details = { version: policy.version, kind: step.kind }
  await recordEvent(world, tx, { policyId: row.id, at: now, by: { userId, name }, what, details })
  await audit(world, tx, input, { action: `policy.${what}`, outcome: 'done', object: row.id, details })
  await moveCount(tx, row.id, row.status, status)
  await countDeed(tx, row.id)
  return { policy, deed }
}

/** The event of each step in the policy's history. */
const events: Record<DeedKind, string> = {
  change: 'changed',
  undo: 'change_undone',
  cancellation: 'cancelled',
  withdrawal: 'cancelled',
  reinstatement: 'reinstated',
}

const deedOf = ({ row, step, input, requestKey, now }: Written, id: string): DeedRow => ({
  business_unit_id: row.business_unit_id,
  id,
  policy_id: row.id,
  kind: step.kind,
  from_version: row.version,
  to_version: row.version + 1,
  at: now,
  user_id: input.caller.userId,
  user_name: input.caller.name,
  request_key: requestKey,
  basis: step.basis,
  reason: step.reason,
  note: step.note,
  asked: { ...input.ask },
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

async function move({ world }: Pick<Sales, 'world'>, tx: UnitTx, { row, loaded, step, now }: Written, deed: DeedRow): Promise<void> {
  const { id: deedId, kind, user_id: userId, currency, to_version: version } = deed
  const moved: Movement = { deedId, kind, policyId: row.id, version, userId, currency, now }
  const former = step.stopped > 0 ? await deedTo(tx, row.id, row.version) : undefined
  if (former) await stop(tx, former.id, now)
  if (step.charge > 0) await charge(world, tx, loaded.gateways, moved, step.routes)
  else await giveBack(world, tx, moved, step.routes)
}

/** Takes a charge to the gateway that the caller chose. Only the agency's account can be charged. */
export function settledBy({ gateways }: Loaded, routes: Route[], settle: { paymentGatewayUUID: string } | null | undefined): Route[] {
  const chosen = settle && gateways.find(({ id }) => id === settle.paymentGatewayUUID.toLowerCase())
  if (settle && !chosen) throw refuseFields([{ path: 'settle.paymentGatewayUUID', rule: 'gateway', key: 'policies.gateway' }])
  const charged = chosen ? routes.map(route => ({ ...route, gateway: chosen.name })) : routes
  if (charged.some(({ gateway }) => gateway !== accountGateway)) throw new Refusal('change.account_only')
  return charged
}

/** Refuses with the first refusal of a preview. Rating and form refuse together, at their fields. */
export function refuseWith(found: readonly Refused[]): Refusal {
  const [first] = found
  const code = Object.keys(refusals).find((each): each is keyof typeof refusals => each === first?.code) ?? 'validation.failed'
  const fields = found
    .filter(({ path }) => path !== '')
    .map(({ path, rule, key, params }) => ({ path, rule, key, ...(params ? { params } : {}) }))
  return new Refusal(code, { ...(fields.length > 0 ? { fields } : {}), ...(first?.params ? { params: first.params } : {}) })
}

const replyOf = (deed: DeedRow, policy: PolicyRow, files: Parameters<typeof saleReply>[0]['files'], caller: CallerInUnit): Reply => ({
  ...saleReply({ policy, files }, seesCommission(caller)),
  deedUuid: deed.id,
  version: deed.to_version,
  kind: deed.kind,
  charge: fromCents(deed.charge_cents),
  refund: fromCents(deed.refund_cents),
  stopped: fromCents(deed.stopped_cents),
  routes: deed.routes.map(route => ({ ...route, amount: fromCents(route.amount) })),
})
