import { takeBackChange } from '#common/changes/calls.ts'
import type { ResponseOf } from '#common/kit/call.ts'
import { ask } from '#portal/kit/ask.ts'
import { whileLoading } from '#portal/kit/overlay/loading.ts'
import { showToast } from '#portal/kit/overlay/notices.ts'
import { alertError } from '#portal/kit/overlay/report-error.ts'
import type { Words } from '#portal/kit/words.tsx'
import { policiesChanged } from '#portal/policies/policy-query.ts'

type Step = Pick<ResponseOf<typeof takeBackChange>, 'kind' | 'state'>

/** Abandons a change that waits for its payment. If it was paid meanwhile it is made, and that is said. */
export async function abandon(changeUuid: string, words: Words): Promise<Step['state'] | undefined> {
  try {
    const step = await whileLoading(ask(takeBackChange, { changeUuid }))
    const isMade = step.state === 'done'
    showToast({ severity: isMade ? 'warn' : 'success', summary: isMade ? words('changes.paid_before') : words('changes.abandoned') })
    return step.state
  } catch (error) {
    alertError(error)
    return undefined
  } finally {
    await policiesChanged()
  }
}
