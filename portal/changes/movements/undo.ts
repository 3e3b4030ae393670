import { undoChange } from '#common/changes/calls.ts'
import type { RequestSentOf, ResponseOf } from '#common/kit/call.ts'
import { toCents } from '#common/kit/money.ts'
import { ask } from '#portal/kit/ask.ts'
import { useFormat } from '#portal/kit/format.ts'
import { useListParams } from '#portal/kit/list/list-params.ts'
import { whileLoading } from '#portal/kit/overlay/loading.ts'
import { showAlert, showToast } from '#portal/kit/overlay/notices.ts'
import { alertError } from '#portal/kit/overlay/report-error.ts'
import { useWords } from '#portal/kit/words.tsx'
import { policiesChanged } from '#portal/policies/policy-query.ts'
import { type DeskParam, deskOf } from '../desk-params.ts'
import { settleBy, usualWay } from '../payment/charge.tsx'
import { type LoadedTerms, reloadTerms } from '../terms.ts'

/** Long enough to read the toast and react. The policy's own button undoes for an hour. */
export const undoMs = 10_000

/** Returns a function that undoes a change after confirmation. If the undo is charged to a card, it opens the desk that takes the card. */
export function useUndo(policyUuid: string): () => Promise<void> {
  const { words } = useWords()
  const { cents } = useFormat()
  const { show } = useListParams<DeskParam>()
  /** Describes the money that moves. */
  function moved({ undo, currency }: LoadedTerms): string {
    const amount = (major: number) => ({ amount: cents(toCents(major) ?? 0, currency) })
    const { charge = 0, refund = 0, stopped = 0 } = undo ?? {}
    const parts = [
      charge > 0 && words('changes.undo_charge', amount(charge)),
      refund > 0 && words('changes.undo_refund', amount(refund)),
      stopped > 0 && words('changes.undo_stopped', amount(stopped)),
    ].filter(Boolean)
    return parts.join(' ') || words('changes.undo_free')
  }
  async function undo(terms: LoadedTerms): Promise<void> {
    const step = await asked({ policyUuid, version: terms.policy.version, ...settleBy(usualWay(terms)) })
    if (step.state === 'awaiting_payment') show({ policy: policyUuid, desk: deskOf(step) })
    else showToast({ severity: 'success', summary: words('changes.undone') })
  }
  return async () => {
    try {
      const terms = await whileLoading(reloadTerms(policyUuid))
      // Too late, or the policy has changed: the call gives the reason.
      if (!terms.undo) return await whileLoading(undo(terms))
      await showAlert({
        mode: 'confirm',
        title: words('changes.undo_title'),
        description: `${words('changes.undo_hint')}\n${moved(terms)}`,
        buttonTitle: words('changes.undo_do'),
        buttonBehavior: () => undo(terms),
      })
      setTimeout(focusPanel)
    } catch (error) {
      alertError(error)
    }
  }
}

/** Requests the undo. If refused, it shows the current policy. */
async function asked(request: RequestSentOf<typeof undoChange>): Promise<ResponseOf<typeof undoChange>> {
  try {
    return await ask(undoChange, request)
  } finally {
    await policiesChanged()
  }
}

/** Focuses the panel. The confirmation would return the focus to a toast or button that is gone by then. */
function focusPanel(): void {
  if (document.activeElement === document.body) document.querySelector<HTMLElement>('[data-panel] h2')?.focus()
}
