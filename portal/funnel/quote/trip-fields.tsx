import { useState } from 'react'
import { readDate } from '#common/kit/dates.ts'
import { readAges, readOtherwise, readTravellers, writeTravellers } from '#common/kit/typed/travellers.ts'
import { endDates, startDates } from '#common/kit/validators/periods.ts'
import { loosest } from '#common/quotes/trip.ts'
import { useCountries } from '#portal/business-unit/countries.ts'
import { todayInUnit } from '#portal/business-unit/today.ts'
import { Combobox } from '#portal/kit/combobox/combobox.tsx'
import { DateField } from '#portal/kit/field/date-field.tsx'
import { TextField } from '#portal/kit/field/text-field.tsx'
import { shortcut } from '#portal/kit/shortcuts/shortcuts.ts'
import { Icon } from '#portal/kit/ui/icon.tsx'
import { useWords } from '#portal/kit/words.tsx'
import type { Product } from '#portal/products/store.ts'
import { agesShown } from '../sale.ts'
import type { TripForm } from '../store.ts'
import './trip-fields.css'
import type { Line } from './use-line.ts'

/** The trip in one line. On a phone it collapses to a small card. */
export function TripLine({ line, products }: { line: Line; products: readonly Product[] }) {
  const { words } = useWords()
  const countries = useCountries()
  const today = todayInUnit()
  const settings = loosest(products.map(({ settings }) => settings))
  const [startBounds, endBounds] = [startDates(today, settings), endDates(today, settings)]
  const field = <Name extends keyof TripForm>(name: Name) => ({
    name,
    value: line.trip[name],
    required: true,
    error: line.errorOf(name),
    onChange: (value: TripForm[Name]) => line.put({ [name]: value }),
    onBlur: () => line.onLeave(name),
  })
  return (
    <form noValidate data-line onSubmit={line.onSubmit}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the places are loaded before the focus reaches the countries */}
      <div role="group" aria-label={words('line.line')} onFocus={countries.onFocus} className="trip-line">
        <DateField
          {...field('startDate')}
          {...shortcut('sale')}
          label={words('line.start')}
          kind="trip"
          today={today}
          min={startBounds.from}
          max={startBounds.to}
        />
        <DateField
          {...field('endDate')}
          label={words('line.end')}
          kind="trip"
          today={today}
          from={() => readDate(line.now().startDate)}
          min={readDate(line.trip.startDate) ?? startBounds.from}
          max={endBounds.to}
        />
        <Combobox {...field('coverageScope')} {...countries} label={words('line.from')} clearable={false} />
        <Combobox {...field('mainDestination')} {...countries} multiple label={words('line.to')} />
        <TravellersField line={line} />
      </div>
      {/* Without a button, Enter would not send a form of several fields. */}
      <button type="submit" hidden aria-label={words('line.intro')} />
    </form>
  )
}

/** The travellers, by their ages or their number. The text stays as typed until the field is left. */
function TravellersField({ line }: { line: Line }) {
  const { words } = useWords()
  const [typed, setTyped] = useState<string>()
  const { trip } = line
  const travelers = typeof trip.travelers === 'number' ? trip.travelers : null
  const text = typed ?? writeTravellers({ travelers, ages: agesShown(trip) })
  return (
    <TextField
      name="ages"
      label={words('line.travellers')}
      inputMode="decimal"
      autoComplete="off"
      placeholder="34, 36, 8"
      error={line.errorOf('ages')}
      value={text}
      onChange={({ target }) => {
        setTyped(target.value)
        line.put(readTravellers(target.value))
      }}
      onBlur={() => {
        setTyped(undefined)
        line.onLeave('ages', typed !== undefined)
      }}
      after={
        <AsRead
          text={text}
          travelers={travelers}
          onOther={other => {
            setTyped(undefined)
            line.put(readTravellers(other))
          }}
        />
      }
    />
  )
}

type AsReadProps = { text: string; travelers: number | null; onOther: (text: string) => void }

/** Shows how the text was read. A lone number may be an age or a count: a click switches. */
function AsRead({ text, travelers, onOther }: AsReadProps) {
  const { words } = useWords()
  if (!travelers) return null
  const other = readOtherwise(text)
  const [age, ...others] = readAges(text) ?? []
  const isLone = typeof age === 'number' && others.length === 0
  const read = isLone ? words('line.lone_age', { age }) : words('line.count', { count: travelers })
  if (other === undefined) return <span className="pr-3 text-sm whitespace-nowrap text-quiet">{read}</span>
  const otherwise = isLone ? words('line.count', { count: age }) : words('line.lone_age', { age: travelers })
  const label = words('line.read_otherwise', { read, otherwise, other })
  return (
    <button
      type="button"
      // Keyboard users type or delete the sign instead.
      tabIndex={-1}
      aria-label={label}
      title={label}
      onMouseDown={event => event.preventDefault()}
      onClick={() => onOther(other)}
      className="flex min-h-7 items-center gap-1.5 rounded-md px-2 text-sm whitespace-nowrap text-quiet hover:text-ink pointer-coarse:min-h-11"
    >
      {read}
      <Icon name="repeat" className="size-3.5" />
    </button>
  )
}
