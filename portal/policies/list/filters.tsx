import { useState } from 'react'
import { displayDate, isWithin } from '#common/kit/dates.ts'
import { todayInUnit } from '#portal/business-unit/today.ts'
import { Select } from '#portal/kit/field/select.tsx'
import { DayFilter } from '#portal/kit/list/day-filter.tsx'
import type { ListChange } from '#portal/kit/list/list-params.ts'
import { SearchFilter } from '#portal/kit/list/search-filter.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { boundsFrom, daysOf, type PolicyParam, type PolicyParams, presets, type Span, spanIn } from '../list-params.ts'

type Props = { params: PolicyParams; onFilter: (filters: ListChange<PolicyParam>) => void }

/** Searches numbers, names, products and references, and filters by departure. */
export function Filters({ params, onFilter }: Props) {
  const { words } = useWords()
  const today = todayInUnit()
  const [choosing, setChoosing] = useState(false)
  const span = choosing ? 'chosen' : spanIn(params, today)
  const spans: { value: Span; label: string }[] = [
    { value: 'any', label: words('policies.any_date') },
    ...presets.map(days => ({ value: `${days}` as const, label: words('policies.next_days', { days }) })),
    { value: 'chosen', label: words('policies.chosen_dates') },
  ]
  function choose(value: string) {
    setChoosing(value === 'chosen')
    // Safe: the options of the field are spans.
    onFilter(daysOf(value as Span, today))
  }
  return (
    <div className="grid gap-3 sm:grid-cols-[minmax(0,28rem)_minmax(0,17rem)] lg:grid-cols-[minmax(0,28rem)_minmax(0,17rem)_auto_1fr]">
      <SearchFilter
        label={words('policies.search')}
        hideLabel
        name="searchData"
        text={params.search}
        onText={search => onFilter({ search })}
      />
      <Select label={words('policies.departure')} hideLabel name="departure" value={span} onChange={choose} options={spans} />
      {span === 'chosen' && (
        <div className="grid grid-cols-2 gap-3 sm:col-span-2 lg:col-span-1 lg:w-76">
          <Day name="dateFrom" label={words('policies.date_from')} day={params.from} onDay={from => onFilter({ from })} />
          <Day name="dateTo" label={words('policies.date_to')} day={params.to} notBefore={params.from} onDay={to => onFilter({ to })} />
        </div>
      )}
    </div>
  )
}

/** A field for a day between today and a year ahead, and no earlier than `notBefore`. */
function Day({
  notBefore,
  ...field
}: {
  name: string
  label: string
  day: string | undefined
  notBefore?: string | undefined
  onDay: (day: string | undefined) => void
}) {
  const { words } = useWords()
  const today = todayInUnit()
  const { min: first, max } = boundsFrom(today)
  const min = notBefore && isWithin(notBefore, first, max) ? notBefore : first
  const problem = words('validation.dateBetween', { from: displayDate(min) ?? '', to: displayDate(max) ?? '' })
  return <DayFilter {...field} hideLabel min={min} max={max} today={today} problem={problem} />
}
