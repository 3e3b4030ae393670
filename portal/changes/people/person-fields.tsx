import { countryOf } from '#common/kit/validators/rule.ts'
import type { PersonFieldsWhere } from '#common/people/person.ts'
import { usesSecondLastName } from '#common/policies/people.ts'
import { useUnit } from '#portal/business-unit/settings.ts'
import { todayInUnit } from '#portal/business-unit/today.ts'
import { DateField } from '#portal/kit/field/date-field.tsx'
import { Select } from '#portal/kit/field/select.tsx'
import { TextField } from '#portal/kit/field/text-field.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { type DraftRow, mend, textOf } from '../draft/draft.ts'
import type { LinesProps } from '../draft/groups.ts'

type PersonField = PersonFieldsWhere<'part', 'who'>
type Props = { row: DraftRow; index: number; lines: LinesProps }

/** Name, birth date and document of a person, or name and number of a company. */
export function PersonFields({ row: { key, was, fields }, index, lines: { policy, fixed, set, problems } }: Props) {
  const { words } = useWords()
  const { showSecondLastName, locale } = useUnit().configuration
  const hasSecondLastName = usesSecondLastName(showSecondLastName)
  const named = { country: countryOf(locale) }
  const path = (field: PersonField) => `users[${index}].${field}`
  const put = (field: PersonField, value: string) => set(before => mend(before, key, { [field]: value }))
  const bound = (field: PersonField) => ({
    name: path(field),
    value: fields[field] ?? textOf(was?.[field]),
    error: problems.at(path(field)),
  })
  const text = (field: PersonField, label: string, hint?: string) => (
    <TextField
      label={label}
      hint={hint}
      {...bound(field)}
      autoComplete="off"
      maxLength={100}
      onChange={event => put(field, event.target.value)}
    />
  )
  if (policy.holder === 'company' && index === 0)
    return (
      <div className="grid items-start gap-2.5 pb-2 sm:grid-cols-2">
        {text('companyName', words('changes.companyName'))}
        {text('docNumber', words('changes.companyNumber'))}
      </div>
    )
  return (
    <div className="grid items-start gap-2.5 pb-2 sm:grid-cols-2">
      {text('name', words('changes.name'))}
      {text('middleName', words(hasSecondLastName ? 'changes.middleName' : 'changes.surname'))}
      {hasSecondLastName && text('lastName', words('changes.lastName'), words('changes.lastName_none'))}
      {/* A birth date is rated anew, which a claim excludes. */}
      {fixed !== 'change.claimed' && (
        <DateField
          label={words('changes.birthDate')}
          {...bound('birthDate')}
          kind="birth"
          today={todayInUnit()}
          onChange={value => put('birthDate', value)}
        />
      )}
      <Select
        label={words('changes.documentKind')}
        {...bound('documentKind')}
        value={fields.documentKind || textOf(was?.documentKind) || 'national'}
        options={[
          { value: 'national', label: words('changes.document_national', named) },
          { value: 'passport', label: words('changes.document_passport') },
        ]}
        onChange={value => put('documentKind', value)}
      />
      {text('docNumber', words('changes.docNumber_in', named))}
    </div>
  )
}
