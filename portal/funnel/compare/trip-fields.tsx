import { useState } from 'react'
import { displayDate, readDate } from '#common/kit/dates.ts'
import { endDates, startDates } from '#common/kit/validators/periods.ts'
import { isPresent } from '#common/kit/validators/presence.ts'
import { loosest } from '#common/quotes/trip.ts'
import { useCountries } from '#portal/business-unit/countries.ts'
import { todayInUnit } from '#portal/business-unit/today.ts'
import { Combobox } from '#portal/kit/combobox/combobox.tsx'
import { DateField } from '#portal/kit/field/date-field.tsx'
import { NumberField } from '#portal/kit/field/number-field.tsx'
import { useFormat } from '#portal/kit/format.ts'
import { problemIn, useWords } from '#portal/kit/words.tsx'
import { Disclosure } from '#portal/kit/page/disclosure.tsx'
import type { Product } from '#portal/products/store.ts'
import type { TripForm } from '../store.ts'
import type { Prices } from './use-standings.ts'

type Props = { trip: TripForm; products: readonly Product[]; prices: Prices; onChange: (change: Partial<TripForm>) => void }

/** The trip of the comparison in one line, and its fields, which are open if the trip was incomplete. */
export function TripFields({ trip, products, prices: { problems, isComplete }, onChange }: Props) {
  const { words } = useWords()
  const { list } = useFormat()
  const [isOpenAtFirst] = useState(!isComplete)
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const today = todayInUnit()
  const settings = loosest(products.map(({ settings }) => settings))
  const startBounds = startDates(today, settings)
  const countries = useCountries()
  const nameOf = (id: number | null) => countries.options.find(({ value }) => value === id)?.label ?? ''
  /** An empty field shows no error. An invalid one does, after the user has left it. */
  const errorOf = (name: keyof TripForm) => {
    const problem = problems.find(({ path }) => path === name)
    return problem && left.has(name) && isPresent(trip[name]) ? problemIn(words, problem) : undefined
  }
  const field = <Name extends keyof typeof labels>(name: Name) => ({
    label: words(labelOf(name)),
    name,
    value: trip[name],
    required: true,
    error: errorOf(name),
    onChange: (value: TripForm[Name]) => onChange({ [name]: value }),
    onBlur: () => setLeft(names => new Set(names).add(name)),
  })
  return (
    <Disclosure
      startsOpen={isOpenAtFirst}
      className="rounded-lg border border-line px-3"
      summary={
        isComplete
          ? words('compare.trip', {
              from: displayDate(trip.startDate) ?? '',
              to: displayDate(trip.endDate) ?? '',
              origin: nameOf(trip.coverageScope),
              destinations: list(trip.mainDestination.map(nameOf)),
              count: Number(trip.travelers),
            })
          : words('compare.trip_missing')
      }
    >
      <div className="grid gap-(--gap) pb-3 sm:grid-cols-2 xl:grid-cols-3">
        <DateField {...field('startDate')} today={today} min={startBounds.from} max={startBounds.to} />
        <DateField
          {...field('endDate')}
          today={today}
          min={readDate(trip.startDate) ?? startBounds.from}
          max={endDates(today, settings).to}
        />
        <NumberField {...field('travelers')} min={1} />
        <Combobox {...field('coverageScope')} {...countries} />
        <Combobox {...field('mainDestination')} {...countries} multiple />
      </div>
    </Disclosure>
  )
}

const labels = {
  startDate: 'funnel.startDate',
  endDate: 'funnel.endDate',
  travelers: 'funnel.travelers',
  coverageScope: 'funnel.coverageScope',
  mainDestination: 'funnel.mainDestination',
} as const

const labelOf = (name: keyof typeof labels) => labels[name]
