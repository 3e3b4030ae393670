import { useEffect, useRef, useState } from 'react'
import type { ChangePreview } from '#common/changes/change.ts'
import { travels } from '#common/changes/state.ts'
import { ageOn } from '#common/kit/dates.ts'
import { fullName } from '#common/kit/text.ts'
import { countryOf } from '#common/kit/validators/rule.ts'
import type { PersonFieldsWhere } from '#common/people/person.ts'
import { usesSecondLastName } from '#common/policies/people.ts'
import { useUnit } from '#portal/business-unit/settings.ts'
import { todayInUnit } from '#portal/business-unit/today.ts'
import { DateField } from '#portal/kit/field/date-field.tsx'
import { Select } from '#portal/kit/field/select.tsx'
import { TextField } from '#portal/kit/field/text-field.tsx'
import { useFormat } from '#portal/kit/format.ts'
import { Button } from '#portal/kit/ui/button.tsx'
import { Badge } from '#portal/kit/ui/card.tsx'
import { IconButton } from '#portal/kit/ui/icon-button.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { type DraftRow, join, leave, mend, rowsOf, stay, textOf } from '../draft/draft.ts'
import type { LinesProps } from '../draft/groups.ts'
import { personLabels } from '../labels.ts'
import './people-lines.css'

type Props = LinesProps & { people: ChangePreview['people'] }

/** Everyone on the policy. Each can be corrected, leave, or be replaced. A person with two different facts is another one (decision 45). */
export function PeopleLines({ people, ...lines }: Props) {
  const { policy, draft, set, problems } = lines
  const { words } = useWords()
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  const [entered, setEntered] = useState<{ key: string }>()
  const list = useRef<HTMLUListElement>(null)
  // An opened row focuses the name, so that typed letters are not shortcuts.
  useEffect(() => {
    if (entered) list.current?.querySelector<HTMLElement>(`[data-person="${entered.key}"] input`)?.focus()
  }, [entered])
  const rows = rowsOf(policy, draft)
  function toggle(key: string) {
    setOpen(before => (before.has(key) ? new Set([...before].filter(each => each !== key)) : new Set([...before, key])))
    if (!open.has(key)) setEntered({ key })
  }
  function add(replaces: string | null) {
    const key = crypto.randomUUID()
    set(before => join(before, key, replaces))
    setOpen(before => new Set([...before, key]))
    setEntered({ key })
  }
  return (
    <section aria-label={words('changes.group_people')} className="grid grid-cols-[minmax(0,1fr)] gap-1.5">
      <ul ref={list} className="people-lines border-t border-hair">
        {rows.map((row, place) => (
          <Person
            key={row.key}
            row={row}
            place={place}
            preview={row.index === undefined ? undefined : people[row.index]}
            isOpen={open.has(row.key)}
            onToggle={() => toggle(row.key)}
            onSwap={() => add(row.key)}
            lines={lines}
          />
        ))}
      </ul>
      {problems.at('users') && <p className="text-sm font-semibold text-danger">{problems.at('users')}</p>}
      {problems.below('users')}
      {!lines.fixed && (
        <Button look="plain" icon="plus" onClick={() => add(null)} className="-ml-2 justify-self-start">
          {words('changes.add_traveller')}
        </Button>
      )}
    </section>
  )
}

type PersonProps = {
  row: DraftRow
  place: number
  preview: ChangePreview['people'][number] | undefined
  isOpen: boolean
  onToggle: () => void
  onSwap: () => void
  lines: LinesProps
}

function Person({ row, place, preview, isOpen, onToggle, onSwap, lines }: PersonProps) {
  const { words } = useWords()
  const { cents } = useFormat()
  const { policy, currency, fixed: isFixed, set } = lines
  const { key, was, index } = row
  const name = fullName({ ...was, ...row.fields }) || words('changes.newcomer')
  const leaves = index === undefined
  const isHolder = was !== undefined && place === 0
  const document = row.fields.docNumber ?? textOf(was?.docNumber)
  const age = preview ? preview.age : ageOf(was?.birthDate, policy.trip.startDate)
  const what = leaves ? 'leaves' : was ? (preview?.what ?? 'same') : 'joins'
  return (
    // The cells of all rows are aligned, whichever cells a row lacks.
    <li data-person={key} className="border-b border-hair py-1">
      <span className={`min-w-0 truncate ${leaves ? 'text-quiet line-through' : 'font-semibold'}`}>
        {name}{' '}
        <span className="text-sm font-normal text-quiet">{[document, age].filter(part => part !== null && part !== '').join(' · ')}</span>
      </span>
      <span>{what !== 'same' && <Badge tone={tones[what]}>{words(personLabels[what])}</Badge>}</span>
      <span data-premium className="text-right text-sm text-quiet">
        {preview && preview.premium > 0 && cents(preview.premium, currency)}
      </span>
      <span className="people-actions -mr-2">
        {leaves ? (
          <IconButton
            icon="repeat"
            className="people-last"
            label={words('changes.stays', { name })}
            onClick={() => set(before => stay(before, key))}
          />
        ) : (
          <>
            <IconButton icon="pencil" label={words('changes.mend', { name })} aria-expanded={isOpen} onClick={onToggle} />
            {was && !isFixed && travels(policy.holder, place) && (
              <IconButton icon="users" className="people-second" label={words('changes.swap', { name })} onClick={onSwap} />
            )}
            {!isHolder && !isFixed && (
              <IconButton
                icon="x"
                className="people-last"
                label={words(was ? 'changes.leaves' : 'changes.remove', { name })}
                onClick={() => set(before => leave(before, key))}
              />
            )}
          </>
        )}
      </span>
      {was && what === 'joins' && (
        <p className="col-span-full text-sm text-quiet">{words('changes.other_person', { name: fullName(was) })}</p>
      )}
      {isOpen && index !== undefined && (
        <div className="col-span-full">
          <PersonFields row={row} index={index} lines={lines} />
        </div>
      )}
    </li>
  )
}

const tones = { joins: 'success', leaves: 'warning', mended: 'info' } as const

const ageOf = (birthDate: unknown, startDate: string): number | null =>
  typeof birthDate === 'string' && birthDate !== '' ? ageOn(birthDate, startDate) : null

type PersonField = PersonFieldsWhere<'part', 'who'>
type FieldsProps = { row: DraftRow; index: number; lines: LinesProps }

/** Name, birth date and document of a person, or name and number of a company. */
function PersonFields({ row: { key, was, fields }, index, lines: { policy, fixed, set, problems } }: FieldsProps) {
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
