import { takeBackChange } from '#common/changes/calls.ts'
import { ask } from '#portal/kit/ask.ts'
import { whileLoading } from '#portal/kit/overlay/loading.ts'
import { showToast } from '#portal/kit/overlay/notices.ts'
import { alertError } from '#portal/kit/overlay/report-error.ts'
import type { Words } from '#portal/kit/words.tsx'
import { policiesChanged } from '#portal/policies/policy-query.ts'
import type { Terms } from '../terms.ts'

type OpenChange = NonNullable<Terms['openChange']>

/** Abandons a change that is offered or waits for its payment. If it was paid meanwhile, it is made, and a message says so. */
export async function abandon({ changeUuid, offeredTo }: Pick<OpenChange, 'changeUuid' | 'offeredTo'>, words: Words): Promise<void> {
  try {
    const step = await whileLoading(ask(takeBackChange, { changeUuid }))
    const isMade = step.state === 'done'
    const ended = words(offeredTo === null ? 'changes.abandoned' : 'changes.offer_taken_back')
    showToast({ severity: isMade ? 'warn' : 'success', summary: isMade ? words('changes.paid_before') : ended })
  } catch (error) {
    alertError(error)
  } finally {
    await policiesChanged()
  }
}
