import { type ReactNode, useEffect, useState } from 'react'
import type { Found } from '#common/quotes/paste/paste.ts'
import type { RulesForm } from '#portal/kit/form/use-rules-form.ts'
import { Badge } from '#portal/kit/ui/card.tsx'
import { useWords } from '#portal/kit/words.tsx'
import type { TripForm } from '../store.ts'
import { filledBy, sameRows } from './fill.ts'

type Field = keyof TripForm
export type Pasted = {
  /** Fields that hold what was pasted, until they are edited. */
  filled: ReadonlySet<Field>
  fill: (chosen: readonly Found[]) => void
  undo: () => void
  /** What a field says under it, and that it was filled from the text. */
  hint: (field: Field, own?: ReactNode) => ReactNode
}

const none: ReadonlySet<Field> = new Set()

/** What was pasted into a form, by the form's own means: it is judged, priced and kept as if it had been typed. */
export function usePasted(form: RulesForm<TripForm>): Pasted {
  const { words } = useWords()
  const [filled, setFilled] = useState(none)
  const [before, setBefore] = useState<Partial<TripForm>>({})
  useEffect(() => {
    const { unsubscribe } = form.watch((_, { name, type }) => {
      const field = name?.split('.')[0] as Field | undefined
      if (type === 'change' && field)
        setFilled(fields => (fields.has(field) ? new Set([...fields].filter(each => each !== field)) : fields))
    })
    return unsubscribe
  }, [form])

  function put(values: Partial<TripForm>) {
    const fields = Object.keys(values) as Field[]
    const { birthDates, ...others } = values
    for (const [field, value] of Object.entries(others)) form.setValue(field as Field, value, { shouldDirty: true, shouldTouch: true })
    if (birthDates)
      form.setValue('birthDates', sameRows(birthDates, form.getValues('birthDates')), { shouldDirty: true, shouldTouch: true })
    void form.trigger(fields)
  }
  return {
    filled,
    fill(chosen) {
      const values = filledBy(chosen)
      const fields = Object.keys(values) as Field[]
      const held = structuredClone(form.getValues())
      setBefore(Object.fromEntries(fields.map(field => [field, held[field]])))
      put(values)
      setFilled(new Set(fields))
    },
    undo() {
      put(before)
      setFilled(none)
    },
    hint: (field, own) =>
      filled.has(field) ? (
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
