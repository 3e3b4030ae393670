import { deletePolicy, listPolicies, restorePolicy } from '#common/policies/calls.ts'
import type { QuestionSent } from '#common/kit/call.ts'
import { ask, askForFile, NotAFile, Refused } from '#portal/kit/ask.ts'
import { showAlert, showToast } from '#portal/kit/overlay/notices.ts'
import type { Words } from '#portal/kit/words.tsx'
import type { Row } from './look.ts'
import { policiesChanged, policiesGone } from './use-policies.ts'

/** Long enough to be read and acted on: what was deleted by mistake is a client's offer. */
const undoMs = 10_000

/** Asked first, and taken back by one press. True once they are gone. */
export async function deleteBudgets(budgets: readonly Row[], words: Words): Promise<boolean> {
  const count = budgets.length
  const gone: Row[] = []
  const confirmed = await showAlert({
    mode: 'confirm',
    title: words('policies.delete_title', { count }),
    description: words('policies.delete_hint', { count, name: budgets[0]?.policyTaker || (budgets[0]?.productName ?? '') }),
    buttonTitle: words('policies.delete'),
    buttonBehavior: async () => {
      for (const budget of budgets.filter(each => !gone.includes(each))) {
        await ask(deletePolicy, { policyUuid: budget.policyUuid })
        gone.push(budget)
      }
    },
  })
  if (gone.length > 0) {
    await policiesGone(gone)
    showToast({
      severity: 'success',
      summary: words('policies.deleted', { count: gone.length }),
      life: undoMs,
      action: { label: words('policies.undo'), run: () => void restore(gone, words) },
    })
  }
  return confirmed
}

async function restore(budgets: readonly Row[], words: Words): Promise<void> {
  try {
    for (const { policyUuid } of budgets) await ask(restorePolicy, { policyUuid })
    showToast({ severity: 'success', summary: words('policies.restored', { count: budgets.length }) })
  } catch (error) {
    showAlert({ mode: 'error', description: told(error, words) })
  } finally {
    await policiesChanged()
  }
}

/** The workbook of all that match, or of the selected ones, under its translated name. */
export async function exportPolicies(question: QuestionSent<typeof listPolicies>, words: Words): Promise<void> {
  try {
    const { name, content } = await askForFile(listPolicies, { ...question, export: true })
    const address = URL.createObjectURL(content)
    const link = Object.assign(document.createElement('a'), { href: address, download: name })
    link.click()
    // The browser reads it after this turn; then nobody else needs it.
    setTimeout(() => URL.revokeObjectURL(address), 60_000)
  } catch (error) {
    showAlert({ mode: 'error', description: error instanceof NotAFile ? words('policies.not_a_file') : told(error, words) })
  }
}

export const told = (error: unknown, words: Words): string => (error instanceof Refused ? error.message : words('shell.offline'))
