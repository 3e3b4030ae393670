import * as calls from '#common/changes/calls.ts'
import { fixedBy } from '#common/changes/asked/phases.ts'
import { type ChangePreview, previewChange } from '#common/changes/change.ts'
import { type CancelPreview, previewEnding, refundUntil } from '#common/changes/ending/cancel.ts'
import { previewReinstatement, reinstatementUntil, type ReinstatePreview } from '#common/changes/ending/reinstate.ts'
import { movedBy } from '#common/changes/money.ts'
import type { Refused } from '#common/changes/refusals.ts'
import { renewalRefusal } from '#common/changes/renew.ts'
import { endOf, phaseAt, type Policy, type Version } from '#common/changes/state.ts'
import { previewUndo } from '#common/changes/undo.ts'
import type { ResponseSentOf } from '#common/kit/call.ts'
import type { Locale } from '#common/kit/locales.ts'
import { fromCents } from '#common/kit/money.ts'
import { problemIn, type Words } from '#common/kit/words/words.ts'
import type { policyDetail } from '#common/policies/calls.ts'
import type { soldState } from '#common/policies/schemas/possible.ts'
import { cancellationStart } from '#common/quotes/rating/cancellation.ts'
import { paidFor, type Price, withSums } from '#common/quotes/price-lines.ts'
import type { CallerInUnit } from '#server/kit/caller.ts'
import type { UnitTx } from '#server/kit/database.ts'
import { findPayment, type PaymentRow } from '#server/payments/public.ts'
import { clientSecretOf, type PolicyRow, saleReply, type Sales, seesCommission } from '#server/policies/public.ts'
import type { Loaded } from './load.ts'
import { movedIn, type MovementRow, type OpenChangeRow } from './queries.ts'
import type { Step } from './write.ts'

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

/** How a preview is shown: in words, with or without the agency's commission. */
export type Shown = { words: Words; showsCommission: boolean; currency: string }

type Figures = Pick<
  ChangePreview | CancelPreview | ReinstatePreview,
  'possible' | 'refusals' | 'before' | 'difference' | 'charge' | 'refund' | 'commission' | 'routes' | 'effectiveAt' | 'papers'
> & { after: { charged: Price } | null }

const at = (millis: number): string => new Date(millis).toISOString()
const atOrNull = (millis: number | null): string | null => (millis === null ? null : at(millis))

function figuresOf(preview: Figures, shown: Shown) {
  const { difference, commission } = preview
  return {
    possible: preview.possible,
    refusals: preview.refusals.map(each => refusalOf(each, shown.words)),
    currency: shown.currency,
    before: priceOf(preview.before, shown),
    after: preview.after && priceOf(preview.after.charged, shown),
    difference: {
      premium: fromCents(difference.premium),
      taxes: difference.taxes.map(tax => ({ ...tax, amount: fromCents(tax.amount) })),
      total: fromCents(difference.total),
    },
    charge: fromCents(preview.charge),
    refund: fromCents(preview.refund),
    commission: shown.showsCommission ? { rate: commission.rate, amount: fromCents(commission.amount) } : null,
    routes: preview.routes.map(route => ({ ...route, amount: fromCents(route.amount) })),
    effectiveAt: at(preview.effectiveAt),
    papers: preview.papers,
  }
}

const refusalOf = ({ code, path, key, params }: Refused, words: Words) => ({
  code,
  path,
  message: problemIn(words, { key, params }),
  why: typeof params?.['why'] === 'string' ? params['why'] : null,
})

function priceOf(price: Price, { showsCommission }: Shown) {
  const { taxes, ...paid } = paidFor(price)
  return {
    ...paid,
    taxes: taxes.map(({ code, label, amount }) => ({ code, label, amount })),
    commission: showsCommission ? fromCents(price.commission) : null,
  }
}

export const changeReply = (preview: ChangePreview, shown: Shown): ResponseSentOf<typeof calls.previewChange> => ({
  ...figuresOf(preview, shown),
  kept: { amount: fromCents(preview.kept.amount), reason: preview.kept.reason },
  basis: preview.basis,
  waived: fromCents(preview.waived),
  withoutWay: fromCents(preview.withoutWay),
  waitUntil: atOrNull(preview.waitUntil),
  people: preview.people.map(person => ({ ...person, premium: fromCents(person.premium) })),
  validUntil: at(preview.validUntil),
  changesLeftUntil: atOrNull(preview.changesLeftUntil),
})

export const cancelReply = (preview: CancelPreview, shown: Shown): ResponseSentOf<typeof calls.previewCancel> => ({
  ...figuresOf(preview, shown),
  kind: preview.kind,
  basis: preview.basis,
  withoutWay: fromCents(preview.withoutWay),
  coverEnds: preview.coverEnds,
  options: preview.options.map(({ basis, refund, until }) => ({ basis, refund: fromCents(refund), until: at(until) })),
  nextLower: preview.nextLower && { at: at(preview.nextLower.at), refund: fromCents(preview.nextLower.refund) },
  right: preview.right,
})

export const reinstateReply = (preview: ReinstatePreview, shown: Shown): ResponseSentOf<typeof calls.previewReinstate> => ({
  ...figuresOf(preview, shown),
  stopped: fromCents(preview.stopped),
  waived: fromCents(preview.waived),
  uncovered: preview.uncovered && { from: at(preview.uncovered.from), to: at(preview.uncovered.to) },
})

export const openReply = (open: OpenChangeRow, step = figuresIn(open)) => ({
  changeUuid: open.id,
  kind: open.kind,
  state: open.state === 'offered' ? open.state : ('awaiting_payment' as const),
  at: at(open.at.getTime()),
  until: at(open.until.getTime()),
  difference: fromCents(open.difference_cents),
  charge: fromCents(step ? movedBy(step).charge : 0),
  offeredTo: offerIn(open)?.email.trim() ?? null,
})

