import { useEffect, useState } from 'react'
import { listUnits } from '#common/administration/unit-calls.ts'
import { displayDate, readDate } from '#common/kit/dates.ts'
import { Combobox } from '#portal/kit/combobox/combobox.tsx'
import { DateField } from '#portal/kit/field/date-field.tsx'
import { Select } from '#portal/kit/field/select.tsx'
import { TextField } from '#portal/kit/field/text-field.tsx'
import { Icon } from '#portal/kit/ui/icon.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { useList } from './queries.ts'
import { type Look, useLook } from './list-params.ts'

const restMs = 200

/** Looked for as one types, when the fingers rest for a moment. */
export function SearchFilter({ label, name = 'search' }: { label: string; name?: 'search' | 'what' | 'object' }) {
  const { look, go } = useLook()
  const text = look[name] ?? ''
  const [typed, setTyped] = useState(text)
  const [told, setTold] = useState(text)
  // The address changed by itself: back, or a link.
  if (text !== told) {
    setTold(text)
    setTyped(text)
  }
  useEffect(() => {
    if (typed === text) return
    const timer = setTimeout(() => {
      setTold(typed)
      go({ [name]: typed })
    }, restMs)
    return () => clearTimeout(timer)
    // oxlint-disable-next-line react/exhaustive-deps
  }, [typed, text])
  return (
    <TextField
      label={label}
      name={name}
      type="search"
      maxLength={100}
      before={name === 'search' ? <Icon name="search" className="ml-3 size-4 text-quiet" /> : undefined}
      value={typed}
      onChange={event => setTyped(event.target.value)}
      className="w-full sm:w-60"
    />
  )
}

/** One state of several, or all of them. */
export function StateFilter({
  label,
  options,
  fallback = '',
}: {
  label: string
  options: readonly { value: string; label: string }[]
  fallback?: string
}) {
  const { look, go } = useLook()
  const known = options.find(({ value }) => value === look.state)?.value ?? fallback
  return (
    <Select
      label={label}
      name="state"
      value={known}
      onChange={state => go({ state: state === fallback ? undefined : state })}
      options={options}
      className="w-full sm:w-48"
    />
  )
}

/** Of which unit; what is typed finds it. */
export function UnitFilter() {
  const { words } = useWords()
  const { look, go } = useLook()
  const { options, loading } = useUnitOptions()
  return (
    <Combobox<string>
      label={words('administration.unit')}
      name="unit"
      options={options}
      loading={loading}
      clearable
      value={look.unit ?? null}
      onChange={unit => go({ unit: unit ?? undefined })}
      placeholder={words('administration.all_units')}
      className="w-full sm:w-60"
    />
  )
}

/** Units to choose from: the first hundred by name. */
export function useUnitOptions() {
  const { data } = useList(listUnits, { perPage: 100 })
  const options = (data?.units ?? []).map(({ uuid, brandName, key }) => ({ value: uuid, label: brandName, detail: key }))
  return { options, loading: data === undefined }
}

/** A day is looked for as soon as it is whole; what is none is told, and nothing is looked for. */
export function DayFilter({ name, label }: { name: 'from' | 'to'; label: string }) {
  const { words } = useWords()
  const { look, go } = useLook()
  const day = look[name]
  const [text, setText] = useState(shown(day))
  const [told, setTold] = useState(day)
  if (day !== told) {
    setTold(day)
    setText(shown(day))
  }
  function change(typed: string) {
    setText(typed)
    const found = readDate(typed)
    setTold(found)
    if (found !== day) go({ [name]: found })
  }
  const isWrong = text.length >= 10 && readDate(text) === undefined
  return (
    <DateField
      name={name}
      label={label}
      value={text}
      onChange={change}
      error={isWrong ? words('administration.fault.date') : undefined}
      className="w-[calc(50%-0.375rem)] sm:w-40"
    />
  )
}

const shown = (day: Look['from']): string => (day ? (displayDate(day) ?? '') : '')
