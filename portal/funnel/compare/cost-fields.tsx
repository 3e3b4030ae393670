import { useState } from 'react'
import type { Standing } from '#common/quotes/comparison.ts'
import { useUnit } from '#portal/business-unit/settings.ts'
import { todayInUnit } from '#portal/business-unit/today.ts'
import { DateField } from '#portal/kit/field/date-field.tsx'
import { MoneyField } from '#portal/kit/field/number-field.tsx'
import { completeFocused } from '#portal/kit/form/complete-focused.ts'
import { problemIn, useWords } from '#portal/kit/words.tsx'
import { stepProblems, tripField } from '../trip-request.ts'
import type { Pricing } from './use-standings.ts'

type Props = Pick<Pricing, 'trip' | 'prices' | 'onChange'> & {
  standing: Standing | undefined
  /** True where other products have prices without these fields. */
  optional?: boolean
  onEnter?: () => void
}

/** The fields that only cancellation cover needs, in place of its price. They price all products with such cover. */
export function CostFields({ trip, prices, standing, optional, onChange, onEnter }: Props) {
  const { words } = useWords()
  const { currency } = useUnit().configuration
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const today = todayInUnit()
  const own = stepProblems(trip, { hasAmountCancellation: true })
  const refused = standing?.state === 'asks' && prices.areCurrent ? standing.problems : []
  const field = <Name extends 'priceTravel' | 'reservationDate'>(name: Name) => {
    const problem = own.find(({ path }) => path === name)
    const message = problem ? problemIn(words, problem) : refused.find(({ path }) => tripField(path) === name)?.message
    return {
      name,
      value: trip[name],
      required: !optional,
      optional,
      error: left.has(name) && trip[name] ? message : undefined,
      onBlur: () => setLeft(names => new Set(names).add(name)),
    }
  }
  return (
    <form
      noValidate
      className="contents"
      onSubmit={event => {
        event.preventDefault()
        // A comparison's window may be inside another form, which must not get the event.
        event.stopPropagation()
        completeFocused(event.currentTarget)
        onEnter?.()
      }}
    >
      <MoneyField
        label={words('funnel.priceTravel')}
        {...field('priceTravel')}
        // The form stores 0 if the trip has no price.
        value={trip.priceTravel || null}
        currency={currency}
        onChange={priceTravel => onChange({ priceTravel })}
      />
      <DateField
        label={words('funnel.reservationDate')}
        {...field('reservationDate')}
        kind="past"
        today={today}
        onChange={reservationDate => onChange({ reservationDate })}
      />
      {/* Without a button, Enter would not send a form of several fields. */}
      <button type="submit" hidden aria-label={words('funnel.reservationDate')} />
    </form>
  )
}
