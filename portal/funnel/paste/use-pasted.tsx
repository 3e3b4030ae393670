import { type ReactNode, useEffect, useState } from 'react'
import type { RulesForm } from '#portal/kit/form/use-rules-form.ts'
import { Badge } from '#portal/kit/ui/card.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { sameRows } from '../people-form.ts'
import { agesShown, keepPeople, saleInProgress } from '../sale.ts'
import type { FunnelState, TripForm } from '../store.ts'
import type { Chosen } from './take-chosen.ts'

type Field = keyof TripForm
export type Pasted = {
  /** The names of fields with a pasted value, until they are edited. */
  filled: ReadonlySet<string>
  /** The number of people of step 2 filled from the text. */
  people: number
  /** The names of the people whom they replaced. */
  replaced: readonly string[]
  fill: (chosen: Chosen) => void
  /** Puts values into the form as if they were typed. */
  put: (values: Partial<TripForm>) => void
  undo: () => void
  /** Returns a field's own hint, with a badge if it was filled from the text. */
  hint: (name: string, own?: ReactNode) => ReactNode
}

const none: ReadonlySet<string> = new Set()
const noPeople: Pick<Chosen, 'people' | 'replaced'> = { people: 0, replaced: [] }
type Before = { trip: Partial<TripForm>; people?: { was: FunnelState['people'] } }

/** Fills a form from a pasted text. Values are validated, priced and stored as if typed. */
export function usePasted(form: RulesForm<TripForm>): Pasted {
  const { words } = useWords()
  const [filled, setFilled] = useState(none)
  const [people, setPeople] = useState(noPeople)
  const [before, setBefore] = useState<Before>({ trip: {} })
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
    if (birthDates && !('ages' in values)) form.setValue('ages', agesShown(form.getValues()), { shouldDirty: true, shouldTouch: true })
    void form.trigger(fields)
  }
  return {
    filled,
    people: people.people,
    replaced: people.replaced,
    put,
    fill(chosen) {
      const current = structuredClone(form.getValues())
      const was = saleInProgress().people
      const values = chosen.take(current)
      const fields = fieldsOf(values)
      const trip = { ages: current.ages ?? '', ...Object.fromEntries(fields.map(field => [field, current[field]])) }
      setBefore(chosen.people > 0 ? { trip, people: { was } } : { trip })
      put(values)
      setFilled(new Set(namesOf(values)))
      setPeople(chosen)
    },
    undo() {
      if (before.people) keepPeople(before.people.was)
      put(before.trip)
      setFilled(none)
      setPeople(noPeople)
      // The undo button is gone, so focus moves to a field.
      form.setFocus(namesOf(before.trip)[0] ?? 'startDate')
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

/** Returns the form's field names. Birth dates are shown as ages. */
const namesOf = (values: Partial<TripForm>): Exclude<Field, 'birthDates'>[] =>
  fieldsOf(values).map(field => (field === 'birthDates' ? 'ages' : field))

// Safe: values have no other fields.
const fieldsOf = (values: Partial<TripForm>): Field[] => Object.keys(values) as Field[]
