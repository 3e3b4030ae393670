import type { ComponentProps } from 'react'
import { ageOn, readDate } from '#common/kit/dates.ts'
import { readAges } from '#common/kit/typed/travellers.ts'
import { localeOfCountry } from '#common/kit/validators/contacts.ts'
import { countryOf } from '#common/kit/validators/rule.ts'
import { needsDocument, usesSecondLastName } from '#common/policies/people.ts'
import { useUnit } from '#portal/business-unit/settings.ts'
import { todayInUnit } from '#portal/business-unit/today.ts'
import { DateField } from '#portal/kit/field/date-field.tsx'
import { BoundSelect, BoundText, ungrouped } from '#portal/kit/form/bound.tsx'
import { Bound } from '#portal/kit/form/rules-form.tsx'
import type { RulesForm } from '#portal/kit/form/use-rules-form.ts'
import { Icon } from '#portal/kit/ui/icon.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { peopleSettings } from '../guard.ts'
import { useKnownAs } from '../known/known-as.ts'
import { usePersonSuggestions } from '../known/use-suggestions.tsx'
import type { AddressNames, PeopleForm, PersonNames } from '../people-form.ts'
import { useFunnel } from '../store.ts'
import { useOfferedSurnames } from './offered-surnames.ts'

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

type BirthDateProps = {
  names: PersonNames
  /** The traveller's index, from 0; undefined for a policyholder who does not travel. */
  traveller: number | undefined
}

/** A birth date, with a note if the age differs from the one in step 1, which priced the trip. */
function BirthDate({ names, traveller }: BirthDateProps) {
  const { words } = useWords()
  const { earliestBirthDate } = useUnit().configuration
  const startDate = useFunnel(({ trip }) => readDate(trip?.startDate))
  const given = useFunnel(({ trip }) => (traveller === undefined ? undefined : readAges(trip?.ages ?? '')?.[traveller]))
  const label = words('funnel.birthDate')
  function differenceFrom(birthDate: string): string | undefined {
    const born = readDate(birthDate)
    const age = startDate && born ? ageOn(born, startDate) : undefined
    return age === undefined || typeof given !== 'number' || age === given ? undefined : words('funnel.age_differs', { age, given })
  }
  return (
    <Bound<string> empty="" name={names.birthDate} label={label} also={[names.documentNumber]}>
      {bound => (
        <DateField
          {...bound}
          label={label}
          required
          kind="birth"
          today={todayInUnit()}
          min={earliestBirthDate}
          hint={differenceFrom(bound.value)}
        />
      )}
    </Bound>
  )
}

type DocumentProps = {
  names: PersonNames
  suggestions: Partial<ComponentProps<typeof BoundText>>
  /** The policyholder's country of residence, whose name for the document all travellers have. */
  residence: number
}

/** The kind and number of a person's document, which is optional under 14. */
function DocumentFields({ names, suggestions, residence }: DocumentProps) {
  const { words } = useWords()
  const { startDate, today } = peopleSettings()
  const home = localeOfCountry(residence)
  const named = { country: home ? countryOf(home) : '' }
  return (
    <>
      <BoundSelect
        label={words('funnel.sheet.document')}
        name={names.documentKind}
        also={[names.documentNumber]}
        options={[
          { value: 'national', label: words('funnel.documentKind.national_in', named) },
          { value: 'passport', label: words('funnel.documentKind.passport') },
        ]}
      />
      <Bound<string> name={names.birthDate}>
        {({ value: birthDate }) => {
          const isNeeded = needsDocument(birthDate, startDate ?? today)
          return (
            <BoundText
              label={words('funnel.documentNumber_in', named)}
              name={names.documentNumber}
              required={isNeeded}
              optional={!isNeeded}
              autoComplete="off"
              spellCheck={false}
              tidy={ungrouped}
              {...suggestions}
            />
          )
        }}
      </Bound>
    </>
  )
}
