import { displayDate } from '#common/kit/dates.ts'
import type { RulesForm } from '#portal/kit/form/use-rules-form.ts'
import type { AddressNames, PeopleForm, PersonNames, TextName } from '../people-form.ts'
import type { KnownPerson } from './known-people.ts'

type Values = readonly (readonly [name: TextName, value: string])[]

/** Fills the fields of these names from a known person. Facts that are not known leave their fields unchanged. */
export function fillPerson(form: RulesForm<PeopleForm>, names: PersonNames, person: KnownPerson): void {
  fillFields(form, [
    [names.name, person.name],
    [names.middleName, person.middleName],
    [names.lastName, person.lastName],
    [names.birthDate, displayDate(person.birthDate) ?? ''],
    [names.documentNumber, person.docNumber],
    [names.documentKind, person.documentKind],
  ])
}

/** Fills the email, phone and address of the policyholder. Each stays as typed if any of its fields has text. */
export function fillContact(form: RulesForm<PeopleForm>, names: AddressNames, person: KnownPerson): void {
  fillIfEmpty(form, [['email', person.email]])
  fillIfEmpty(form, [
    ['phonePrefix', person.phonePrefix],
    ['phoneNumber', person.phoneNumber],
  ])
  const isAddressEmpty = fillIfEmpty(form, [
    [names.province, person.state],
    [names.city, person.city],
    [names.address, person.address],
    [names.zipCode, person.zipCode],
  ])
  if (isAddressEmpty) form.setValue('residenceCountryId', person.residenceCountryId, { shouldDirty: true, shouldValidate: true })
}

/** Returns true if the fields were empty. */
function fillIfEmpty(form: RulesForm<PeopleForm>, values: Values): boolean {
  const isEmpty = values.every(([name]) => form.getValues(name) === '')
  if (isEmpty) fillFields(form, values)
  return isEmpty
}

export function fillFields(form: RulesForm<PeopleForm>, values: Values): void {
  const known = values.filter(([, value]) => value)
  for (const [name, value] of known) form.setValue(name, value, { shouldDirty: true, shouldTouch: true })
  void form.trigger(known.map(([name]) => name))
}
