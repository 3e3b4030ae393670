import { displayDate } from '#common/kit/dates.ts'
import { personFields, personFieldsWhere } from '#common/people/person.ts'
import type { RulesForm } from '#portal/kit/form/use-rules-form.ts'
import type { AddressNames, PeopleForm, PersonNames, TextName } from '../people-form.ts'
import type { KnownPerson } from './known-people.ts'

type Values = readonly (readonly [name: TextName, value: string])[]

/** Fills the fields of these names from a known person. Fields of unknown facts stay unchanged. */
export function fillPerson(form: RulesForm<PeopleForm>, names: PersonNames, person: KnownPerson): void {
  fillFields(
    form,
    personFieldsWhere('part', 'who').flatMap((field): Values => {
      const { form: own } = personFields[field]
      return 'traveller' in own ? [[names[own.traveller], displayDate(person[field]) ?? person[field] ?? '']] : []
    }),
  )
}

/** Fills the email, phone and address of the policyholder. Each stays unchanged if any of its fields has text. */
export function fillContact(form: RulesForm<PeopleForm>, names: AddressNames, person: KnownPerson): void {
  const reach = personFieldsWhere('part', 'reach')
  for (const line of new Set(reach.map(field => personFields[field].line))) {
    const fields = reach.filter(field => personFields[field].line === line)
    fillIfEmpty(
      form,
      fields.map(field => [personFields[field].form.holder, person[field]]),
    )
  }
  const isAddressEmpty = fillIfEmpty(
    form,
    personFieldsWhere('part', 'address').map(field => [names[personFields[field].form.holder], person[field]]),
  )
  if (!isAddressEmpty) return
  for (const field of personFieldsWhere('part', 'more'))
    form.setValue(personFields[field].form.holder, person[field], { shouldDirty: true, shouldValidate: true })
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
