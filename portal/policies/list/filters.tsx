import { useState } from 'react'
import { displayDate, isDate } from '#common/kit/dates.ts'
import { todayInUnit } from '#portal/business-unit/today.ts'
import { Select } from '#portal/kit/field/select.tsx'
import { DayFilter } from '#portal/kit/list/day-filter.tsx'
import type { ListChange } from '#portal/kit/list/list-params.ts'
import { SearchFilter } from '#portal/kit/list/search-filter.tsx'
import { useWords } from '#portal/kit/words.tsx'
import {
  daysOf,
  departuresIn,
  isCancelledOnly,
  latestFrom,
  type PolicyParam,
  type PolicyParams,
  presets,
  type Span,
  spanIn,
} from '../list-params.ts'
import type { Kind } from '../use-policies.ts'

type Props = { kind: Kind; params: PolicyParams; onFilter: (filters: ListChange<PolicyParam>) => void }

/** Searches numbers, names, products, references and people's numbers and addresses, and filters by departure and cancellation. */
export function Filters({ kind, params, onFilter }: Props) {
  const { words } = useWords()
  const today = todayInUnit()
  const [choosing, setChoosing] = useState(false)
  const { ignored } = departuresIn(params, today)
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
    <div className="grid gap-3 sm:grid-cols-[minmax(0,28rem)_minmax(0,17rem)] lg:grid-cols-[minmax(0,28rem)_minmax(0,17rem)_auto_auto_1fr]">
      <SearchFilter
        label={words('policies.search')}
        hideLabel
        name="searchData"
        text={params.search}
        onText={search => onFilter({ search })}
      />
      <Select label={words('policies.departure')} hideLabel name="departure" value={span} onChange={choose} options={spans} />
      {kind === 'purchased' && (
        <Select
          label={words('policies.column_status')}
          hideLabel
          name="status"
          value={isCancelledOnly(params) ? 'cancelled' : 'purchased'}
          onChange={status => onFilter({ status: status === 'cancelled' ? status : undefined })}
          options={[
            { value: 'purchased', label: words('policies.only_purchased') },
            { value: 'cancelled', label: words('policies.only_cancelled') },
          ]}
        />
      )}
      {span === 'chosen' && (
        <div className="grid grid-cols-2 gap-3 sm:col-span-2 lg:col-span-1 lg:w-76">
          <Day name="dateFrom" label={words('policies.date_from')} day={params.from} onDay={from => onFilter({ from })} />
          <Day name="dateTo" label={words('policies.date_to')} day={params.to} notBefore={params.from} onDay={to => onFilter({ to })} />
        </div>
      )}
      {ignored.length > 0 && (
        <p role="status" className="text-sm text-warning sm:col-span-full">
          {words('policies.dates_ignored', { days: ignored.map(day => displayDate(day) ?? day.slice(0, 20)).join(', ') })}
        </p>
      )}
    </div>
  )
}

/** A field for a day until a year ahead, and no earlier than `notBefore`. */
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
  const max = latestFrom(today)
  const min = isDate(notBefore) && notBefore <= max ? notBefore : undefined
  const to = displayDate(max) ?? ''
  const problem = min ? words('validation.dateBetween', { from: displayDate(min) ?? '', to }) : words('validation.dateUntil', { to })
  return <DayFilter {...field} hideLabel {...(min ? { min } : {})} max={max} today={today} problem={problem} />
}
