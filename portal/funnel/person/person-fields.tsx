import { usesSecondLastName } from '#common/policies/people.ts'
import { useUnit } from '#portal/business-unit/settings.ts'
import { BoundText } from '#portal/kit/form/bound.tsx'
import type { RulesForm } from '#portal/kit/form/use-rules-form.ts'
import { Icon } from '#portal/kit/ui/icon.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { useKnownAs } from '../known/known-as.ts'
import { usePersonSuggestions } from '../known/use-suggestions.tsx'
import type { AddressNames, PeopleForm, PersonNames } from '../people-form.ts'
import { useOfferedSurnames } from './offered-surnames.ts'
import { BirthDate } from './birth-date.tsx'
import { DocumentFields } from './document-fields.tsx'

type Props = {
  form: RulesForm<PeopleForm>
  names: PersonNames
  /** The names of the address fields, if the person is the policyholder. */
  address: AddressNames | undefined
  /** The policyholder's country of residence. */
  residence: number
  /** The traveller's index, from 0; undefined for a policyholder who does not travel. */
  traveller: number | undefined
}

/** A person's fields: of a policyholder who does not travel, or of a traveller on a phone. */
export function PersonFields({ form, names, address, residence, traveller }: Props) {
  const { words } = useWords()
  const { configuration } = useUnit()
  const hasSecondLastName = usesSecondLastName(configuration.showSecondLastName)
  const suggestions = usePersonSuggestions(form, names, address)
  const { knownAs, onLeave } = useKnownAs(form, names)
  const offeredSurnames = useOfferedSurnames({ form, names, traveller }, suggestions.middleName)
  return (
    <div className="people-person" onBlur={onLeave}>
      <BoundText label={words('funnel.name')} name={names.name} required autoComplete="off" {...suggestions.name} />
      <BoundText
        label={words(hasSecondLastName ? 'funnel.middleName' : 'funnel.surname')}
        name={names.middleName}
        required
        autoComplete="off"
        {...offeredSurnames.middleName}
      />
      {hasSecondLastName && (
        <BoundText
          label={words('funnel.lastName')}
          name={names.lastName}
          hint={words('funnel.lastName_none')}
          required
          autoComplete="off"
          {...offeredSurnames.lastName}
        />
      )}
      <BirthDate names={names} traveller={traveller} />
      <DocumentFields names={names} suggestions={suggestions.documentNumber} residence={residence} />
      {knownAs && (
        <p role="status" className="col-span-full flex items-center gap-1.5 text-sm text-quiet">
          <Icon name="info" className="size-3.5" /> {words('funnel.known.as', { name: knownAs })}
        </p>
      )}
      {suggestions.list}
    </div>
  )
}
