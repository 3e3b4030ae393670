import { paidFor, type Price } from '#common/quotes/price.ts'
import type { ResponseSentOf } from '#common/kit/call.ts'
import { fromCents } from '#common/kit/money.ts'
import type * as calls from '#common/changes/calls.ts'
import { movedBy } from '#common/changes/money.ts'
import type { ChangePreview } from '#common/changes/change.ts'
import type { CancelPreview } from '#common/changes/ending/cancel.ts'
import type { ReinstatePreview } from '#common/changes/ending/reinstate.ts'
import type { Refused } from '#common/changes/refusals.ts'
import { offerIn, figuresIn } from '../payment/reply.ts'
import type { OpenChangeRow } from '../queries.ts'
import { problemIn, type Words } from '#common/kit/words/words.ts'

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
