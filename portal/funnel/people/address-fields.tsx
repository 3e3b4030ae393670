import { useEffect, useState } from 'react'
import { useFormState } from 'react-hook-form'
import { listedForms } from '#common/geography/postal-codes.ts'
import type { Problem } from '#common/kit/problems.ts'
import { localeOfCountry } from '#common/kit/validators/contacts.ts'
import { fieldProblems } from '#common/kit/validators/all.ts'
import { citiesOfCode, type City, isDoubtful, type State, useCities, useStates } from '#portal/geography/places.ts'
import { BoundCombobox, BoundText } from '#portal/kit/form/bound.tsx'
import type { RulesForm } from '#portal/kit/form/use-rules-form.ts'
import { Button } from '#portal/kit/ui/button.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { type AddressNames, businessAddress, ownAddress, type PeopleForm } from '../people-form.ts'

type Props = { form: RulesForm<PeopleForm>; names: AddressNames; country: number }

/**
 * Postal code, province, city and street (spec 4). The code comes first, as it fills province and city. Another province clears the city. A city
 * fills its postal code, or offers several. Without a list, the user types.
 */
export function AddressFields({ form, names, country }: Props) {
  const { words } = useWords()
  const { places: states, loading: statesLoading } = useStates(country)
  const [province, city, zipCode] = form.watch([names.province, names.city, names.zipCode])
  const state = states.find(({ name }) => name === province)
  const { places: cities, loading: citiesLoading } = useCities(state?.id)
  // The fields show lists while these load, as a field that changed its kind would lose focus.
  const provinceListed = statesLoading || states.length > 0
  // While the provinces load, the typed one is not known yet.
  const cityLoading = citiesLoading || statesLoading
  const cityListed = cityLoading || cities.length > 0 || (provinceListed && !state)
  const codes = cities.find(({ name }) => name === city)?.zipCodes ?? []
  // A subscription of its own, as reading errors from the form would render the whole step again.
  const { errors } = useFormState({ control: form.control, name: names.zipCode })
  const isDoubtful = errors[names.zipCode]?.type === doubtRule
  const { trigger, getValues } = form
  // The code that filled province and city, the filled values, and whether a city filled the code.
  const [found, setFound] = useState({ code: '', province: '', city: '' })
  const [isOneOfSeveral, setIsOneOfSeveral] = useState(false)
  const [codeSought, setCodeSought] = useState('')
  // A code can be compared with its province once the cities are loaded.
  useEffect(() => {
    if (cities.length > 0 && getValues(names.zipCode) !== '') void trigger(names.zipCode)
  }, [cities, names, getValues, trigger])

  const set = (name: keyof AddressNames, value: string) => form.setValue(names[name], value, { shouldDirty: true, shouldValidate: true })
  function fillZipCode(name: string | null) {
    const chosen = cities.find(city => city.name === name)
    const fits = chosen?.zipCodes.some(code => listedForms(zipCode, country).includes(code))
    if (chosen?.zipCode && !fits) set('zipCode', chosen.zipCode)
    setIsOneOfSeveral(chosen !== undefined && !fits && chosen.zipCodes.length > 1)
  }
  /** Returns the user's choice, or an empty text if a code filled it. A list that was cleared contains null. */
  function chosen(part: 'province' | 'city'): string {
    const value = getValues(names[part]) ?? ''
    return value === found[part] ? '' : value
  }
  /** Fills province and city if the code has only one. Clears the values that the previous code filled. */
  function fillPlace(code: string, places: readonly { name: string; state: string }[]) {
    const only = (values: string[]) => (distinct(values).length === 1 ? (values[0] ?? '') : '')
    const filled = {
      code,
      province: chosen('province') ? '' : only(places.map(({ state }) => state)),
      city: only(places.map(({ name }) => name)),
    }
    for (const part of ['province', 'city'] as const)
      if (!chosen(part)) form.setValue(names[part], filled[part], { shouldDirty: true, shouldValidate: filled[part] !== '' })
    setFound(filled)
  }
  async function onCode(code: string) {
    setIsOneOfSeveral(false)
    const province = chosen('province')
    if (chosen('city') || !isWhole(code, country)) return
    // If the format is unknown, completeness of the code is a guess.
    if (localeOfCountry(country)) setCodeSought(code)
    const listed = await citiesOfCode(country, code).finally(() => setCodeSought(sought => (sought === code ? '' : sought)))
    const places = listed.filter(({ state }) => !province || state === province)
    if (getValues(names.zipCode) === code && chosen('province') === province && places.length > 0) fillPlace(code, places)
  }
  // A place found by the code is marked as known, and can still be changed.
  const isKnown = (value: string) => zipCode !== '' && found.code === zipCode && value !== ''
  function lookOf(part: 'province' | 'city', value: string) {
    if (isKnown(value)) return found[part] === value ? known : chosenByHand
    return codeSought !== '' && codeSought === zipCode && ['', found[part]].includes(value) ? sought : {}
  }
  const provinceProps = {
    label: words('funnel.province'),
    name: names.province,
    required: true,
    ...lookOf('province', province),
  }
  const cityProps = {
    label: words('funnel.city'),
    name: names.city,
    required: true,
    ...lookOf('city', city),
  }
  return (
    <>
      <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-1.5">
        <ZipCodeField
          name={names.zipCode}
          // A code that found its city offers no others; the next typed code finds its own.
          codes={isKnown(city) && found.city === city ? noCodes : codes}
          value={zipCode}
          country={country}
          onCode={code => void onCode(code)}
          onClear={() => set('zipCode', '')}
          isOneOfSeveral={isOneOfSeveral}
        />
        {isDoubtful && (
          <Button
            look="quiet"
            icon="check"
            className="people-confirm justify-self-start"
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
      {provinceListed ? (
        <BoundCombobox
          {...provinceProps}
          options={options(states)}
          loading={statesLoading}
          onChanged={() => {
            form.setValue(names.city, '')
            // A code that was typed first may belong to this province.
            if (province) form.setValue(names.zipCode, '')
            else void onCode(zipCode)
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
          placeholder={province ? undefined : words('funnel.city_after_province')}
          onChanged={fillZipCode}
        />
      ) : (
        <BoundText {...cityProps} autoComplete="off" />
      )}
      <BoundText label={words('funnel.address')} name={names.address} required autoComplete="off" className="col-span-full xl:col-span-1" />
    </>
  )
}

const noCodes: readonly string[] = []

/** Tab skips a known place, so that no street is typed into it. Another code, or a click, makes it reachable again. */
const known = { className: 'people-known', tabIndex: -1 } as const
/** Tab also skips the place while its code is looked up, so that a fast typist gets to the street. */
const sought = { tabIndex: -1 } as const
/** If a code has several places, Tab still reaches the chosen one, to choose another. */
const chosenByHand = { className: 'people-known' } as const

/** True for a complete code. Where the format is unknown, three characters may be complete. */
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
  /** True if the city has other codes than the one it filled in. */
  isOneOfSeveral: boolean
}

/** A postal code. A city with several codes offers them, but any other can be typed. */
function ZipCodeField({ name, codes, value, country, onCode, onClear, isOneOfSeveral }: ZipCodeProps) {
  const { words } = useWords()
  const [typed, setTyped] = useState('')
  const [isListInUse, setIsListInUse] = useState<boolean>()
  // The code being typed may find its city, and a field that changed its kind would lose focus.
  const isList = isListInUse ?? codes.length > 1
  const locale = localeOfCountry(country)
  const props = {
    label: words('funnel.zipCode'),
    name,
    required: locale !== undefined,
    autoComplete: 'off',
    // The column is too narrow for the word beside the label.
    ...(locale ? {} : { optional: false, placeholder: words('ui.optional') }),
  }
  const shown = distinct([typed.trim(), ...codes.filter(code => code.startsWith(typed.trim())), value].filter(Boolean))
  return (
    <div onFocus={() => setIsListInUse(isList)} onBlur={() => setIsListInUse(undefined)}>
      {isList ? (
        <BoundCombobox
          {...props}
          options={shown.map(code => ({ value: code, label: code }))}
          onQuery={setTyped}
          onChanged={code => {
            setTyped('')
            if (code === null) onClear()
            else onCode(code)
          }}
          hint={isOneOfSeveral ? words('funnel.zipCode_several', { count: codes.length }) : undefined}
        />
      ) : (
        <BoundText {...props} inputMode={locale === 'en-EN' || locale === 'pt-PT' || !locale ? 'text' : 'numeric'} onChanged={onCode} />
      )}
    </div>
  )
}

/** Returns the cities with the code first. */
const ofCodeFirst = (cities: readonly City[], forms: readonly string[]): City[] =>
  cities.toSorted((one, other) => Number(hasCode(other, forms)) - Number(hasCode(one, forms)))

const hasCode = ({ zipCodes }: City, forms: readonly string[]): boolean => zipCodes.some(code => forms.includes(code))

const distinct = <Value,>(values: readonly Value[]): Value[] => [...new Set(values)]

/** Returns the names as options, each once. Postal codes distinguish towns of the same name in a province. */
const options = (places: readonly Pick<State, 'name'>[]) =>
  distinct(places.map(({ name }) => name)).map(name => ({ value: name, label: name }))

const doubtRule = 'doubtfulCode'

/** The doubt concerns a code in a province: another code or province needs another confirmation. */
const confirmedCode = (province: string, code: string): string => `${province} ${code}`

/** Questions a postal code that is unlikely for the province, until the agent confirms it. */
export function codeQuestions(form: PeopleForm, country: number): Problem[] {
  const names = form.policyHolderType === '3' ? businessAddress : ownAddress
  const [province, code] = [form[names.province], form[names.zipCode]]
  if (form.confirmedZipCode === confirmedCode(province, code) || !isDoubtful(country, province, code)) return []
  return [{ path: names.zipCode, rule: doubtRule, key: 'funnel.zipCode_question', params: { code, province } }]
}
