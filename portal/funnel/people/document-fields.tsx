import type { ComponentProps } from 'react'
import { needsDocument } from '#common/policies/people.ts'
import { Checkbox } from '#portal/kit/field/choices.tsx'
import { BoundText, ungrouped } from '#portal/kit/form/bound.tsx'
import { Bound } from '#portal/kit/form/rules-form.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { peopleSettings } from '../guard.ts'
import type { PersonNames } from '../people-form.ts'

type Props = { names: PersonNames; suggestions: Partial<ComponentProps<typeof BoundText>> }

/** The number of a person's national document or passport, which under-14s may leave out. */
export function DocumentFields({ names, suggestions }: Props) {
  const { words } = useWords()
  const { startDate, today } = peopleSettings()
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-1">
      <Bound<string> name={names.birthDate}>
        {({ value: birthDate }) => (
          <BoundText
            label={words('funnel.documentNumber')}
            name={names.documentNumber}
            required={needsDocument(birthDate, startDate ?? today)}
            autoComplete="off"
            spellCheck={false}
            tidy={ungrouped}
            {...suggestions}
          />
        )}
      </Bound>
      <Bound<string> chosen empty="national" name={names.documentKind} also={[names.documentNumber]}>
        {({ value, onChange, name, onBlur, ref }) => (
          <Checkbox
            name={name}
            ref={ref}
            onBlur={onBlur}
            label={words('funnel.documentKind.passport')}
            checked={value === 'passport'}
            onChange={isPassport => onChange(isPassport ? 'passport' : 'national')}
          />
        )}
      </Bound>
    </div>
  )
}
