import { lazy, type Ref, Suspense, useRef, useState } from 'react'
import { displayDate, readDate } from '#common/kit/dates.ts'
import { floatingLook, useDismiss, useFloating } from '#portal/kit/ui/floating.ts'
import { IconButton } from '#portal/kit/ui/icon-button.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { tidyDate, typedDate } from './date-text.ts'
import type { FieldProps } from './field.tsx'
import { TextField } from './text-field.tsx'

const loadCalendar = () => import('./calendar.tsx')
const Calendar = lazy(() => loadCalendar().then(({ Calendar }) => ({ default: Calendar })))

type Props = FieldProps & {
  name: string
  /** The typed text: DD/MM/YYYY if it is a date (spec 5, Dates). YYYY-MM-DD is shown as a date too. */
  value: string
  onChange: (text: string) => void
  onBlur?: (() => void) | undefined
  /** The first and last day that can be picked, and today at the business unit: all YYYY-MM-DD. */
  min?: string | undefined
  max?: string | undefined
  today?: string | undefined
  autoComplete?: string | undefined
  disabled?: boolean | undefined
  ref?: Ref<HTMLInputElement> | undefined
}

/** A date that is typed, pasted or picked from a calendar. The form's rules decide whether the text is a date. */
export function DateField({ value, onChange, onBlur, min, max, today, ...field }: Props) {
  const { words } = useWords()
  const [open, setOpen] = useState(false)
  const frame = useRef<HTMLDivElement>(null)
  const popover = useRef<HTMLDialogElement>(null)
  const focusInput = () => frame.current?.querySelector('input')?.focus()
  useFloating(open, frame, popover)
  useDismiss(open, [frame, popover], by => {
    setOpen(false)
    if (by === 'escape') focusInput()
    else leave()
  })
  const text = displayDate(value) ?? value

  function leave() {
    const tidy = tidyDate(text)
    if (tidy !== value) onChange(tidy)
    onBlur?.()
  }
  function pick(date: string) {
    onChange(displayDate(date) ?? '')
    setOpen(false)
    focusInput()
    onBlur?.()
  }
  return (
    <>
      <TextField
        {...field}
        frame={frame}
        inputMode="numeric"
        autoComplete={field.autoComplete ?? 'off'}
        placeholder={words('ui.date.format')}
        value={text}
        onChange={event => onChange(typedDate(text, event.target.value))}
        onBlur={event => {
          // The focus moves to the calendar: the date is not finished yet.
          if (!open && !frame.current?.contains(event.relatedTarget)) leave()
        }}
        onKeyDown={event => {
          if (event.key !== 'ArrowDown') return
          event.preventDefault()
          setOpen(true)
        }}
        after={
          <IconButton
            icon="calendar"
            label={words('ui.date.open', { label: field.label })}
            tabIndex={-1}
            aria-haspopup="dialog"
            aria-expanded={open}
            disabled={field.disabled}
            className="disabled:bg-transparent"
            onPointerEnter={() => void loadCalendar()}
            onClick={() => setOpen(!open)}
          />
        }
      />
      {open && (
        <dialog ref={popover} popover="manual" aria-label={field.label} className={`${floatingLook} p-3`}>
          <Suspense fallback={<div className="h-72 w-64" />}>
            <Calendar selected={readDate(value)} min={min} max={max} today={today} onPick={pick} />
          </Suspense>
        </dialog>
      )}
    </>
  )
}
