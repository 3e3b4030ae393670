import type { ComponentProps } from 'react'
import { localeOfCountry } from '#common/kit/validators/contacts.ts'
import { countryOf } from '#common/kit/validators/rule.ts'
import { needsDocument } from '#common/policies/people.ts'
import { BoundSelect, BoundText, ungrouped } from '#portal/kit/form/bound.tsx'
import { Bound } from '#portal/kit/form/rules-form.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { peopleSettings } from '../guard.ts'
import type { PersonNames } from '../people-form.ts'

type Props = {
  names: PersonNames
  suggestions: Partial<ComponentProps<typeof BoundText>>
  /** The policyholder's country of residence, whose name for the document all travellers have. */
  residence: number
}

/** The kind and number of a person's document, which is optional under 14. */
export function DocumentFields({ names, suggestions, residence }: Props) {
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
