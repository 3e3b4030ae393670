import { startTransition, useEffect, useRef } from 'react'
import { closeToast, showToast, useToast } from '#portal/kit/overlay/notices.ts'
import type { RulesForm } from '#portal/kit/form/use-rules-form.ts'
import { useWords } from '#portal/kit/words.tsx'
import type { ImportMode } from '../import/draft.ts'
import { isBlank, judgeAgain, type PeopleForm, type Row } from '../people-form.ts'

const undoMs = 15_000

/** What was done to the form is told, and one press takes it back, for as long as the form is on the screen. */
function useTold(): (toast: { severity?: 'success'; summary: string; label: string; run: () => void }) => void {
  const told = useRef<number>(undefined)
  useEffect(
    () => () => {
      if (useToast.getState().number === told.current) closeToast()
    },
    [],
  )
  return ({ label, run, ...toast }) => {
    showToast({ ...toast, life: undoMs, action: { label, run } })
    told.current = useToast.getState().number
  }
}

/** A traveller who was removed with what was typed of him. */
export function useTakenBack(): (run: () => void) => void {
  const { words } = useWords()
  const tell = useTold()
  return run => tell({ summary: words('funnel.extra.removed'), label: words('funnel.undo'), run })
}

/** Takes a list into the form in one go. */
export function useTakeList(form: RulesForm<PeopleForm>, replace: (rows: Row[]) => void) {
  const { words } = useWords()
  const tell = useTold()
  const put = (rows: Row[]) =>
    startTransition(() => {
      replace(rows)
      judgeAgain(form)
    })
  return (list: Row[], mode: ImportMode): void => {
    const before = form.getValues('extraTravellers').map(row => ({ ...row }))
    const kept = mode === 'after' ? before.filter(row => !isBlank(row)) : []
    put([...kept, ...list])
    tell({
      severity: 'success',
      summary: words('people.import.taken', { count: list.length }),
      label: words('people.import.undo'),
      run: () => put(before),
    })
  }
}
