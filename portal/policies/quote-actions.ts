import { errorMessage } from '#portal/kit/errors/error-message.ts'
import { deletePolicy, listPolicies, restorePolicy } from '#common/policies/calls.ts'
import type { QuestionSent } from '#common/kit/call.ts'
import { ask } from '#portal/kit/ask.ts'
import { showAlert, showToast } from '#portal/kit/overlay/notices.ts'
import { askForFile, NotAFile, saveFile } from '#portal/kit/save-file.ts'
import type { Words } from '#portal/kit/words.tsx'
import type { Row } from './list-params.ts'
import { policiesChanged, policiesGone } from './use-policies.ts'

/** Long enough to be read and acted on: what was deleted by mistake is a client's offer. */
const undoMs = 10_000

/** Asked first, and taken back by one press. Gives those that are gone; what fails of several holds up none of the others. */
export async function deleteBudgets(budgets: readonly Row[], words: Words): Promise<readonly Row[]> {
  const count = budgets.length
  const gone: Row[] = []
  await showAlert({
    mode: 'confirm',
    title: words('policies.delete_title', { count }),
    description: words('policies.delete_hint', { count, name: nameOf(budgets[0]) }),
    buttonTitle: words('policies.delete'),
    buttonBehavior: async () => {
      const left = budgets.filter(each => !gone.includes(each))
      const [failed] = await eachOf(left, async budget => {
        await ask(deletePolicy, { policyUuid: budget.policyUuid })
        gone.push(budget)
      })
      if (failed) throw failed.error
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
  return gone
}

async function restore(budgets: readonly Row[], words: Words): Promise<void> {
  const failed = await eachOf(budgets, ({ policyUuid }) => ask(restorePolicy, { policyUuid }))
  await policiesChanged()
  const count = budgets.length - failed.length
  if (count > 0) showToast({ severity: 'success', summary: words('policies.restored', { count }) })
  if (failed.length === 0) return
  const reasons = failed.map(({ row, error }) => `${nameOf(row)}: ${errorMessage(error, words)}`)
  showAlert({ mode: 'error', title: words('policies.not_restored', { count: failed.length }), description: reasons.join('\n') })
}

/** One after another, to the last; gives those that failed. */
async function eachOf(rows: readonly Row[], work: (row: Row) => Promise<unknown>): Promise<{ row: Row; error: unknown }[]> {
  const failed: { row: Row; error: unknown }[] = []
  for (const row of rows) await work(row).catch((error: unknown) => failed.push({ row, error }))
  return failed
}

const nameOf = (row: Row | undefined): string => row?.policyTaker || (row?.productName ?? '')

/** The workbook of all that match, or of the selected ones, under its translated name. */
export async function exportPolicies(question: QuestionSent<typeof listPolicies>, words: Words): Promise<void> {
  try {
    saveFile(await askForFile(listPolicies, { ...question, export: true }))
  } catch (error) {
    showAlert({ mode: 'error', description: error instanceof NotAFile ? words('policies.not_a_file') : errorMessage(error, words) })
  }
}
