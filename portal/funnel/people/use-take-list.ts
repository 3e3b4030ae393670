import { startTransition, useEffect, useRef } from 'react'
import { closeToast, showToast, useToast } from '#portal/kit/overlay/notices.ts'
import type { RulesForm } from '#portal/kit/form/use-rules-form.ts'
import { useWords } from '#portal/kit/words.tsx'
import type { How } from '../import/draft.ts'
import { isBlank, judgeAgain, type PeopleForm, type Row } from './people-form.ts'

const undoMs = 15_000

/** Takes a list into the form in one go; one press takes it back, for as long as the form is on the screen. */
export function useTakeList(form: RulesForm<PeopleForm>, replace: (rows: Row[]) => void) {
  const { words } = useWords()
  const told = useRef<number>(undefined)
  useEffect(
    () => () => {
      if (useToast.getState().number === told.current) closeToast()
    },
    [],
  )
  const put = (rows: Row[]) =>
    startTransition(() => {
      replace(rows)
      judgeAgain(form)
    })
  return (list: Row[], how: How): void => {
    const before = form.getValues('extraTravellers').map(row => ({ ...row }))
    const kept = how === 'after' ? before.filter(row => !isBlank(row)) : []
    put([...kept, ...list])
    showToast({
      severity: 'success',
      life: undoMs,
      summary: words('people.import.taken', { count: list.length }),
      action: { label: words('people.import.undo'), run: () => put(before) },
    })
    told.current = useToast.getState().number
  }
}
