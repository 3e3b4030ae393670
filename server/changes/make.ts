import type * as calls from '#common/changes/calls.ts'
import { previewEnding } from '#common/changes/ending/cancel.ts'
import { previewReinstatement } from '#common/changes/ending/reinstate.ts'
import type { Policy, Version } from '#common/changes/state.ts'
import { previewUndo } from '#common/changes/undo.ts'
import { isLocale } from '#common/kit/locales.ts'
import { toCents } from '#common/kit/money.ts'
import { Refusal } from '#common/kit/refusals.ts'
import type { Handler } from '#server/kit/serve.ts'
import type { Sales } from '#server/policies/public.ts'
import { makeStep, refuseWith, settledBy } from './deed.ts'
import type { Loaded } from './load.ts'
import { judged, shownTo } from './previews.ts'
import { cancelReply, changeReply, reinstateReply } from './reply.ts'
import type { Contents, Step } from './write.ts'

/** Changes a sold policy, as its preview says. */
export const makeChange =
  (sales: Sales): Handler<typeof calls.makeChange> =>
  input =>
    makeStep(sales, input, loaded => {
      const { ask } = input
      const preview = judged(loaded, ask)
      const { after, people } = preview
      if (!after) throw refuseWith(preview.refusals)
      const isExpected =
        toCents(ask.expectedDifference) === preview.difference.total &&
        (typeof ask.expectedRefund !== 'number' || toCents(ask.expectedRefund) === preview.refund)
      if (!isExpected) throw new Refusal('change.price_changed', { data: changeReply(preview, shownTo(sales.world, input, loaded)) })
      const { reference, locale, ...version } = after
      return {
        ...nothing,
        ...preview,
        kind: 'change',
        contents: {
          ...version,
          reference,
          locale: localeOf(locale, loaded.policy),
          premiums: people.filter(({ what }) => what !== 'leaves').map(({ premium }) => premium),
        },
        kept: preview.kept.amount,
        commission: preview.commission.amount,
        routes: preview.charge > 0 ? settledBy(loaded, preview.routes, ask.settle) : preview.routes,
        reason: ask.reason ?? null,
        note: ask.note ?? null,
      }
    })

/** Takes the newest change back within the hour: the former version and its money. */
export const undoChange =
  (sales: Sales): Handler<typeof calls.undoChange> =>
  input =>
    makeStep(sales, input, loaded => {
      const { policy, made, now } = loaded
      if (!made)
        throw new Refusal(
          policy.status === 'cancelled' ? 'change.cancelled' : policy.version === input.ask.version ? 'change.expired' : 'change.stale',
        )
      const preview = previewUndo(policy, { version: input.ask.version, made }, now)
      if (!preview.after) throw refuseWith(preview.refusals)
      return {
        ...nothing,
        ...preview,
        kind: 'undo',
        contents: sameAs(loaded, preview.after, policy.version - 1),
        waived: preview.charge > 0 ? preview.waived : -made.waived,
        commission: preview.commission.amount,
        routes: preview.charge > 0 ? settledBy(loaded, preview.routes, input.ask.settle) : preview.routes,
      }
    })

/** Cancels a policy, or withdraws from it. */
export const cancelPolicy =
  (sales: Sales): Handler<typeof calls.cancelPolicy> =>
  input =>
    makeStep(sales, input, loaded => {
      const { ask } = input
      const { policy, now } = loaded
      const preview = previewEnding(policy, { ...ask, acceptNoRefund: ask.acceptNoRefund === true }, now)
      const { after, kind, coverEnds } = preview
      if (!after) throw refuseWith(preview.refusals)
      if (toCents(ask.expectedRefund) !== preview.refund)
        throw new Refusal('change.price_changed', { data: cancelReply(preview, shownTo(sales.world, input, loaded)) })
      return {
        ...nothing,
        ...preview,
        kind,
        contents: sameAs(loaded, after, policy.version),
        commission: preview.commission.amount,
        reason: ask.reason,
        note: ask.note ?? null,
        ending: { kind, coverEnds },
      }
    })

/** Puts a cancelled policy in force again. */
export const reinstatePolicy =
  (sales: Sales): Handler<typeof calls.reinstatePolicy> =>
  input =>
    makeStep(sales, input, loaded => {
      const { ask } = input
      const { policy, now } = loaded
      const preview = previewReinstatement(policy, ask, now)
      if (!preview.after) throw refuseWith(preview.refusals)
      if (toCents(ask.expectedCharge) !== preview.charge)
        throw new Refusal('change.price_changed', { data: reinstateReply(preview, shownTo(sales.world, input, loaded)) })
      return {
        ...nothing,
        ...preview,
        kind: 'reinstatement',
        contents: sameAs(loaded, preview.after, policy.version - 1),
        commission: preview.commission.amount,
        routes: settledBy(loaded, preview.routes, ask.settle),
      }
    })

/** Most steps leave these out. */
const nothing = {
  kept: 0,
  waived: 0,
  stopped: 0,
  basis: null,
  waitUntil: null,
  reason: null,
  note: null,
  ending: null,
} satisfies Partial<Step>

/** The contents of a version under the policy's reference and language. */
const sameAs = ({ policy }: Loaded, { trip, people, charged, tariffPremium, segments }: Version, version: number): Contents => ({
  trip,
  people,
  charged,
  tariffPremium,
  segments,
  reference: policy.reference ?? null,
  locale: localeOf(policy.locale, policy),
  premiums: { version },
})

const localeOf = (asked: string | null | undefined, { locale }: Policy): Contents['locale'] =>
  isLocale(asked) ? asked : isLocale(locale) ? locale : 'en-EN'
