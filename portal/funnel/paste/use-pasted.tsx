import { type ReactNode, useEffect, useState } from 'react'
import type { FieldPath } from 'react-hook-form'
import type { PastedField } from '#common/quotes/paste/paste.ts'
import type { RulesForm } from '#portal/kit/form/use-rules-form.ts'
import { Badge } from '#portal/kit/ui/card.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { birthDatesOf, peopleForm, step2Of } from '../people-form.ts'
import { type FunnelState, type TripForm, useFunnel } from '../store.ts'
import { filledBy, sameRows } from './fill.ts'
import { type PastedPart, withPeople } from './fill-people.ts'

type Field = keyof TripForm
/** The choice of a user from a pasted text: fields of this step, and people for the next. */
export type Chosen = { fields: readonly PastedField[]; parts: readonly PastedPart[] }
export type Pasted = {
  /** Names of the fields that hold a pasted value, until they are edited. */
  filled: ReadonlySet<string>
  /** How many people of step 2 were filled from the text. */
  people: number
  fill: (chosen: Chosen) => void
  undo: () => void
  /** Returns a field's own hint, with a badge if it was filled from the text. */
  hint: (name: string, own?: ReactNode) => ReactNode
}

const none: ReadonlySet<string> = new Set()
type Before = { trip: Partial<TripForm>; people?: { was: FunnelState['people'] } }

/** Fills a form from a pasted text. Values are validated, priced and stored as if typed. */
export function usePasted(form: RulesForm<TripForm>): Pasted {
  const { words } = useWords()
  const [filled, setFilled] = useState(none)
  const [people, setPeople] = useState(0)
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
    void form.trigger(fields)
  }
  return {
    filled,
    people,
    fill({ fields: chosen, parts }) {
      const current = structuredClone(form.getValues())
      const was = useFunnel.getState().people
      const values = filledBy(chosen)
      if (parts.length > 0) {
        const filledForm = withPeople(peopleForm(was, { ...current, ...values }), parts)
        const step2 = step2Of(filledForm)
        useFunnel.setState({ people: step2 })
        // Step 2 has a row for each of the trip's travellers.
        const travelers = filledForm.extraTravellers.length + 1
        if (travelers > Number(values.travelers ?? current.travelers)) values.travelers = travelers
        if (parts.some(({ value }) => value.birthDate)) values.birthDates = birthDatesOf(step2)
      }
      const fields = fieldsOf(values)
      const trip = Object.fromEntries(fields.map(field => [field, current[field]]))
      setBefore(parts.length > 0 ? { trip, people: { was } } : { trip })
      put(values)
      setFilled(new Set(namesOf(values)))
      setPeople(new Set(parts.map(({ traveller }) => traveller)).size)
    },
    undo() {
      if (before.people) useFunnel.setState({ people: before.people.was })
      put(before.trip)
      setFilled(none)
      setPeople(0)
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

/** Returns the form's field names: one for each birth date. */
const namesOf = (values: Partial<TripForm>): FieldPath<TripForm>[] =>
  fieldsOf(values).flatMap((field): FieldPath<TripForm>[] =>
    field === 'birthDates'
      ? (values.birthDates ?? []).flatMap(({ date }, index) => (date ? [`birthDates.${index}.date` as const] : []))
      : [field],
  )

// Safe: no type of values has other fields.
const fieldsOf = (values: Partial<TripForm>): Field[] => Object.keys(values) as Field[]
