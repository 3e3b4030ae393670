import { type Ref, useEffect, useEffectEvent, useRef, useState } from 'react'
import { displayDate, readDate } from '#common/kit/dates.ts'
import type { completeDate, DateKind } from '#common/kit/typed/dates.ts'
import { typedDate } from '#common/kit/typed/typed-date.ts'
import { logOnly } from '#portal/kit/log.ts'
import { later } from '#portal/kit/page/later.tsx'
import { floatingLook, useDismiss, useFloating } from '#portal/kit/ui/floating.ts'
import { IconButton } from '#portal/kit/ui/icon-button.tsx'
import { useWords } from '#portal/kit/words.tsx'
import type { FieldProps } from './field.tsx'
import { TextField } from './text-field.tsx'

const [Calendar, loadCalendar] = later(async () => (await import('./calendar.tsx')).Calendar, <div className="h-72 w-64" />)

type Props = FieldProps & {
  name: string
  /** The typed text: DD/MM/YYYY if it is a date (spec 5, Dates). YYYY-MM-DD is also shown as a date. */
  value: string
  onChange: (text: string) => void
  onBlur?: (() => void) | undefined
  /** The first and last day that can be picked, and today at the business unit: all YYYY-MM-DD. */
  min?: string | undefined
  max?: string | undefined
  today?: string | undefined
  /** Says how short dates are completed when the field is left, and the day from which `+7` counts. Days of the past end today. */
  kind?: DateKind | undefined
  from?: (() => string | undefined) | undefined
  autoComplete?: string | undefined
  disabled?: boolean | undefined
  'aria-keyshortcuts'?: string | undefined
  ref?: Ref<HTMLInputElement> | undefined
}

/** A date that is typed, pasted or picked from a calendar. The form's rules decide whether the text is a date. */
export function DateField({
  value,
  onChange,
  onBlur,
  min,
  today,
  kind,
  from,
  max = kind === 'past' || kind === 'birth' ? today : undefined,
  ...field
}: Props) {
  const { words, locale } = useWords()
  const [open, setOpen] = useState(false)
  const [isLeft, setIsLeft] = useState(false)
  const frame = useRef<HTMLDivElement>(null)
  const popover = useRef<HTMLDialogElement>(null)
  /** True while the browser window has lost the focus from this field. */
  const isAway = useRef(false)
  const focusInput = () => frame.current?.querySelector('input')?.focus()
  useFloating(open, frame, popover)
  useDismiss(open, [frame, popover], by => {
    setOpen(false)
    if (by === 'escape') focusInput()
    else leave()
  })
  const text = displayDate(value) ?? value

  /** Completes a short date and validates the field. The code that reads short dates may still be loading, but a complete date does not need it. */
  function leave(isLoaded = shortDates.complete !== undefined) {
    const typed = text.trim()
    const whole = typed === '' ? '' : displayDate(typed)
    if (whole === undefined && !isLoaded) return setIsLeft(true)
    const left = whole ?? shortDates.complete?.(typed, { kind, today, from: from?.(), locale }) ?? typed
    if (left !== value) onChange(left)
    onBlur?.()
  }
  const leaveLoaded = useEffectEvent(() => {
    setIsLeft(false)
    leave(true)
  })
  useEffect(() => {
    let isCurrent = isLeft
    if (isLeft) void loadComplete().then(() => isCurrent && leaveLoaded())
    return () => {
      isCurrent = false
    }
  }, [isLeft])
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
        error={field.error && /^[\d/]{10}$/.test(text) && !displayDate(text) ? words('validation.noSuchDay') : field.error}
        frame={frame}
        inputMode="numeric"
        autoComplete={field.autoComplete ?? 'off'}
        placeholder={words('ui.date.format')}
        value={text}
        onFocus={event => {
          // Selects a complete date, so that typing replaces it, unless the user only looked at another window.
          if (displayDate(text) && !isAway.current) event.target.select()
          void loadComplete()
        }}
        onChange={event => {
          setIsLeft(false)
          onChange(typedDate(text, event.target.value))
        }}
        onBlur={event => {
          isAway.current = document.activeElement === event.target
          // The focus moves to the calendar, so the date is not finished yet.
          if (!open && !frame.current?.contains(event.relatedTarget)) leave()
        }}
        onKeyDown={event => {
          if (event.key === 'ArrowDown') {
            event.preventDefault()
            setOpen(true)
          }
          if (event.key !== 'Enter' || shortDates.complete || displayDate(text)) return
          // The form is sent once the short date can be read.
          event.preventDefault()
          const { form } = event.currentTarget
          void loadComplete().then(() => form?.requestSubmit())
        }}
        after={
          <IconButton
            icon="calendar"
            label={words('ui.date.open', { label: field.label })}
            tabIndex={-1}
            aria-haspopup="dialog"
            aria-expanded={open}
            aria-disabled={field.disabled}
            className="off:bg-transparent"
            onPointerEnter={loadCalendar}
            onClick={() => field.disabled || setOpen(!open)}
          />
        }
      />
      {open && (
        <dialog ref={popover} popover="manual" aria-label={field.label} className={`${floatingLook} p-3`}>
          <Calendar selected={readDate(value)} min={min} max={max} today={today} onPick={pick} />
        </dialog>
      )}
    </>
  )
}

/** The function that reads short dates, once it is loaded. */
export const shortDates: { complete?: typeof completeDate } = {}

let reading: Promise<void> | undefined

/**
 * Loads the code that reads short dates when any date field is first focused. All fields wait for the same promise, so that dates left before are
 * completed in order, as `+7` counts from the date before it.
 */
export function loadComplete(): Promise<void> {
  reading ??= import('#common/kit/typed/dates.ts').then(
    reader => {
      shortDates.complete = reader.completeDate
    },
    cause => {
      reading = undefined
      logOnly('loading the reader of dates')(cause)
    },
  )
  return reading
}
