import { type ReactNode, useState } from 'react'
import { todayInUnit } from '#portal/business-unit/today.ts'
import { Combobox } from '#portal/kit/combobox/combobox.tsx'
import { Select } from '#portal/kit/field/select.tsx'
import { DayFilter as Day } from '#portal/kit/list/day-filter.tsx'
import { idIn } from '#portal/kit/list/list-params.ts'
import { SearchFilter as Search } from '#portal/kit/list/search-filter.tsx'
import { IconButton } from '#portal/kit/ui/icon-button.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { useParams } from './use-records.ts'
import { useUnitOptions } from './use-unit-options.ts'

type FiltersProps = {
  /** The filter that is always visible on a phone. */
  first: ReactNode
  children?: ReactNode
  actions?: ReactNode
}

/** The filters of a list. A phone hides all but the first, unless one of them is set. */
export function Filters({ first, children, actions }: FiltersProps) {
  const { words } = useWords()
  const { params } = useParams()
  const { what, object, unit, state, from, to } = params
  const [unfolded, setUnfolded] = useState(Boolean(what ?? object ?? unit ?? state ?? from ?? to))
  return (
    <div className="flex flex-wrap items-end gap-x-3 gap-y-2 max-sm:gap-x-2">
      {first}
      <IconButton
        look="quiet"
        icon="settings"
        label={words('administration.filters')}
        aria-expanded={unfolded}
        className="sm:hidden"
        onClick={() => setUnfolded(!unfolded)}
      />
      {actions && <div className="sm:order-last sm:ml-auto">{actions}</div>}
      <div className={unfolded ? 'contents' : 'contents max-sm:hidden'}>{children}</div>
    </div>
  )
}

export function SearchFilter({ label, name = 'search' }: { label: string; name?: 'search' | 'object' }) {
  const { params, filter } = useParams()
  return (
    <Search
      label={label}
      name={name}
      icon={name === 'search'}
      maxLength={100}
      text={params[name]}
      onText={text => filter({ [name]: text })}
      className={`sm:w-auto sm:max-w-52 sm:flex-1 ${name === 'search' ? 'min-w-32 flex-1 sm:min-w-38' : 'w-full sm:min-w-24'}`}
    />
  )
}

export function StateFilter({
  label,
  options,
  fallback = '',
}: {
  label: string
  options: readonly { value: string; label: string }[]
  fallback?: string
}) {
  const { params, filter } = useParams()
  const known = options.find(({ value }) => value === params.state)?.value ?? fallback
  return (
    <Select
      label={label}
      name="state"
      value={known}
      onChange={state => filter({ state: state === fallback ? undefined : state })}
      options={options}
      className="w-full sm:w-auto sm:max-w-36 sm:min-w-28 sm:flex-1"
    />
  )
}

export function UnitFilter() {
  const { words } = useWords()
  const { params, filter } = useParams()
  const units = useUnitOptions(idIn(params.unit))
  return (
    <Combobox<string>
      label={words('administration.unit')}
      name="unit"
      {...units}
      clearable
      value={params.unit ?? null}
      onChange={unit => filter({ unit: unit ?? undefined })}
      placeholder={words('administration.all_units')}
      className="min-w-32 flex-1 sm:max-w-52 sm:min-w-42"
    />
  )
}

export function DayFilter({ name, label }: { name: 'from' | 'to'; label: string }) {
  const { words } = useWords()
  const { params, filter } = useParams()
  return (
    <Day
      name={name}
      label={label}
      day={params[name]}
      onDay={day => filter({ [name]: day })}
      today={todayInUnit()}
      kind="past"
      problem={words('administration.fault.date')}
      className="w-[calc(50%-0.375rem)] sm:w-auto sm:max-w-40 sm:min-w-36 sm:flex-1"
    />
  )
}
