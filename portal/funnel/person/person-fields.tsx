import { usesSecondLastName } from '#common/policies/types.ts'
import { useUnit } from '#portal/business-unit/settings.ts'
import { BoundText } from '#portal/kit/form/bound.tsx'
import type { RulesForm } from '#portal/kit/form/use-rules-form.ts'
import { useWords } from '#portal/kit/words.tsx'
import { usePersonSuggestions } from '../known/use-person-suggestions.ts'
import type { AddressNames, PeopleForm, PersonNames } from '../people-form.ts'
import { useOfferedSurnames } from './offered-surnames.ts'
import { BirthDate } from './birth-date.tsx'
import { DocumentFields } from './document-fields.tsx'

type Props = {
  form: RulesForm<PeopleForm>
  names: PersonNames
  /** The names of the address fields, if the person is the policyholder. */
  address: AddressNames | undefined
  residence: number | undefined
  /** The traveller's place in the trip, from 0; undefined for a policyholder who does not travel. */
  traveller: number | undefined
}

/** A person as fields: a policyholder who does not travel, or a traveller on a phone. */
export function PersonFields({ form, names, address, residence, traveller }: Props) {
  const { words } = useWords()
  const { configuration } = useUnit()
  const hasSecondLastName = usesSecondLastName(configuration.showSecondLastName)
  const suggestions = usePersonSuggestions(form, names, address)
  const offeredSurnames = useOfferedSurnames(form, names, suggestions.middleName)
  return (
    <div className="people-person">
      <BoundText label={words('funnel.name')} name={names.name} required autoComplete="off" {...suggestions.name} />
      <BoundText
        label={words(hasSecondLastName ? 'funnel.middleName' : 'funnel.surname')}
        name={names.middleName}
        required
        autoComplete="off"
        {...offeredSurnames}
      />
      {hasSecondLastName && <BoundText label={words('funnel.lastName')} name={names.lastName} required autoComplete="off" />}
      <BirthDate names={names} traveller={traveller} />
      <DocumentFields names={names} suggestions={suggestions.documentNumber} residence={residence} />
      {suggestions.list}
    </div>
  )
}
