import type { RulesForm } from '#portal/kit/form/use-rules-form.ts'
import { useWords } from '#portal/kit/words.tsx'
import type { PeopleForm, PersonNames, PlaceNames } from '../people-form.ts'
import { fillPerson, fillReach } from './fill.ts'
import { byDocument, byName, useKnown } from './use-known.tsx'

/** What the fields of a person need to offer whom the unit knows; with a place he is the policyholder, and it is filled in, too. */
export function useKnownPerson(form: RulesForm<PeopleForm>, names: PersonNames, place?: PlaceNames) {
  const { words } = useWords()
  const { field, list } = useKnown(place ? 'policyholder' : 'traveller', words('funnel.full_name'), person => {
    fillPerson(form, names, person)
    if (place) fillReach(form, place, person)
  })
  const typed = (name: string) => form.getValues(name as 'name')
  return {
    list,
    name: field(names.name, text => byName(text, typed(names.middleName))),
    middleName: field(names.middleName, text => byName(typed(names.name), text)),
    documentNumber: field(names.documentNumber, byDocument),
  }
}
