import { useRef, useState } from 'react'
import { displayDate, isWithin, readDate } from '#common/kit/dates.ts'
import type { DateKind } from '#common/kit/typed/dates.ts'
import { DateField } from '#portal/kit/field/date-field.tsx'
import { useWords } from '#portal/kit/words.tsx'

type Props = {
  name: string
  label: string
  hideLabel?: boolean
  day: string | undefined
  onDay: (day: string | undefined) => void
  /** Text that was entered before and is not a day within the limits, and the function that stores it. */
  wrong?: string | undefined
  onWrong?: (text: string | undefined) => void
  /** The first and last day that can be chosen, today at the unit, and how short dates are completed. */
  min?: string
  max?: string
  today?: string
  kind?: DateKind
  /** The message for a day beyond the limits. */
  problem: string
  className?: string
}

/** Filters by a day as soon as it is typed completely. Any other text is reported, and does not change the filter. */
export function DayFilter({ name, label, hideLabel, day, onDay, wrong, onWrong, min, max, today, kind, problem, className }: Props) {
  const { words } = useWords()
  const [wasLeft, setWasLeft] = useState(wrong !== undefined)
  const [text, setText] = useState(wrong ?? displayDate(day) ?? '')
  const latest = useRef(text)
  const [shown, setShown] = useState(day)
  const [sent, setSent] = useState(day)
  // The URL was changed elsewhere: by the back button, or a link.
  if (day !== shown) {
    setShown(day)
    if (day !== sent) setText(displayDate(day) ?? '')
  }
  const dayIn = (typed: string) => {
    const date = readDate(typed)
    return date && isWithin(date, min, max) ? date : undefined
  }
  function change(typed: string) {
    setWasLeft(false)
    setText(typed)
    latest.current = typed
    const chosen = dayIn(typed)
    if (!chosen && typed !== '') return
    setSent(chosen)
    onWrong?.(undefined)
    if (chosen !== day) onDay(chosen)
  }
  function leave() {
    setWasLeft(true)
    if (latest.current !== '' && !dayIn(latest.current)) onWrong?.(latest.current)
  }
  const isWrong = text !== '' && dayIn(text) === undefined && (wasLeft || text.length >= 10)
  return (
    <DateField
      name={name}
      label={label}
      hideLabel={hideLabel}
      value={text}
      onChange={change}
      onBlur={leave}
      min={min}
      max={max}
      today={today}
      kind={kind}
      error={isWrong ? (readDate(text) ? problem : words('validation.invalidDate')) : undefined}
      className={className}
    />
  )
}
