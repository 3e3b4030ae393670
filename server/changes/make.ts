import type * as calls from '#common/changes/calls.ts'
import { type CancelPreview, previewEnding } from '#common/changes/ending/cancel.ts'
import { previewReinstatement } from '#common/changes/ending/reinstate.ts'
import { accountGateway, payableUntil, type Policy, type Version } from '#common/changes/state.ts'
import { previewUndo } from '#common/changes/undo.ts'
import { isLocale, type Locale } from '#common/kit/locales.ts'
import { toCents } from '#common/kit/money.ts'
import { Refusal } from '#common/kit/refusals.ts'
import type { CallerInUnit } from '#server/kit/caller.ts'
import type { UnitTx } from '#server/kit/database.ts'
import { type RequestKeys, requestKeys } from '#server/kit/http/idempotency.ts'
import type { Handler } from '#server/kit/serve.ts'
import { refundStatesOf } from '#server/payments/public.ts'
import { askedBefore, isVisible, lockPolicy, type PolicyRow, type Sales } from '#server/policies/public.ts'
import type { Where } from '#server/session/public.ts'
import { refuseWith, settledBy, writeMovement } from './movement.ts'
import { type Loaded, loadPolicy } from './load.ts'
import { isByCard, offered, offerStep, openStep, withoutNumbers } from './payment/open.ts'
import {
  cancelReply,
  changeReply,
  filesOf,
  type Offer,
  refundState,
  reinstateReply,
  type Reply,
  replyOf,
  type Standing,
  standingOf,
} from './reply.ts'
import { demandGoodwill, demandReason, demandSold, endingAsked, judged, shownTo } from './previews.ts'
import { movementById, openChangeById } from './queries.ts'
import type { Contents, Step } from './write.ts'

type MovementInput = Where & {
  ask: { policyUuid: string; version: number }
  caller: CallerInUnit
  locale: Locale
  idempotencyKey: string | undefined
}

/**
 * Makes a step of a sold policy in one transaction. If a card is to be charged first, it opens the step instead, at the desk or as an offer to the
 * client. The policy's lock comes first, and a step is made on the version that the caller saw: of two concurrent steps, one finds a newer version. A
 * repeated request finds its own step.
 */
async function makeStep(sales: Sales, input: MovementInput, stepOf: (loaded: Loaded) => Step, offer?: Offer): Promise<Reply> {
  return replyOf(sales, input.caller, await stepMade(sales, input, stepOf, offer))
}

async function stepMade(sales: Sales, input: MovementInput, stepOf: (loaded: Loaded) => Step, offer?: Offer): Promise<Standing> {
  const { world } = sales
  const { ask, caller, idempotencyKey, locale } = input
  const keys = idempotencyKey === undefined ? null : requestKeys(world.secrets, caller, idempotencyKey, ask)
  return world.database.inScope(caller.unit.scope, async (tx): Promise<Standing> => {
    const row = await lockPolicy(tx, ask.policyUuid)
    if (!isVisible(caller, row)) throw new Refusal('request.not_found')
    demandSold(row)
    const before = keys ? await madeBefore(sales, tx, row, keys) : undefined
    if (before) return before
    const now = world.clock.now()
    const loaded = await loadPolicy(tx, row, { secrets: world.secrets, now, locale })
    const step = stepOf(loaded)
    const { userId, name } = caller
    const written = {
      id: world.ids.next(),
      row,
      loaded,
      step,
      asked: withoutNumbers(ask),
      by: { userId, name },
      where: input,
      requestKey: keys?.[0] ?? null,
      now,
    }
    if (offer) return standingOf(sales, tx, row, await offerStep(sales, tx, written, offer))
    if (isByCard(step)) return standingOf(sales, tx, row, await openStep(sales, tx, written))
    return writeMovement(sales, tx, written)
  })
}

