import { usesSecondLastName } from '#common/policies/types.ts'
import { useUnit } from '#portal/business-unit/settings.ts'
import { todayInUnit } from '#portal/business-unit/today.ts'
import { BoundDate, BoundText, ungrouped } from '#portal/kit/form/bound.tsx'
import type { RulesForm } from '#portal/kit/form/use-rules-form.ts'
import { useWords } from '#portal/kit/words.tsx'
import { useKnownPerson } from '../known/use-known-person.ts'
import type { PeopleForm, PersonNames, PlaceNames } from '../people-form.ts'

type Props = {
  form: RulesForm<PeopleForm>
  names: PersonNames
  /** Where he who takes out the policy lives, by the form's names. */
  place?: PlaceNames
}

export function PersonFields({ form, names, place }: Props) {
  const { words } = useWords()
  const { configuration } = useUnit()
  const today = todayInUnit()
  const second = usesSecondLastName(configuration.showSecondLastName)
  const known = useKnownPerson(form, names, place)
  return (
    <div className={`grid gap-(--gap) sm:grid-cols-2 ${second ? 'xl:grid-cols-3' : ''}`}>
      <BoundText label={words('funnel.name')} name={names.name} required autoComplete="off" {...known.name} />
      <BoundText
        label={words(second ? 'funnel.middleName' : 'funnel.surname')}
        name={names.middleName}
        required
        autoComplete="off"
        {...known.middleName}
      />
      {second && <BoundText label={words('funnel.lastName')} name={names.lastName} required autoComplete="off" />}
      <BoundText
        label={words('funnel.documentNumber')}
        name={names.documentNumber}
        required
        autoComplete="off"
        spellCheck={false}
        tidy={ungrouped}
        {...known.documentNumber}
      />
      <BoundDate label={words('funnel.birthDate')} name={names.birthDate} required today={today} min="1945-01-01" max={today} />
      {known.list}
    </div>
  )
}
