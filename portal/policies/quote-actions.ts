import { deletePolicy, restorePolicy } from '#common/policies/calls.ts'
import { ask } from '#portal/kit/ask.ts'
import { errorMessage } from '#portal/kit/errors/error-message.ts'
import { whileLoading } from '#portal/kit/overlay/loading.ts'
import { showAlert, showToast } from '#portal/kit/overlay/notices.ts'
import type { Words } from '#portal/kit/words.tsx'
import { policyTitle, type Row } from './list-params.ts'
import { policiesChanged } from './policy-query.ts'
import { policiesDeleted } from './use-policies.ts'

/** The time to undo a deletion. It is long enough to read the toast and react, as a client relies on the quote. */
const undoMs = 10_000

/** Deletes quotes after a confirmation, and offers to undo it. Returns the deleted ones; a failure does not stop the others. */
export async function deleteBudgets(budgets: readonly Row[], words: Words): Promise<readonly Row[]> {
  const count = budgets.length
  const deleted: Row[] = []
  await showAlert({
    mode: 'confirm',
    title: words('policies.delete_title', { count }),
    description: words('policies.delete_hint', { count, name: budgets[0] ? policyTitle(budgets[0]) : '' }),
    buttonTitle: words('policies.delete'),
    buttonBehavior: async () => {
      const remaining = budgets.filter(each => !deleted.includes(each))
      const [failed] = await runEach(remaining, async budget => {
        await ask(deletePolicy, { policyUuid: budget.policyUuid })
        deleted.push(budget)
      })
      if (failed) throw failed.error
    },
  })
  if (deleted.length > 0) {
    await policiesDeleted(deleted)
    showToast({
      severity: 'success',
      summary: words('policies.deleted', { count: deleted.length }),
      life: undoMs,
      action: { label: words('ui.undo'), run: () => void restore(deleted, words) },
    })
  }
  return deleted
}

async function restore(budgets: readonly Row[], words: Words): Promise<void> {
  const restoring = runEach(budgets, ({ policyUuid }) => ask(restorePolicy, { policyUuid })).then(async failed => {
    await policiesChanged()
    return failed
  })
  // The toast that offered it is gone.
  const failed = await whileLoading(restoring)
  const count = budgets.length - failed.length
  if (count > 0) showToast({ severity: 'success', summary: words('policies.restored', { count }) })
  if (failed.length === 0) return
  const reasons = failed.map(({ row, error }) => `${words('ui.form.field', { label: policyTitle(row) })} ${errorMessage(error, words)}`)
  showAlert({ mode: 'error', title: words('policies.not_restored', { count: failed.length }), description: reasons.join('\n') })
}

/** Runs the work for all rows, one after another, and returns the failures. */
async function runEach(rows: readonly Row[], work: (row: Row) => Promise<unknown>): Promise<{ row: Row; error: unknown }[]> {
  const failed: { row: Row; error: unknown }[] = []
  for (const row of rows) await work(row).catch((error: unknown) => failed.push({ row, error }))
  return failed
}
