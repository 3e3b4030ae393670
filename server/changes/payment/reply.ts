import type { ResponseSentOf } from '#common/kit/call.ts'
import type * as calls from '#common/changes/calls.ts'
import { movedBy } from '#common/changes/money.ts'
import type { Locale } from '#common/kit/locales.ts'
import { fromCents } from '#common/kit/money.ts'
import type { CallerInUnit } from '#server/kit/caller.ts'
import type { UnitTx } from '#server/kit/database.ts'
import { findPayment, type PaymentRow } from '#server/payments/public.ts'
import { clientSecretOf, type PolicyRow, saleReply, type Sales, seesCommission } from '#server/policies/public.ts'
import { type MovementRow, movedIn, type OpenChangeRow } from '../queries.ts'
import type { Step } from '../write.ts'

type Files = Parameters<typeof saleReply>[0]['files']

/** A step as it stands: made, offered, waiting for its payment, or ended unmade. An offer has no payment until the client begins to pay. */
export type Standing = { policy: PolicyRow; files: Files } & (
  | { movement: MovementRow }
  | { open: OpenChangeRow; payment: PaymentRow | undefined }
)
export type Offer = { email: string; locale?: Locale | null | undefined }
export type Reply = ResponseSentOf<typeof calls.makeChange>

/** Returns the files of the documents that the step to a version made. */
export const filesOf = async ({ documents }: Sales, tx: UnitTx, policy: PolicyRow, version: number): Promise<Files> =>
  (await documents.listAll(tx, policy)).filter(file => file.version === version)

/** Reads how an open change stands. */
export async function standingOf({ documents }: Sales, tx: UnitTx, policy: PolicyRow, open: OpenChangeRow): Promise<Standing> {
  const payment = open.payment_id === null ? undefined : await findPayment(tx, open.payment_id)
  return { policy, files: await documents.list(tx, policy), open, payment }
}

/** Returns the figures of an open change as they were shown; undefined once it has ended. */
export const figuresIn = ({ step }: OpenChangeRow): Omit<Step, 'contents'> | undefined =>
  // Safe: open.ts writes it.
  (step as Step | null) ?? undefined

/** Returns where an offer was sent; undefined for a change that was not offered, or is over. */
export const offerIn = ({ asked, offered_to }: Pick<OpenChangeRow, 'asked' | 'offered_to'>): Offer | undefined =>
  // Safe: make.ts writes it, of a request that the call has read.
  asked && offered_to ? (asked as { settle: { offer: Offer } }).settle.offer : undefined

/** Returns the reply about a step. If it waits, the card network's secret is read or created, with no transaction open. */
export async function replyOf(sales: Sales, caller: CallerInUnit, standing: Standing): Promise<Reply> {
  const { policy, files } = standing
  const sale = saleReply({ policy, files }, seesCommission(caller))
  if ('movement' in standing) return { ...sale, ...unpayable, ...madeBy(standing.movement) }
  const { open, payment } = standing
  const step = figuresIn(open)
  return {
    ...sale,
    ...unpayable,
    changeUuid: open.id,
    state: open.state === 'awaiting_payment' || open.state === 'offered' ? open.state : 'taken_back',
    kind: open.kind,
    version: policy.version,
    charge: fromCents(step ? movedBy(step).charge : 0),
    refund: 0,
    stopped: fromCents(step?.stopped ?? 0),
    routes: (step?.routes ?? []).map(inMajorUnits),
    ...(step ? { until: open.until.toISOString() } : {}),
    ...(open.state === 'awaiting_payment' && payment
      ? {
          clientSecret: await clientSecretOf(sales, caller.unit.scope, payment),
          publishableKey: sales.cards?.publishableKey ?? null,
        }
      : {}),
  }
}

const unpayable = { until: null, clientSecret: null, publishableKey: null }

function madeBy(movement: MovementRow) {
  const { charge, refund } = movedIn(movement)
  return {
    changeUuid: movement.id,
    state: 'done' as const,
    version: movement.to_version,
    kind: movement.kind,
    charge: fromCents(charge),
    refund: fromCents(refund),
    stopped: fromCents(movement.stopped_cents),
    routes: movement.routes.map(inMajorUnits),
  }
}

const inMajorUnits = <R extends { amount: number }>(route: R): R => ({ ...route, amount: fromCents(route.amount) })
