import { startTransition, useEffect, useRef } from 'react'
import { closeToast, showToast, useToast } from '#portal/kit/overlay/notices.ts'
import type { RulesForm } from '#portal/kit/form/use-rules-form.ts'
import { useWords } from '#portal/kit/words.tsx'
import type { ImportMode } from '../import/draft.ts'
import { isBlank, type PeopleForm, revalidateTravellers, type Row } from '../people-form.ts'

const undoMs = 15_000

/** Returns a function that shows a toast with an undo button. The toast closes when the form leaves the screen. */
function useUndoToast(): (toast: { severity?: 'success'; summary: string; label: string; run: () => void }) => void {
  const toastNumber = useRef<number>(undefined)
  useEffect(
    () => () => {
      if (useToast.getState().number === toastNumber.current) closeToast()
    },
    [],
  )
  return ({ label, run, ...toast }) => {
    showToast({ ...toast, life: undoMs, action: { label, run } })
    toastNumber.current = useToast.getState().number
  }
}

/** Offers to undo the removal of a traveller who had text. */
export function useUndoRemoval(): (run: () => void) => void {
  const { words } = useWords()
  const showUndo = useUndoToast()
  return run => showUndo({ summary: words('funnel.extra.removed'), label: words('funnel.undo'), run })
}

/** Imports a list into the form at once, and offers to undo it. */
export function useImportList(form: RulesForm<PeopleForm>, replace: (rows: Row[]) => void) {
  const { words } = useWords()
  const showUndo = useUndoToast()
  const setRows = (rows: Row[]) =>
    startTransition(() => {
      replace(rows)
      revalidateTravellers(form)
    })
  return (list: Row[], mode: ImportMode): void => {
    const before = form.getValues('extraTravellers').map(row => ({ ...row }))
    const kept = mode === 'after' ? before.filter(row => !isBlank(row)) : []
    setRows([...kept, ...list])
    showUndo({
      severity: 'success',
      summary: words('people.import.taken', { count: list.length }),
      label: words('people.import.undo'),
      run: () => setRows(before),
    })
  }
}
