import type { ResponseSentOf } from '#common/kit/call.ts'
import type * as calls from '#common/changes/calls.ts'
import { fromCents } from '#common/kit/money.ts'
import type { CallerInUnit } from '#server/kit/caller.ts'
import type { UnitTx } from '#server/kit/database.ts'
import { findPayment, type PaymentRow } from '#server/payments/public.ts'
import { clientSecretOf, type PolicyRow, saleReply, type Sales, seesCommission } from '#server/policies/public.ts'
import type { DeedRow, OpenChangeRow } from '../queries.ts'
import type { Step } from '../deed.ts'

type Files = Parameters<typeof saleReply>[0]['files']

/** A step as it stands: made, or waiting for its payment, or ended without. */
export type Standing = { policy: PolicyRow; files: Files } & ({ deed: DeedRow } | { open: OpenChangeRow; payment: PaymentRow })
export type Reply = ResponseSentOf<typeof calls.makeChange>

/** Reads how an open change stands. */
export async function standingOf({ documents }: Sales, tx: UnitTx, policy: PolicyRow, open: OpenChangeRow): Promise<Standing> {
  const payment = await findPayment(tx, open.payment_id)
  if (!payment) throw new Error('an open change has a payment')
  return { policy, files: await documents.list(tx, policy), open, payment }
}

/** Returns what was shown of an open change and will be written; undefined once it has ended. */
export const stepIn = ({ step }: OpenChangeRow): Step | undefined =>
  // Safe: open.ts writes it.
  (step as Step | null) ?? undefined

/** Returns the reply about a step. If it waits, the card network's secret is read or created, with no transaction open. */
export async function replyOf(sales: Sales, caller: CallerInUnit, standing: Standing): Promise<Reply> {
  const { policy, files } = standing
  const sale = saleReply({ policy, files: policy.status === 'cancelled' ? [] : files }, seesCommission(caller))
  if ('deed' in standing) return { ...sale, ...unpayable, ...madeBy(standing.deed) }
  const { open, payment } = standing
  const waits = open.state === 'awaiting_payment'
  return {
    ...sale,
    ...unpayable,
    changeUuid: open.id,
    state: open.state === 'awaiting_payment' ? open.state : 'taken_back',
    kind: open.kind,
    version: policy.version,
    charge: waits ? fromCents(payment.amount_cents) : 0,
    refund: 0,
    stopped: fromCents(stepIn(open)?.stopped ?? 0),
    routes: (stepIn(open)?.routes ?? []).map(inMajorUnits),
    ...(waits
      ? {
          until: open.until.toISOString(),
          clientSecret: await clientSecretOf(sales, caller.unit.scope, payment),
          publishableKey: sales.cards?.publishableKey ?? null,
        }
      : {}),
  }
}

const unpayable = { until: null, clientSecret: null, publishableKey: null }

const madeBy = (deed: DeedRow) => ({
  changeUuid: deed.id,
  state: 'done' as const,
  version: deed.to_version,
  kind: deed.kind,
  charge: fromCents(deed.charge_cents),
  refund: fromCents(deed.refund_cents),
  stopped: fromCents(deed.stopped_cents),
  routes: deed.routes.map(inMajorUnits),
})

const inMajorUnits = <R extends { amount: number }>(route: R): R => ({ ...route, amount: fromCents(route.amount) })
