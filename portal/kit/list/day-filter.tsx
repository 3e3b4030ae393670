import { useState } from 'react'
import { displayDate, isWithin, readDate } from '#common/kit/dates.ts'
import { DateField } from '#portal/kit/field/date-field.tsx'

type Props = {
  name: string
  label: string
  hideLabel?: boolean
  day: string | undefined
  onDay: (day: string | undefined) => void
  /** The first and last day that can be chosen, and today where the business is. */
  min?: string
  max?: string
  today?: string
  /** Shown once what was typed cannot become a day that can be chosen. */
  problem: string
  className?: string
}

/** Filters by a day as soon as it is typed in full. Anything else is reported, and filters nothing. */
export function DayFilter({ name, label, hideLabel, day, onDay, min, max, today, problem, className }: Props) {
  const [left, setLeft] = useState(false)
  const [text, setText] = useState(displayDate(day) ?? '')
  const [seen, setSeen] = useState(day)
  const [sent, setSent] = useState(day)
  // The URL changed by itself: the back button, or a link.
  if (day !== seen) {
    setSeen(day)
    if (day !== sent) setText(displayDate(day) ?? '')
  }
  const dayIn = (typed: string) => {
    const date = readDate(typed)
    return date && isWithin(date, min, max) ? date : undefined
  }
  function change(typed: string) {
    setLeft(false)
    setText(typed)
    const chosen = dayIn(typed)
    setSent(chosen)
    if (chosen !== day) onDay(chosen)
  }
  const isWrong = text !== '' && dayIn(text) === undefined && (left || text.length >= 10)
  return (
    <DateField
      name={name}
      label={label}
      hideLabel={hideLabel}
      value={text}
      onChange={change}
      onBlur={() => setLeft(true)}
      min={min}
      max={max}
      today={today}
      error={isWrong ? problem : undefined}
      className={className}
    />
  )
}
