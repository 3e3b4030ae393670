import { displayDate } from '#common/kit/dates.ts'
import type { RulesForm } from '#portal/kit/form/use-rules-form.ts'
import type { PeopleForm, PersonNames, PlaceNames } from '../people-form.ts'
import type { Known } from './known-people.ts'

type Filling = Partial<Record<string, string>>

/** The person who was chosen, in the fields of these names. What is not known of him leaves the field as it is. */
export function fillPerson(form: RulesForm<PeopleForm>, names: PersonNames, person: Known): void {
  put(form, {
    [names.name]: person.name,
    [names.middleName]: person.middleName,
    [names.lastName]: person.lastName,
    [names.birthDate]: displayDate(person.birthDate) ?? '',
    [names.documentNumber]: person.docNumber,
  })
}

/** How the policyholder is reached, where nothing of it was typed yet: a new telephone number is not put back by an old one. */
export function fillReach(form: RulesForm<PeopleForm>, place: PlaceNames, person: Known): void {
  const { email, phonePrefix, phoneNumber } = person
  putWhereEmpty(form, { email })
  putWhereEmpty(form, { phonePrefix, phoneNumber })
  putWhereEmpty(form, {
    [place.province]: person.state,
    [place.city]: person.city,
    [place.address]: person.address,
    [place.zipCode]: person.zipCode,
  })
}

function putWhereEmpty(form: RulesForm<PeopleForm>, values: Filling): void {
  if (Object.keys(values).every(name => form.getValues(name as 'name') === '')) put(form, values)
}

export function put(form: RulesForm<PeopleForm>, values: Filling): void {
  const known = Object.entries(values).filter(([, value]) => value)
  for (const [name, value] of known) form.setValue(name as 'name', value ?? '', { shouldDirty: true, shouldTouch: true })
  void form.trigger(known.map(([name]) => name as 'name'))
}
