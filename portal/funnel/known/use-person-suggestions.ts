import type { RulesForm } from '#portal/kit/form/use-rules-form.ts'
import { useWords } from '#portal/kit/words.tsx'
import type { AddressNames, PeopleForm, PersonNames } from '../people-form.ts'
import { fillContact, fillPerson } from './fill.ts'
import { documentSearch, nameSearch, useSuggestions } from './use-suggestions.tsx'

/** Returns props that suggest known people in a person's fields. With address fields the person is the policyholder, and these are filled, too. */
export function usePersonSuggestions(form: RulesForm<PeopleForm>, names: PersonNames, address?: AddressNames) {
  const { words } = useWords()
  const { field, list } = useSuggestions({
    role: address ? 'policyholder' : 'traveller',
    label: words('funnel.full_name'),
    // Several people may share a name, but not a number, and Enter must not replace a name beside it.
    takesOnly: ({ by }) => by === 'document' && form.getValues([names.name, names.middleName]).every(name => !name.trim()),
    onChoose(person) {
      fillPerson(form, names, person)
      if (address) fillContact(form, address, person)
    },
  })
  return {
    list,
    name: field(names.name, text => nameSearch(text, form.getValues(names.middleName))),
    middleName: field(names.middleName, text => nameSearch(form.getValues(names.name), text)),
    documentNumber: field(names.documentNumber, documentSearch),
  }
}
