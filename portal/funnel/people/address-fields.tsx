import { useEffect, useState } from 'react'
import { useFormState } from 'react-hook-form'
import { listedForms } from '#common/geography/postal-codes.ts'
import { localeOfCountry } from '#common/kit/validators/contacts.ts'
import { fieldProblems } from '#common/kit/validators/all.ts'
import { citiesOfCode, type City, type State, useCities, useStates } from '#portal/geography/places.ts'
import { BoundCombobox, BoundText } from '#portal/kit/form/bound.tsx'
import type { RulesForm } from '#portal/kit/form/use-rules-form.ts'
import { Button } from '#portal/kit/ui/button.tsx'
import { useWords } from '#portal/kit/words.tsx'
import type { AddressNames, PeopleForm } from '../people-form.ts'
import { confirmedCode, doubtRule } from './doubtful-code.ts'

type Props = { form: RulesForm<PeopleForm>; names: AddressNames; country: number }

/**
 * Province, city and postal code (spec 4). Another province clears the city. A city fills its postal code, or offers several. A code that is typed first
 * fills province and city. Without a list, the user types.
 */
export function AddressFields({ form, names, country }: Props) {
  const { words } = useWords()
  const { places: states, loading: statesLoading } = useStates(country)
  const [province, city, zipCode] = form.watch([names.province, names.city, names.zipCode])
  const state = states.find(({ name }) => name === province)
  const { places: cities, loading: citiesLoading } = useCities(state?.id)
  // The fields are lists while the lists load: a field that changed its kind would lose focus.
  const provinceListed = statesLoading || states.length > 0
  const cityLoading = citiesLoading || (statesLoading && province !== '')
  const cityListed = cityLoading || cities.length > 0 || (provinceListed && !state)
  const codes = cities.find(({ name }) => name === city)?.zipCodes ?? []
  // A subscription of its own: read from the form, the errors would draw the whole step again.
  const { errors } = useFormState({ control: form.control, name: names.zipCode })
  const isDoubtful = errors[names.zipCode]?.type === doubtRule
  const { trigger, getValues } = form
  // A code can be compared with its province once the cities are loaded.
  useEffect(() => {
    if (cities.length > 0 && getValues(names.zipCode) !== '') void trigger(names.zipCode)
  }, [cities, names, getValues, trigger])

  const set = (name: keyof AddressNames, value: string) => form.setValue(names[name], value, { shouldDirty: true, shouldValidate: true })
  function fillZipCode(name: string | null) {
    const chosen = cities.find(city => city.name === name)
    const fits = chosen?.zipCodes.some(code => listedForms(zipCode, country).includes(code))
    if (chosen?.zipCode && !fits) set('zipCode', chosen.zipCode)
  }
  /** Fills what is empty if the code leaves no choice. */
  function fillPlace(found: readonly { name: string; state: string }[]) {
    const [provinces, names] = [distinct(found.map(({ state }) => state)), distinct(found.map(({ name }) => name))]
    if (getValues(nameOf('province')) === '' && provinces.length === 1) set('province', provinces[0] ?? '')
    if (getValues(nameOf('city')) === '' && names.length === 1) set('city', names[0] ?? '')
  }
  const nameOf = (part: keyof AddressNames) => names[part]
  async function onCode(code: string) {
    const [typedProvince, typedCity] = getValues([names.province, names.city])
    if (typedCity !== '' || !isWhole(code, country)) return
    const found = await citiesOfCode(country, code)
    const [provinceNow, codeNow] = getValues([names.province, names.zipCode])
    if (codeNow === code && provinceNow === typedProvince) fillPlace(found.filter(({ state }) => ['', state].includes(typedProvince)))
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
          options={options(ofCodeFirst(cities, listedForms(zipCode, country)))}
          loading={cityLoading}
          disabled={cities.length === 0 && !cityLoading}
          onChanged={fillZipCode}
        />
      ) : (
        <BoundText {...cityProps} hint={undefined} autoComplete="off" />
      )}
      <BoundText label={words('funnel.address')} name={names.address} required autoComplete="off" />
      <div className="grid content-start justify-items-stretch gap-1.5">
        <ZipCodeField
          name={names.zipCode}
          codes={codes}
          value={zipCode}
          country={country}
          onCode={code => void onCode(code)}
          onClear={() => set('zipCode', '')}
        />
        {isDoubtful && (
          <Button
            look="quiet"
            icon="check"
            className="justify-self-start"
            onClick={() => {
              form.setValue('confirmedZipCode', confirmedCode(province, zipCode))
              void trigger(names.zipCode)
              form.setFocus(names.zipCode)
            }}
          >
            {words('funnel.zipCode_confirm')}
          </Button>
        )}
      </div>
    </div>
  )
}

/** A code of a country whose format is not known may be whole from three characters on. */
function isWhole(code: string, country: number): boolean {
  const locale = localeOfCountry(country)
  return locale ? fieldProblems('', code, ['required', 'validCodPostal'], { locale, today: '' }).length === 0 : code.trim().length >= 3
}

type ZipCodeProps = {
  name: AddressNames['zipCode']
  codes: readonly string[]
  value: string
  country: number
  onCode: (code: string) => void
  onClear: () => void
}

/** A postal code. A city with several codes offers them, but any other can be typed. */
function ZipCodeField({ name, codes, value, country, onCode, onClear }: ZipCodeProps) {
  const { words } = useWords()
  const [typed, setTyped] = useState('')
  const locale = localeOfCountry(country)
  const props = { label: words('funnel.zipCode'), name, required: locale !== undefined, autoComplete: 'off' }
  if (codes.length <= 1)
    return <BoundText {...props} inputMode={locale === 'en-EN' || locale === 'pt-PT' || !locale ? 'text' : 'numeric'} onChanged={onCode} />
  const shown = distinct([typed.trim(), ...codes.filter(code => code.startsWith(typed.trim())), value].filter(Boolean))
  return (
    <BoundCombobox
      {...props}
      options={shown.map(code => ({ value: code, label: code }))}
      onQuery={setTyped}
      onChanged={code => {
        setTyped('')
        if (code === null) onClear()
      }}
      hint={words('funnel.zipCode_several', { count: codes.length })}
    />
  )
}

/** Puts the cities first that have the code. */
const ofCodeFirst = (cities: readonly City[], forms: readonly string[]): City[] =>
  cities.toSorted((one, other) => Number(hasCode(other, forms)) - Number(hasCode(one, forms)))

const hasCode = ({ zipCodes }: City, forms: readonly string[]): boolean => zipCodes.some(code => forms.includes(code))

const distinct = <Value,>(values: readonly Value[]): Value[] => [...new Set(values)]

/** Returns the names as options, each once. Postal codes distinguish towns of one name in a province. */
const options = (places: readonly Pick<State, 'name'>[]) =>
  distinct(places.map(({ name }) => name)).map(name => ({ value: name, label: name }))
