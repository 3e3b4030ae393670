import { reinstatePolicy, undoChange } from '#common/changes/calls.ts'
import { previewReinstatement } from '#common/changes/ending/reinstate.ts'
import type { ResponseOf } from '#common/kit/call.ts'
import { fromCents } from '#common/kit/money.ts'
import { ask } from '#portal/kit/ask.ts'
import { whileLoading } from '#portal/kit/overlay/loading.ts'
import { showToast } from '#portal/kit/overlay/notices.ts'
import { alertError } from '#portal/kit/overlay/report-error.ts'
import type { Words } from '#portal/kit/words.tsx'
import { policiesChanged } from '#portal/policies/policy-query.ts'
import { type DeskChange, deskOf } from '../desk-params.ts'
import { settleBy, usualWay } from '../payment/way.ts'
import { reloadTerms } from '../terms.ts'

/** Long enough to read the toast and act. The policy's own button undoes for an hour. */
export const undoMs = 10_000

/**
 * Takes the newest step of a policy back: a change within the hour, a cancellation as long as it may be reinstated. One that is to be charged to a card
 * opens the desk that takes the card.
 */
export async function undoLast(policyUuid: string, words: Words, show: (opened: DeskChange) => void): Promise<void> {
  try {
    const step = await whileLoading(undo(policyUuid))
    await policiesChanged()
    if (step.state === 'awaiting_payment') show({ policy: policyUuid, desk: deskOf(step) })
    else showToast({ severity: 'success', summary: words('changes.undone') })
  } catch (error) {
    await policiesChanged()
    alertError(error)
  }
}

async function undo(policyUuid: string): Promise<ResponseOf<typeof undoChange>> {
  const terms = await reloadTerms(policyUuid)
  const { policy, now } = terms
  const on = { policyUuid, version: policy.version, ...settleBy(usualWay(terms)) }
  if (policy.status === 'purchased') return ask(undoChange, on)
  const { charge } = previewReinstatement(policy, on, { ...now, nameOf: () => undefined })
  return ask(reinstatePolicy, { ...on, expectedCharge: fromCents(charge) })
}
