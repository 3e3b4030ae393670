import { type ComponentProps, useState } from 'react'
import { ageOn, readDate } from '#common/kit/dates.ts'
import { readAges } from '#common/kit/typed/travellers.ts'
import { localeOfCountry } from '#common/kit/validators/contacts.ts'
import { countryOf } from '#common/kit/validators/rule.ts'
import { familySurnames, type Surnames } from '#common/people/family-surnames.ts'
import { usesSecondLastName } from '#common/policies/people.ts'
import { useSettings } from '#portal/business-unit/settings.ts'
import type { BoundText } from '#portal/kit/form/bound.tsx'
import type { RulesForm } from '#portal/kit/form/use-rules-form.ts'
import { fillFields } from '../known/known-people.ts'
import { residenceOf } from '../guard.ts'
import { firstTraveller, type PeopleForm, type PersonNames, policyholderNames, type Row } from '../people-form.ts'
import { useFunnel } from '../store.ts'

type FieldProps = Pick<Partial<ComponentProps<typeof BoundText>>, 'onFocus' | 'onKeyDown' | 'onChanged'>

type Person = {
  form: RulesForm<PeopleForm>
  names: PersonNames
  /** The traveller's index, from 0; undefined for a policyholder who does not travel. */
  traveller: number | undefined
}

/**
 * Returns the props of a person's two surnames, which offer those of the family. The down arrow puts them into the empty fields. They are read on
 * focus, so that typing them renders no other row.
 */
export function useOfferedSurnames(person: Person, field: FieldProps) {
  const [offered, setOffered] = useState<Surnames>(noSurnames)
  const propsOf = (part: 0 | 1, own: FieldProps): FieldProps & { placeholder: string } => ({
    ...own,
    placeholder: ghostOf(offered[part]),
    onFocus(event) {
      setOffered(surnamesFor(person))
      own.onFocus?.(event)
    },
    onKeyDown(event) {
      if (event.key !== 'ArrowDown' || event.altKey || event.currentTarget.value !== '' || !offered[part]) return own.onKeyDown?.(event)
      event.preventDefault()
      takeSurnames(person)
    },
  })
  return { middleName: propsOf(0, field), lastName: propsOf(1, {}) }
}

/** Returns an offered surname with the key that takes it. */
export const ghostOf = (surname: string): string => surname && `${surname} ↓`

/** Fills in the offered surnames. What is already there is kept. */
export function takeSurnames({ form, names, traveller }: Person): void {
  const [first, second] = surnamesFor({ form, traveller })
  fillFields(form, [
    [names.middleName, form.getValues(names.middleName) || first],
    [names.lastName, form.getValues(names.lastName) || second],
  ])
}

/**
 * Returns the surnames to offer: none to the policyholder, and those of a policyholder who does not travel while the first traveller has none.
 * Country and ages decide about the others.
 */
export function surnamesFor(person: Pick<Person, 'form' | 'traveller'>): Surnames {
  const [first, second] = familyOf(person)
  return [first, usesSecondLastName(useSettings.getState().settings?.configuration.showSecondLastName) ? second : '']
}

function familyOf({ form, traveller }: Pick<Person, 'form' | 'traveller'>): Surnames {
  if (traveller === undefined) return noSurnames
  const values = form.getValues()
  const people = [firstTraveller(values), ...values.extraTravellers]
  if (values.policyHolderType === '2' && (traveller === 0 || people[0]?.middleName === ''))
    return [form.getValues(policyholderNames.middleName), form.getValues(policyholderNames.lastName)]
  const home = localeOfCountry(residenceOf(values))
  return familySurnames(withAges(people), traveller, home ? countryOf(home) : '')
}

/** Adds each traveller's age on the day of departure, by birth date or as given in step 1. */
function withAges(people: readonly Pick<Row, 'middleName' | 'lastName' | 'birthDate'>[]) {
  const { trip } = useFunnel.getState()
  const [start, given] = [readDate(trip?.startDate), readAges(trip?.ages ?? '')]
  return people.map(({ middleName, lastName, birthDate }, place) => {
    const born = readDate(birthDate)
    return { middleName, lastName, age: (start && born ? ageOn(born, start) : given?.[place]) ?? null }
  })
}

const noSurnames: Surnames = ['', '']
