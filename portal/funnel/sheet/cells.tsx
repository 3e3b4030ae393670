import { type ChangeEvent, type ComponentProps, type FocusEvent, useRef } from 'react'
import { displayDate } from '#common/kit/dates.ts'
import { typedDate } from '#common/kit/typed/typed-date.ts'
import { loadComplete, shortDates } from '#portal/kit/field/date-field.tsx'
import { whenReleased } from '#portal/kit/form/rules-form.tsx'
import type { RulesForm } from '#portal/kit/form/use-rules-form.ts'
import { useWords } from '#portal/kit/words.tsx'
import { todayInUnit } from '#portal/business-unit/today.ts'
import type { PeopleForm, TextName } from '../people-form.ts'

/** `wrong`: the id of the row's message, if it concerns this cell. `also`: the field whose rules depend on this one. */
export type CellProps = {
  form: RulesForm<PeopleForm>
  name: TextName
  label: string
  wrong: string | undefined
  also?: TextName | undefined
}
type TextCellProps = CellProps &
  Omit<ComponentProps<'input'>, 'form' | 'name' | 'onChange' | 'onBlur' | 'ref'> & {
    tidy?: (text: string) => string
    onChanged?: ((text: string) => void) | undefined
  }

/** Returns the column of a cell, by which the keys find the cells above and below. */
const columnOf = (name: TextName): string => name.replace(/^.*\./, '').replace(/^docNumber$/, 'documentNumber')

/**
 * Takes a cell out of its form: on each event, a form looks its controls up by name. With a thousand of them that takes longer than all other work of
 * a key press, and the rules read the cells by themselves.
 */
const formless = { form: '' }

/** The input of a cell. The browser keeps its text, from where the form reads it, so that a key press renders no row. */
export function TextCell({ form, name, label, wrong, also, tidy, onChanged, ...input }: TextCellProps) {
  const { ref, onChange, onBlur } = form.register(name)
  return (
    <input
      {...input}
      {...formless}
      ref={ref}
      name={name}
      type="text"
      data-column={columnOf(name)}
      aria-label={label}
      aria-invalid={wrong ? true : undefined}
      aria-describedby={wrong}
      autoComplete="off"
      onChange={event => {
        void onChange(event)
        onChanged?.(event.target.value)
      }}
      onBlur={event => {
        const { value } = event.target
        const text = tidy?.(value) ?? value
        if (text !== value) form.setValue(name, text, { shouldDirty: true })
        left(form, event, onBlur, also)
      }}
    />
  )
}

/** A birth date, to which slashes and century are added. */
export function DateCell({ form, name, label, wrong, also }: CellProps) {
  const { words, locale } = useWords()
  const { ref, onChange, onBlur } = form.register(name)
  const before = useRef('')
  function complete(event: FocusEvent<HTMLInputElement>) {
    const typed = event.target.value.trim()
    const whole = displayDate(typed) ?? shortDates.complete?.(typed, { kind: 'birth', today: todayInUnit(), locale }) ?? typed
    if (whole !== event.target.value) form.setValue(name, whole, { shouldDirty: true })
    left(form, event, onBlur, also)
  }
  return (
    <input
      {...formless}
      ref={ref}
      name={name}
      type="text"
      data-column={columnOf(name)}
      inputMode="numeric"
      required
      placeholder={words('ui.date.format')}
      aria-label={label}
      aria-invalid={wrong ? true : undefined}
      aria-describedby={wrong}
      autoComplete="off"
      onFocus={event => {
        before.current = event.target.value
        void loadComplete()
      }}
      onChange={event => {
        const text = typedDate(before.current, event.target.value)
        if (text !== event.target.value) event.target.value = text
        before.current = text
        void onChange(event)
      }}
      onBlur={event => {
        const { value } = event.target
        if (value === '' || displayDate(value.trim()) || shortDates.complete) complete(event)
        else void loadComplete().then(() => complete(event))
      }}
    />
  )
}

/** The kind of a document. A chosen value is validated at once. */
export function KindCell({ form, name, label, wrong, also, national }: CellProps & { national: string }) {
  const { words } = useWords()
  const { ref, onChange, onBlur } = form.register(name)
  return (
    <select
      {...formless}
      ref={ref}
      name={name}
      data-column={columnOf(name)}
      aria-label={label}
      aria-invalid={wrong ? true : undefined}
      aria-describedby={wrong}
      onChange={(event: ChangeEvent<HTMLSelectElement>) => {
        void onChange(event)
        validateAlso(form, also)
      }}
      onBlur={event => void onBlur(event)}
      className="appearance-none truncate"
    >
      <option value="national" className="bg-raised text-ink">
        {national}
      </option>
      <option value="passport" className="bg-raised text-ink">
        {words('funnel.documentKind.passport')}
      </option>
    </select>
  )
}

type OnBlur = (event: FocusEvent<HTMLInputElement>) => Promise<unknown>

function left(form: RulesForm<PeopleForm>, event: FocusEvent<HTMLInputElement>, onBlur: OnBlur, also: TextName | undefined): void {
  whenReleased(() => {
    void onBlur(event)
    validateAlso(form, also)
  })
}

/** Validates the field that depends on another one, once the user has visited it. */
function validateAlso(form: RulesForm<PeopleForm>, also: TextName | undefined): void {
  if (!also) return
  const { isTouched, invalid } = form.getFieldState(also)
  if (isTouched || invalid) void form.trigger(also)
}
