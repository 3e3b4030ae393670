import { useEffect, useState } from 'react'
import { displayDate, isWithin, readDate } from '#common/kit/dates.ts'
import { todayInUnit } from '#portal/business-unit/today.ts'
import { DateField } from '#portal/kit/field/date-field.tsx'
import { Select } from '#portal/kit/field/select.tsx'
import { TextField } from '#portal/kit/field/text-field.tsx'
import { Icon } from '#portal/kit/ui/icon.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { boundsFrom, daysOf, type Look, type LookChange, presets, type Span, spanOf } from '../list-params.ts'

type Props = { look: Look; onLook: (change: LookChange) => void }

/** What is looked for: any part of a number, name, product or reference, and when the trips begin. */
export function Filters({ look, onLook }: Props) {
  const { words } = useWords()
  const today = todayInUnit()
  const [choosing, setChoosing] = useState(false)
  const span = choosing ? 'chosen' : spanOf(look, today)
  const spans: { value: Span; label: string }[] = [
    { value: 'any', label: words('policies.any_date') },
    ...presets.map(days => ({ value: `${days}` as const, label: words('policies.next_days', { days }) })),
    { value: 'chosen', label: words('policies.chosen_dates') },
  ]
  function choose(value: string) {
    setChoosing(value === 'chosen')
    onLook(daysOf(value as Span, today))
  }
  return (
    <div className="grid gap-3 sm:grid-cols-[minmax(0,28rem)_minmax(0,17rem)] lg:grid-cols-[minmax(0,28rem)_minmax(0,17rem)_auto_1fr]">
      <Search text={look.search ?? ''} onText={search => onLook({ search })} />
      <Select label={words('policies.departure')} hideLabel name="departure" value={span} onChange={choose} options={spans} />
      {span === 'chosen' && (
        <div className="grid grid-cols-2 gap-3 sm:col-span-2 lg:col-span-1 lg:w-76">
          <Day name="dateFrom" label={words('policies.date_from')} day={look.from} onDay={from => onLook({ from })} />
          <Day name="dateTo" label={words('policies.date_to')} day={look.to} from={look.from} onDay={to => onLook({ to })} />
        </div>
      )}
    </div>
  )
}

const restMs = 150

/** Looked for as one types, when the fingers rest for a moment. The arrow leads on to what was found. */
function Search({ text, onText }: { text: string; onText: (text: string) => void }) {
  const { words } = useWords()
  const [typed, setTyped] = useState(text)
  const [seen, setSeen] = useState(text)
  const [told, setTold] = useState(text)
  // The address changed by itself: back, or a link.
  if (text !== seen) {
    setSeen(text)
    if (text !== told) setTyped(text)
  }
  useEffect(() => {
    if (typed === text) return
    const timer = setTimeout(() => {
      setTold(typed)
      onText(typed)
    }, restMs)
    return () => clearTimeout(timer)
    // oxlint-disable-next-line react/exhaustive-deps
  }, [typed, text])
  return (
    <TextField
      label={words('policies.search')}
      hideLabel
      name="searchData"
      type="search"
      maxLength={200}
      placeholder={words('policies.search')}
      before={<Icon name="search" className="ml-3 size-4 text-quiet" />}
      value={typed}
      onChange={event => setTyped(event.target.value)}
      onKeyDown={event => {
        if (event.key !== 'ArrowDown') return
        event.preventDefault()
        document.querySelector<HTMLElement>('tbody tr[tabindex="0"]')?.focus()
      }}
    />
  )
}

/** A day within the bounds is looked for as soon as it is whole; what is none is told, and nothing is looked for. */
function Day({
  name,
  label,
  day,
  from,
  onDay,
}: {
  name: string
  label: string
  day: string | undefined
  /** It is no earlier than this one. */
  from?: string | undefined
  onDay: (day: string | undefined) => void
}) {
  const { words } = useWords()
  const today = todayInUnit()
  const { min: first, max } = boundsFrom(today)
  const min = from && isWithin(from, first, max) ? from : first
  const [left, setLeft] = useState(false)
  const [text, setText] = useState(displayDate(day) ?? '')
  const [seen, setSeen] = useState(day)
  const [told, setTold] = useState(day)
  if (day !== seen) {
    setSeen(day)
    if (day !== told) setText(displayDate(day) ?? '')
  }
  const date = readDate(text)
  const isWrong = text !== '' && !(date && isWithin(date, min, max))
  function change(typed: string) {
    setLeft(false)
    setText(typed)
    const date = readDate(typed)
    const found = date && isWithin(date, min, max) ? date : undefined
    setTold(found)
    onDay(found)
  }
  return (
    <DateField
      name={name}
      label={label}
      hideLabel
      value={text}
      onChange={change}
      onBlur={() => setLeft(true)}
      min={min}
      max={max}
      today={today}
      error={
        isWrong && (left || text.length === 10)
          ? words('validation.dateBetween', { from: displayDate(min) ?? '', to: displayDate(max) ?? '' })
          : undefined
      }
    />
  )
}