async function madeBefore(sales: Sales, tx: UnitTx, policy: PolicyRow, keys: RequestKeys): Promise<Standing | undefined> {
  const before = await askedBefore(tx, keys)
  const movement = before?.what === 'movement' ? await movementById(tx, before.id) : undefined
  if (movement) return { policy, movement, files: await filesOf(sales, tx, policy, movement.to_version) }
  const open = before?.what === 'open_change' ? await openChangeById(tx, before.id) : undefined
  return open && standingOf(sales, tx, policy, open)
}

/** Changes a sold policy, as its preview says, or offers that to the client. */
export const makeChange =
  (sales: Sales): Handler<typeof calls.makeChange> =>
  input => {
    const { ask } = input
    const [offer, settle] = ask.settle && 'offer' in ask.settle ? [ask.settle.offer, undefined] : [undefined, ask.settle]
    const stepOf = (loaded: Loaded): Step => {
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
        refund: dueOf(preview),
        kept: preview.kept.amount,
        commission: preview.commission.amount,
        ...(offer ? offered(loaded, preview.charge, offer) : preview.charge > 0 ? settledBy(loaded, preview.charge, settle) : {}),
        reason: ask.reason ?? null,
        note: ask.note ?? null,
      }
    }
    return makeStep(sales, input, stepOf, offer)
  }

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
        contents: {
          ...sameAs(loaded, preview.after, policy.version - 1),
          reference: made.reference,
          locale: localeOf(made.locale, policy),
        },
        commission: preview.commission.amount,
        validUntil: payableUntil(policy, preview.after.trip.startDate, now.at),
        refund: dueOf(preview),
        ...(preview.charge + preview.unpaid > 0 ? chargedAgain(loaded, preview, input.ask.settle) : {}),
      }
    })

/** Cancels a policy, or withdraws from it. */
export const cancelPolicy =
  (sales: Sales): Handler<typeof calls.cancelPolicy> =>
  async input => {
    await demandGoodwill(sales.world, input)
    demandReason(input.ask)
    const standing = await stepMade(sales, input, loaded => {
      const { ask } = input
      const { policy, now } = loaded
      const preview = previewEnding(policy, endingAsked(ask), now)
      const step = endingStep(loaded, preview)
      if (toCents(ask.expectedRefund) !== preview.refund)
        throw new Refusal('change.price_changed', { data: cancelReply(preview, shownTo(sales.world, input, loaded)) })
      return { ...step, reason: ask.reason ?? null, note: ask.note ?? null }
    })
    const { refund: amount, routes, ...made } = await replyOf(sales, input.caller, standing)
    const byCard = routes.some(({ gateway }) => gateway !== accountGateway)
    const sent = byCard ? await sales.world.database.inScope(input.caller.unit.scope, tx => refundStatesOf(tx, made.changeUuid)) : []
    return { ...made, refund: { amount, state: refundState(amount, sent), routes } }
  }

/** Returns the step that ends a policy as its preview says, or refuses. */
export function endingStep(loaded: Loaded, preview: CancelPreview): Step {
  const { after, kind, coverEnds } = preview
  if (!after) throw refuseWith(preview.refusals)
  return {
    ...nothing,
    ...preview,
    kind,
    refund: dueOf(preview),
    contents: sameAs(loaded, after, loaded.policy.version),
    commission: preview.commission.amount,
    ending: { kind, coverEnds },
  }
}

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
        validUntil: payableUntil(policy, preview.after.trip.startDate, now.at),
        ...chargedAgain(loaded, preview, ask.settle),
      }
    })

/** Returns the amount that a step takes off the price: the refund, and the part that was never paid. */
const dueOf = ({ refund, waived }: { refund: number; waived: number }): number => refund - Math.min(0, waived)

/** Charges the refund again. The part that was never paid, and so not refunded, is waived again. */
function chargedAgain(loaded: Loaded, { charge, unpaid }: { charge: number; unpaid: number }, settle: Parameters<typeof settledBy>[2]) {
  const settled = settledBy(loaded, charge, settle)
  return { charge: charge + unpaid, routes: settled.routes, waived: settled.waived + unpaid }
}

/** Most steps leave these out. */
const nothing = {
  kept: 0,
  waived: 0,
  stopped: 0,
  basis: null,
  waitUntil: null,
  validUntil: 0,
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
