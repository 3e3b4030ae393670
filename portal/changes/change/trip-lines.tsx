import { fromCents } from '#common/kit/money.ts'
import { useCountries } from '#portal/business-unit/countries.ts'
import { useCountryName } from '#portal/business-unit/settings.ts'
import { todayInUnit } from '#portal/business-unit/today.ts'
import { Combobox } from '#portal/kit/combobox/combobox.tsx'
import { DateField } from '#portal/kit/field/date-field.tsx'
import { MoneyField } from '#portal/kit/field/number-field.tsx'
import { useFormat } from '#portal/kit/format.ts'
import { useWords } from '#portal/kit/words.tsx'
import { fieldLabels } from '../labels.ts'
import { moveDate } from '../draft/draft.ts'
import type { LinesProps } from '../draft/groups.ts'
import { Line } from '../draft/line.tsx'

/** The dates. `+3` moves a date by three days from its present value. */
export function DateLines({ policy, draft, set, problems }: LinesProps) {
  const { words } = useWords()
  const { date } = useFormat()
  const today = todayInUnit()
  return (
    <>
      {(['startDate', 'endDate'] as const).map(name => (
        <Line key={name} name={words(fieldLabels[name])} was={date(policy.trip[name])} below={problems.below(name)}>
          <DateField
            label={words(fieldLabels[name])}
            hideLabel
            name={name}
            kind="trip"
            today={today}
            from={() => policy.trip[name]}
            value={draft[name] ?? policy.trip[name]}
            error={problems.at(name)}
            onChange={text => set(before => moveDate(policy, before, name, text))}
          />
        </Line>
      ))}
    </>
  )
}

export function PlaceLines({ policy, draft, set, problems }: LinesProps) {
  const { words } = useWords()
  const { list } = useFormat()
  const countries = useCountries()
  const countryName = useCountryName()
  const label = words('changes.destinations')
  return (
    <Line name={label} was={list(policy.trip.destinations.map(countryName))} below={problems.below('countriesDestinationId')}>
      <Combobox
        multiple
        label={label}
        hideLabel
        name="countriesDestinationId"
        {...countries}
        value={draft.destinations ?? policy.trip.destinations}
        error={problems.at('countriesDestinationId')}
        onChange={destinations => set(before => ({ ...before, destinations }))}
      />
    </Line>
  )
}

/** The amount that the cancellation cover insures, and the day of the booking. */
export function AmountLines({ policy, currency, draft, set, problems }: LinesProps) {
  const { words } = useWords()
  const { cents, date } = useFormat()
  const { amountCents, reservationDate } = policy.trip
  return (
    <>
      <Line
        name={words('changes.insurancedAmount')}
        was={amountCents === undefined ? '' : cents(amountCents, currency)}
        below={problems.below('insurancedAmount')}
      >
        <MoneyField
          label={words('changes.insurancedAmount')}
          hideLabel
          name="insurancedAmount"
          currency={currency}
          value={draft.amount === undefined ? (amountCents === undefined ? null : fromCents(amountCents)) : draft.amount}
          error={problems.at('insurancedAmount')}
          onChange={amount => set(before => ({ ...before, amount }))}
        />
      </Line>
      <Line
        name={words('changes.reservationDate')}
        was={reservationDate && date(reservationDate)}
        below={problems.below('reservationDate')}
      >
        <DateField
          label={words('changes.reservationDate')}
          hideLabel
          name="reservationDate"
          kind="past"
          today={todayInUnit()}
          value={draft.reservationDate ?? reservationDate ?? ''}
          error={problems.at('reservationDate')}
          onChange={text => set(before => ({ ...before, reservationDate: text }))}
        />
      </Line>
    </>
  )
}
