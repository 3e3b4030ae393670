import { type ReactNode, useEffect, useState } from 'react'
import type { FieldPath } from 'react-hook-form'
import type { PastedField } from '#common/quotes/paste/paste.ts'
import type { RulesForm } from '#portal/kit/form/use-rules-form.ts'
import { Badge } from '#portal/kit/ui/card.tsx'
import { useWords } from '#portal/kit/words.tsx'
import type { TripForm } from '../store.ts'
import { filledBy, sameRows } from './fill.ts'

type Field = keyof TripForm
export type Pasted = {
  /** Names of the fields that hold a pasted value, until they are edited. */
  filled: ReadonlySet<string>
  fill: (chosen: readonly PastedField[]) => void
  undo: () => void
  /** Returns a field's own hint, with a badge if it was filled from the text. */
  hint: (name: string, own?: ReactNode) => ReactNode
}

const none: ReadonlySet<string> = new Set()

/** Fills a form from a pasted text. Values are validated, priced and stored as if typed. */
export function usePasted(form: RulesForm<TripForm>): Pasted {
  const { words } = useWords()
  const [filled, setFilled] = useState(none)
  const [before, setBefore] = useState<Partial<TripForm>>({})
  useEffect(() => {
    const { unsubscribe } = form.watch((_, { name, type }) => {
      if (type === 'change' && name) setFilled(names => (names.has(name) ? new Set([...names].filter(each => each !== name)) : names))
    })
    return unsubscribe
  }, [form])

  function put(values: Partial<TripForm>) {
    const fields = fieldsOf(values)
    const { birthDates, ...others } = values
    // Safe: these are fields of the form with their values.
    for (const [field, value] of Object.entries(others)) form.setValue(field as Field, value, { shouldDirty: true, shouldTouch: true })
    if (birthDates)
      form.setValue('birthDates', sameRows(birthDates, form.getValues('birthDates')), { shouldDirty: true, shouldTouch: true })
    void form.trigger(fields)
  }
  return {
    filled,
    fill(chosen) {
      const values = filledBy(chosen)
      const fields = fieldsOf(values)
      const current = structuredClone(form.getValues())
      setBefore(Object.fromEntries(fields.map(field => [field, current[field]])))
      put(values)
      setFilled(new Set(namesOf(values)))
    },
    undo() {
      put(before)
      setFilled(none)
      // The undo button is gone, so focus moves to a field.
      const [first] = namesOf(before)
      if (first) form.setFocus(first)
    },
    hint: (name, own) =>
      filled.has(name) ? (
        <>
          <Badge tone="info" icon="clipboard">
            {words('funnel.from_text')}
          </Badge>{' '}
          {own}
        </>
      ) : (
        own
      ),
  }
}

/** Returns the form's field names: one for each birth date. */
const namesOf = (values: Partial<TripForm>): FieldPath<TripForm>[] =>
  fieldsOf(values).flatMap((field): FieldPath<TripForm>[] =>
    field === 'birthDates' ? (values.birthDates ?? []).map((_, index) => `birthDates.${index}.date` as const) : [field],
  )

// Safe: no type of values has other fields.
const fieldsOf = (values: Partial<TripForm>): Field[] => Object.keys(values) as Field[]
