import type * as calls from '#common/changes/calls.ts'
import { type ChangePreview, judgedChange } from '#common/changes/change.ts'
import { type EndingAsked, previewEnding } from '#common/changes/ending/cancel.ts'
import { previewReinstatement } from '#common/changes/ending/reinstate.ts'
import type { Locale } from '#common/kit/locales.ts'
import { may } from '#common/kit/permissions.ts'
import { Refusal, refuseFields } from '#common/kit/refusals.ts'
import type { World } from '#server/kit/app-context.ts'
import type { CallerInUnit } from '#server/kit/caller.ts'
import type { Handler, HandlerInput } from '#server/kit/serve.ts'
import { findPolicy, isVisible, type PolicyRow, type ReadPossible, seesCommission } from '#server/policies/public.ts'
import { audit, countRefusal } from '#server/session/public.ts'
import { findLoaded, type Loaded, loadPolicy, reservedForSale } from './load.ts'
import { cancelReply, changeReply, openReply, possibleNow, reinstateReply, sentTo, type Shown, soldStateOf } from './reply.ts'

type Input = { ask: { policyUuid: string }; caller: CallerInUnit; locale: Locale }

/** Returns the rules' input, by which the browser computes each preview itself. */
export const terms =
  (world: World): Handler<typeof calls.changeTerms> =>
  async input => {
    const loaded = await load(world, input)
    const { policy, now, gateways } = loaded
    await auditView(world, input)
    const { at, excludedCountries } = now
    return {
      policy: sentTo(policy, seesCommission(input.caller)),
      now: { at, excludedCountries: [...excludedCountries], gateways: [...now.gateways] },
      gateways: gateways.map(({ id, name }) => ({ uuid: id, name })),
      currency: policy.edition.basis.currency,
      ...possibleReply(loaded, input.caller),
    }
  }

const possibleReply = (loaded: Loaded, { unit }: CallerInUnit) => ({
  openChange: loaded.open ? openReply(loaded.open) : null,
  ...possibleNow(loaded, may(unit.permissions, 'b2b-admin')),
})

/** Returns what may be done with a sold policy now, for its detail; undefined if its edition has no terms of changes. */
export const readPossible =
  ({ secrets, clock }: World): ReadPossible =>
  async (tx, row, stored, { caller, locale }) => {
    const loaded = await findLoaded(tx, row, stored, { secrets, now: clock.now(), locale })
    if (!loaded) return undefined
    const found = { ...possibleReply(loaded, caller), ...soldStateOf(loaded, await reservedForSale(tx, row, loaded)) }
    return may(caller.unit.permissions, 'b2b-policies-change') ? found : { ...found, can: [], cannot: [], undo: null }
  }

export const change =
  (world: World): Handler<typeof calls.previewChange> =>
  async input => {
    const found = await load(world, input)
    return changeReply(judged(found, input.ask), shownTo(world, input, found))
  }

export const cancel =
  (world: World): Handler<typeof calls.previewCancel> =>
  async input => {
    await demandGoodwill(world, input)
    const found = await load(world, input)
    return cancelReply(previewEnding(found.policy, endingAsked(input.ask), found.now), shownTo(world, input, found))
  }

export const reinstate =
  (world: World): Handler<typeof calls.previewReinstate> =>
  async input => {
    const found = await load(world, input)
    return reinstateReply(previewReinstatement(found.policy, input.ask, found.now), shownTo(world, input, found))
  }

type EndingSent = Pick<EndingAsked, 'as' | 'version'> & {
  acceptNoRefund?: boolean | null | undefined
  goodwill?: number | null | undefined
}

/** Returns an ending as the rules take it. */
export const endingAsked = ({ as, version, acceptNoRefund, goodwill }: EndingSent): EndingAsked => ({
  as,
  version,
  acceptNoRefund: acceptNoRefund === true,
  goodwill: goodwill ?? undefined,
})

/** Judges a change as the browser does. */
export const judged = ({ policy, now, form }: Loaded, asked: Parameters<typeof judgedChange>[1]): ChangePreview =>
  judgedChange(policy, asked, { now, form })

/** Reads a sold policy. One that the caller may not know of is refused like an unknown one; a saved quote is registered anew instead. */
const load = (world: World, { ask, caller, locale }: Input): Promise<Loaded> =>
  world.database.inScope(caller.unit.scope, async tx => {
    const row = await findPolicy(tx, ask.policyUuid)
    if (!isVisible(caller, row)) throw new Refusal('request.not_found')
    demandSold(row)
    return loadPolicy(tx, row, { secrets: world.secrets, now: world.clock.now(), locale })
  })

export function demandSold({ status }: PolicyRow): void {
  if (status !== 'purchased' && status !== 'cancelled') throw new Refusal('change.not_sold')
}

/** Audits the view: the rules' input holds people's data, as the detail does. */
export const auditView = (world: World, input: HandlerInput<typeof calls.changeTerms | typeof calls.policyVersions>) =>
  world.database.inScope(input.caller.unit.scope, tx =>
    audit(world, tx, input, {
      action: 'policy.seen',
      outcome: 'done',
      userId: input.caller.userId,
      businessUnitId: input.caller.unit.scope.businessUnitId,
      object: input.ask.policyUuid.toLowerCase(),
    }),
  )

/** How a preview is shown to a caller. */
export const shownTo = (world: World, { caller, locale }: Pick<Input, 'caller' | 'locale'>, { policy }: Loaded): Shown => ({
  words: world.words(locale),
  showsCommission: seesCommission(caller),
  currency: policy.edition.basis.currency,
})

type Cancelling = HandlerInput<typeof calls.previewCancel | typeof calls.cancelPolicy>

/** Refuses goodwill (decision 54) to everyone but the administration, and counts the refusal in the audit. */
export async function demandGoodwill(world: World, input: Cancelling): Promise<void> {
  const { ask, caller } = input
  if (!ask.goodwill || may(caller.unit.permissions, 'b2b-admin')) return
  await world.database.asService(tx =>
    countRefusal(world, tx, input, {
      action: 'policy.goodwill',
      object: ask.policyUuid.toLowerCase(),
      reason: 'session.forbidden b2b-admin',
    }),
  )
  throw new Refusal('session.forbidden')
}

/** Refuses a cancellation without a reason. The reason of goodwill is the note. */
export function demandReason({ as, reason, goodwill, note }: HandlerInput<typeof calls.cancelPolicy>['ask']): void {
  const missing = [...(as === 'withdrawal' || reason ? [] : ['reason']), ...(goodwill && !note?.trim() ? ['note'] : [])]
  if (missing.length > 0) throw refuseFields(missing.map(path => ({ path, rule: 'required', key: 'validation.required' })))
}
