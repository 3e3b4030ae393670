import type { ComponentProps } from 'react'
import { useWatch } from 'react-hook-form'
import { needsDocument } from '#common/policies/people.ts'
import { documentKinds } from '#common/policies/types.ts'
import { BoundSelect, BoundText, ungrouped } from '#portal/kit/form/bound.tsx'
import { useWords } from '#portal/kit/words.tsx'
import type { RulesForm } from '#portal/kit/form/use-rules-form.ts'
import { peopleSettings } from '../guard.ts'
import { documentKindNames } from '../import/labels.ts'
import type { PeopleForm, PersonNames } from '../people-form.ts'

type Props = {
  form: RulesForm<PeopleForm>
  names: PersonNames
  suggestions: Partial<ComponentProps<typeof BoundText>>
  className?: string
}

/** A person's document: national or passport, and its number, which under-14s may leave out. */
export function DocumentFields({ form, names, suggestions, className = '' }: Props) {
  const { words } = useWords()
  const birthDate = useWatch({ control: form.control, name: names.birthDate })
  const { startDate, today } = peopleSettings()
  const isRequired = needsDocument(birthDate, startDate ?? today)
  return (
    <div className={`grid grid-cols-[minmax(0,2fr)_minmax(0,3fr)] gap-2 ${className}`}>
      <BoundSelect
        label={words('funnel.documentKind')}
        name={names.documentKind}
        also={[names.documentNumber]}
        options={documentKinds.map(value => ({ value, label: words(documentKindNames[value]) }))}
      />
      <BoundText
        label={words('funnel.documentNumber')}
        name={names.documentNumber}
        required={isRequired}
        autoComplete="off"
        spellCheck={false}
        tidy={ungrouped}
        {...suggestions}
      />
    </div>
  )
}
