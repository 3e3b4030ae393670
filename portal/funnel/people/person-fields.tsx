import { usesSecondLastName } from '#common/policies/types.ts'
import { useUnit } from '#portal/business-unit/settings.ts'
import { todayInUnit } from '#portal/business-unit/today.ts'
import { BoundDate, BoundText } from '#portal/kit/form/bound.tsx'
import type { RulesForm } from '#portal/kit/form/use-rules-form.ts'
import { useWords } from '#portal/kit/words.tsx'
import { usePersonSuggestions } from '../known/use-person-suggestions.ts'
import type { AddressNames, PeopleForm, PersonNames } from '../people-form.ts'
import { DocumentFields } from './document-fields.tsx'

type Props = {
  form: RulesForm<PeopleForm>
  names: PersonNames
  /** The names of the address fields, if the person is the policyholder. */
  address?: AddressNames
}

export function PersonFields({ form, names, address }: Props) {
  const { words } = useWords()
  const { configuration } = useUnit()
  const today = todayInUnit()
  const hasSecondLastName = usesSecondLastName(configuration.showSecondLastName)
  const suggestions = usePersonSuggestions(form, names, address)
  return (
    <div className={`grid gap-(--gap) sm:grid-cols-2 ${hasSecondLastName ? 'xl:grid-cols-3' : ''}`}>
      <BoundText label={words('funnel.name')} name={names.name} required autoComplete="off" {...suggestions.name} />
      <BoundText
        label={words(hasSecondLastName ? 'funnel.middleName' : 'funnel.surname')}
        name={names.middleName}
        required
        autoComplete="off"
        {...suggestions.middleName}
      />
      {hasSecondLastName && <BoundText label={words('funnel.lastName')} name={names.lastName} required autoComplete="off" />}
      <DocumentFields names={names} suggestions={suggestions.documentNumber} />
      <BoundDate
        label={words('funnel.birthDate')}
        name={names.birthDate}
        required
        also={[names.documentNumber]}
        today={today}
        min={configuration.earliestBirthDate}
        max={today}
      />
      {suggestions.list}
    </div>
  )
}
