import { reinstatePolicy, undoChange } from '#common/changes/calls.ts'
import { previewReinstatement } from '#common/changes/ending/reinstate.ts'
import { fromCents } from '#common/kit/money.ts'
import { ask } from '#portal/kit/ask.ts'
import { whileLoading } from '#portal/kit/overlay/loading.ts'
import { showToast } from '#portal/kit/overlay/notices.ts'
import { alertError } from '#portal/kit/overlay/report-error.ts'
import type { Words } from '#portal/kit/words.tsx'
import { policiesChanged } from '#portal/policies/policy-query.ts'
import { accountOf, reloadTerms } from '../terms.ts'

/** Takes the newest step of a policy back: a change within the hour, a cancellation as long as it may be reinstated. */
export async function undoLast(policyUuid: string, words: Words): Promise<void> {
  try {
    await whileLoading(undo(policyUuid))
    await policiesChanged()
    showToast({ severity: 'success', summary: words('changes.undone') })
  } catch (error) {
    await policiesChanged()
    alertError(error)
  }
}

async function undo(policyUuid: string): Promise<void> {
  const terms = await reloadTerms(policyUuid)
  const { policy, now } = terms
  const on = { policyUuid, version: policy.version, ...settleBy(accountOf(terms)) }
  if (policy.status === 'purchased') return void (await ask(undoChange, on))
  const { charge } = previewReinstatement(policy, on, { ...now, nameOf: () => undefined })
  await ask(reinstatePolicy, { ...on, expectedCharge: fromCents(charge) })
}

/** A step that charges does so on the agency's account, if the unit has one. */
export const settleBy = (account: string | undefined) => (account ? { settle: { paymentGatewayUUID: account } } : {})
