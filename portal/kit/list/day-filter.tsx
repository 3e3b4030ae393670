import { useState } from 'react'
import { displayDate, isWithin, readDate } from '#common/kit/dates.ts'
import { DateField } from '#portal/kit/field/date-field.tsx'

type Props = {
  name: string
  label: string
  hideLabel?: boolean
  day: string | undefined
  onDay: (day: string | undefined) => void
  /** The first and last day that can be chosen, and today at the business unit. */
  min?: string
  max?: string
  today?: string
  /** The message for text that cannot become a day within the limits. */
  problem: string
  className?: string
}

/** Filters by a day as soon as it is typed in full. Anything else is reported, and filters nothing. */
export function DayFilter({ name, label, hideLabel, day, onDay, min, max, today, problem, className }: Props) {
  const [wasLeft, setWasLeft] = useState(false)
  const [text, setText] = useState(displayDate(day) ?? '')
  const [shown, setShown] = useState(day)
  const [sent, setSent] = useState(day)
  // The URL changed by itself: the back button, or a link.
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
    const chosen = dayIn(typed)
    setSent(chosen)
    if (chosen !== day) onDay(chosen)
  }
  const isWrong = text !== '' && dayIn(text) === undefined && (wasLeft || text.length >= 10)
  return (
    <DateField
      name={name}
      label={label}
      hideLabel={hideLabel}
      value={text}
      onChange={change}
      onBlur={() => setWasLeft(true)}
      min={min}
      max={max}
      today={today}
      error={isWrong ? problem : undefined}
      className={className}
    />
  )
}
