import { type Price, withSums } from '#common/quotes/price.ts'
import type { ResponseSentOf } from '#common/kit/call.ts'
import type * as calls from '#common/changes/calls.ts'
import { previewChange } from '#common/changes/change.ts'
import { previewEnding } from '#common/changes/ending/cancel.ts'
import { previewReinstatement, reinstatementUntil } from '#common/changes/ending/reinstate.ts'
import { refundUntil } from '#common/changes/ending/steps.ts'
import type { Policy, Version } from '#common/changes/state.ts'
import { previewUndo } from '#common/changes/undo.ts'
import { fromCents } from '#common/kit/money.ts'
import type { Loaded } from '../load.ts'

type Terms = ResponseSentOf<typeof calls.changeTerms>

/** Returns what may be done with a policy now, for its buttons. The calls judge again. The administration can also cancel as goodwill. */
export function possibleNow({ policy, now, made }: Loaded, isAdministrator: boolean): Pick<Terms, 'can' | 'undo' | 'withdrawal'> {
  const { version } = policy
  // Nothing is asked, so the only refusal that counts is one by the policy's state.
  const { refusals, changesLeftUntil } = previewChange(policy, { version, change: {} }, now)
  const isOpen = refusals.every(({ code }) => code === 'change.nothing')
  const cancelling = previewEnding(policy, { as: 'cancellation', version, acceptNoRefund: true }, now)
  const mayCancel =
    cancelling.possible || (isAdministrator && previewEnding(policy, { as: 'cancellation', version, goodwill: 100 }, now).possible)
  const withdrawing = previewEnding(policy, { as: 'withdrawal', version }, now)
  const reinstating = previewReinstatement(policy, { version }, now)
  const undoing = made && previewUndo(policy, { version, made }, now)
  return {
    can: [
      // Contact data change at any time.
      ...(isOpen ? [{ action: 'change' as const, until: dayTime(changesLeftUntil) }] : []),
      ...(mayCancel ? [{ action: 'cancel' as const, until: dayTime(refundUntil(policy, cancelling)) }] : []),
      ...(withdrawing.possible ? [{ action: 'withdraw' as const, until: dayTime(withdrawing.options[0]?.until ?? null) }] : []),
      ...(undoing?.possible ? [{ action: 'undo' as const, until: dayTime(made ? made.at + undoMs(policy) : null) }] : []),
      ...(reinstating.possible ? [{ action: 'reinstate' as const, until: dayTime(reinstatementUntil(policy)) }] : []),
    ],
    undo: undoing?.possible
      ? { charge: fromCents(undoing.charge), refund: fromCents(undoing.refund), stopped: fromCents(undoing.stopped) }
      : null,
    withdrawal: withdrawing.right && { right: withdrawing.right.id, until: withdrawing.right.until },
  }
}

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