type RefundState = ResponseSentOf<typeof calls.cancelPolicy>['refund']['state']

/** Returns the state of a whole refund, by its parts by card. The part on account is credited at once. */
export const refundState = (amount: number, byCard: readonly RefundState[]): RefundState =>
  amount === 0 ? 'none' : ((['refused', 'due', 'stopped', 'transferred'] as const).find(state => byCard.includes(state)) ?? 'done')

type Terms = ResponseSentOf<typeof calls.changeTerms>

/** Returns what may be done with a policy now, for its buttons. The calls judge again. The administration can also cancel as goodwill. */
export function possibleNow(
  { policy, now, made }: Loaded,
  isAdministrator: boolean,
): Pick<Terms, 'can' | 'cannot' | 'undo' | 'withdrawal'> {
  const { version, status } = policy
  // Nothing is asked, so the only refusal that counts is one by the policy's state.
  const { refusals, changesLeftUntil } = previewChange(policy, { version, change: {} }, now)
  const closed = refusals.find(({ code }) => code !== 'change.nothing')
  const fixed = fixedBy(policy, phaseAt(policy, now.at))
  const cancelling = previewEnding(policy, { as: 'cancellation', version, acceptNoRefund: true }, now)
  const mayCancel =
    cancelling.possible || (isAdministrator && previewEnding(policy, { as: 'cancellation', version, goodwill: 100 }, now).possible)
  const withdrawing = previewEnding(policy, { as: 'withdrawal', version }, now)
  const reinstating = previewReinstatement(policy, { version }, now)
  const undoing = made && previewUndo(policy, { version, made }, now)
  return {
    can: [
      // Contact data change at any time.
      ...(closed
        ? []
        : [{ action: 'change' as const, ...(fixed ? { until: null, only: 'contact' as const } : { until: dayTime(changesLeftUntil) }) }]),
      ...(mayCancel ? [{ action: 'cancel' as const, until: dayTime(refundUntil(policy, cancelling)) }] : []),
      ...(withdrawing.possible ? [{ action: 'withdraw' as const, until: dayTime(withdrawing.options[0]?.until ?? null) }] : []),
      ...(undoing?.possible ? [{ action: 'undo' as const, until: dayTime(made ? made.at + undoMs(policy) : null) }] : []),
      ...(reinstating.possible ? [{ action: 'reinstate' as const, until: dayTime(reinstatementUntil(policy)) }] : []),
      ...(renewalRefusal(policy, now.at) ? [] : [{ action: 'renew' as const, until: dayTime(endOf(policy.trip.endDate, policy)) }]),
    ],
    cannot:
      status === 'cancelled'
        ? cannot('reinstate', reinstating.refusals[0])
        : [
            ...cannot('change', closed ?? (fixed && { code: fixed })),
            ...(mayCancel ? [] : cannot('cancel', cancelling.refusals[0])),
            ...(withdrawing.right ? cannot('withdraw', withdrawing.refusals[0]) : []),
          ],
    undo: undoing?.possible
      ? { charge: fromCents(undoing.charge), refund: fromCents(undoing.refund), stopped: fromCents(undoing.stopped) }
      : null,
    withdrawal: withdrawing.right && { right: withdrawing.right.id, until: withdrawing.right.until },
  }
}

/** Returns what holds of a policy now, for its detail. */
export function soldStateOf(
  { policy, claim, ending, sold }: Loaded,
  reservedForSale: string | undefined,
): Pick<ResponseSentOf<typeof policyDetail>, keyof typeof soldState> {
  const { basis = null, reason = null, note = null } = ending ?? {}
  const { charged, soldAt, timeZone } = policy
  const { cancellationPremium } = charged
  const from = cancellationStart(sold, { cancellationPremium, reservedOn: reservedForSale, soldAt: new Date(soldAt), timeZone })
  return {
    claim: claim ?? null,
    cancellationFrom: from instanceof Date ? from.toISOString() : null,
    cancellationOfEach: from === 'each booking',
    ended:
      policy.ended && ending
        ? { kind: policy.ended.kind, at: at(policy.ended.at), refund: fromCents(movedIn(ending).refund), basis, reason, note }
        : null,
  }
}

const cannot = (action: Terms['cannot'][number]['action'], refused: Pick<Refused, 'code'> | undefined): Terms['cannot'] =>
  refused ? [{ action, code: refused.code }] : []

const undoMs = ({ edition }: Policy): number => edition.afterSale.constants.undoMinutes * 60_000

const dayTime = (millis: number | null): string | null => (millis === null ? null : new Date(millis).toISOString())

/** Returns the rules' input as it is sent. Users who may not sell see no commission, so it is sent as zero. */
export function sentTo({ edition, ended, ...policy }: Policy, showsCommission: boolean): Terms['policy'] {
  const chargedFor = (charged: Price) => withSums(showsCommission ? charged : { ...charged, commission: 0 })
  const versionFor = ({ trip, people, charged, tariffPremium, segments }: Version) => ({
    trip: { ...trip, destinations: [...trip.destinations] },
    people: [...people],
    charged: chargedFor(charged),
    tariffPremium,
    segments: [...segments],
  })
  return {
    ...policy,
    ...versionFor(policy),
    edition: { ...edition, commissionPercent: showsCommission ? edition.commissionPercent : 0 },
    ...(ended ? { ended: { ...ended, former: versionFor(ended.former) } } : {}),
    reference: policy.reference ?? null,
    locale: policy.locale ?? '',
    payments: [...policy.payments],
  }
}
