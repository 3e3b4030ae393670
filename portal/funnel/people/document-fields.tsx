import type { ComponentProps } from 'react'
import { documentKinds } from '#common/policies/types.ts'
import { BoundSelect, BoundText, ungrouped } from '#portal/kit/form/bound.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { documentKindNames } from '../import/labels.ts'
import type { PersonNames } from '../people-form.ts'

type Props = {
  names: Pick<PersonNames, 'documentKind' | 'documentNumber'>
  suggestions: Partial<ComponentProps<typeof BoundText>>
  className?: string
}

/** A person's document: national or passport, and its number. */
export function DocumentFields({ names, suggestions, className = '' }: Props) {
  const { words } = useWords()
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
        required
        autoComplete="off"
        spellCheck={false}
        tidy={ungrouped}
        {...suggestions}
      />
    </div>
  )
}
