import { useEffect, useRef } from 'react'
import { closeToast, showToast, useToast } from '#portal/kit/overlay/notices.ts'
import type { RulesForm } from '#portal/kit/form/use-rules-form.ts'
import { useWords } from '#portal/kit/words.tsx'
import type { Imported } from '../import/target.ts'
import { namesAt, type PeopleForm, revalidateTravellers, type Row } from '../people-form.ts'

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

/** Says who no longer travels, and offers to undo it. */
export function useUndoRemoval(): (name: string, run: () => void) => void {
  const { words } = useWords()
  const showUndo = useUndoToast()
  return (name, run) => showUndo({ summary: words('funnel.extra.removed', { name }), label: words('funnel.undo'), run })
}

/** Puts a list or known people into the form at once, and offers to undo it. */
export function useImportList(form: RulesForm<PeopleForm>, replace: (rows: Row[]) => void) {
  const { words } = useWords()
  const showUndo = useUndoToast()
  function put(rows: readonly Row[], first: Partial<Row>): void {
    setFirst(form, first)
    replace([...rows])
    revalidateTravellers(form)
    validateFilled(form)
  }
  return ({ first, rows, count }: Imported, summary = words('people.import.taken', { count })): void => {
    const { extraTravellers, ...before } = structuredClone(form.getValues())
    const typed = Object.fromEntries(firstNames.filter(([key]) => key in first).map(([key, name]) => [key, before[name]]))
    put(rows, first)
    showUndo({
      severity: 'success',
      summary,
      label: words('people.import.undo'),
      run: () => put(extraTravellers, typed),
    })
  }
}

/** Validates every cell with a text, so that all invalid ones are shown and counted. Missing values are reported later. */
function validateFilled(form: RulesForm<PeopleForm>): void {
  const values = form.getValues()
  const names = [values, ...values.extraTravellers].flatMap((_, place) =>
    Object.values(namesAt(place)).filter(name => form.getValues(name) !== ''),
  )
  void form.trigger(names)
}

/** Fills in the form's first traveller, and clears the errors of the previous values. */
function setFirst(form: RulesForm<PeopleForm>, first: Partial<Row>): void {
  for (const [key, name] of firstNames) {
    const value = first[key]
    if (value !== undefined) form.setValue(name, value, { shouldDirty: true })
  }
  if (Object.keys(first).length > 0) form.clearErrors(firstNames.map(([, name]) => name))
}

const firstNames = [
  ['name', 'name'],
  ['middleName', 'middleName'],
  ['lastName', 'lastName'],
  ['birthDate', 'birthDate'],
  ['docNumber', 'documentNumber'],
  ['documentKind', 'documentKind'],
] as const
