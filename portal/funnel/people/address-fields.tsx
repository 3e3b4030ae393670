import { useId } from 'react'
import { type State, useCities, useStates } from '#portal/geography/places.ts'
import { useUnit } from '#portal/business-unit/settings.ts'
import { BoundCombobox, BoundText } from '#portal/kit/form/bound.tsx'
import type { RulesForm } from '#portal/kit/form/use-rules-form.ts'
import { useWords } from '#portal/kit/words.tsx'
import type { AddressNames, PeopleForm } from '../people-form.ts'

/**
 * Province, city and postal code (spec 4). Another province clears the city. A city fills its postal code, or offers several. Without a list, the
 * user types.
 */
export function AddressFields({ form, names }: { form: RulesForm<PeopleForm>; names: AddressNames }) {
  const { words } = useWords()
  const id = useId()
  const { configuration } = useUnit()
  const { places: states, loading: statesLoading } = useStates(configuration.country)
  const [province, city] = form.watch([names.province, names.city])
  const state = states.find(({ name }) => name === province)
  const { places: cities, loading: citiesLoading } = useCities(state?.id)
  // The fields are lists while the lists load: a field that changed its kind would lose focus.
  const provinceListed = statesLoading || states.length > 0
  const cityLoading = citiesLoading || (statesLoading && province !== '')
  const cityListed = cityLoading || cities.length > 0 || (provinceListed && !state)
  const codes = cities.find(({ name }) => name === city)?.zipCodes ?? []

  function fillZipCode(name: string | null) {
    const chosen = cities.find(city => city.name === name)
    if (chosen?.zipCode) form.setValue(names.zipCode, chosen.zipCode, { shouldDirty: true, shouldValidate: true })
  }
  const provinceProps = { label: words('funnel.province'), name: names.province, required: true }
  const cityProps = { label: words('funnel.city'), name: names.city, required: true, hint: state ? undefined : words('funnel.city_hint') }
  return (
    <div className="grid gap-(--gap) sm:grid-cols-2">
      {provinceListed ? (
        <BoundCombobox
          {...provinceProps}
          options={options(states)}
          loading={statesLoading}
          onChanged={() => {
            form.setValue(names.city, '')
            form.setValue(names.zipCode, '')
          }}
        />
      ) : (
        <BoundText {...provinceProps} autoComplete="off" />
      )}
      {cityListed ? (
        <BoundCombobox
          {...cityProps}
          options={options(cities)}
          loading={cityLoading}
          disabled={cities.length === 0 && !cityLoading}
          onChanged={fillZipCode}
        />
      ) : (
        <BoundText {...cityProps} hint={undefined} autoComplete="off" />
      )}
      <BoundText label={words('funnel.address')} name={names.address} required autoComplete="off" />
      <BoundText
        label={words('funnel.zipCode')}
        name={names.zipCode}
        required
        inputMode="numeric"
        autoComplete="off"
        list={codes.length > 1 ? `${id}-codes` : undefined}
        hint={codes.length > 1 ? words('funnel.zipCode_several', { count: codes.length }) : undefined}
      />
      {codes.length > 1 && (
        <datalist id={`${id}-codes`}>
          {codes.map(code => (
            <option key={code} value={code}>
              {code}
            </option>
          ))}
        </datalist>
      )}
    </div>
  )
}

/** Returns the names as options, each once. Postal codes distinguish towns of one name in a province. */
const options = (places: readonly Pick<State, 'name'>[]) =>
  [...new Set(places.map(({ name }) => name))].map(name => ({ value: name, label: name }))
