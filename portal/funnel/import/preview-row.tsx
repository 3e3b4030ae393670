import { memo, useId } from 'react'
import type { Problem } from '#common/kit/problems.ts'
import { fieldsOf, type ImportField } from '#common/policies/import/columns.ts'
import { documentKinds } from '#common/people/person.ts'
import { Select } from '#portal/kit/field/select.tsx'
import { FieldNotes, labelLook } from '#portal/kit/field/field.tsx'
import { IconButton } from '#portal/kit/ui/icon-button.tsx'
import { Badge } from '#portal/kit/ui/card.tsx'
import { problemIn, useWords } from '#portal/kit/words.tsx'
import { type Change, type Item, edit, without } from './draft.ts'
import { documentKindNames, fieldLabel } from './labels.ts'
import type { Target } from './target.ts'

type Props = {
  item: Item
  index: number
  hasSecondLastName: boolean
  problems: readonly Problem[]
  /** The role of the form's first traveller, if this row is theirs. */
  role: Target['role'] | undefined
  onChange: Change
}

/** One traveller of the list. A field is validated when it loses focus, as 200 rows must not be rendered at each key. */
export const PreviewRow = memo(function PreviewRow({ item, index, hasSecondLastName, problems, role, onChange }: Props) {
  const { words } = useWords()
  const { sourceRow, row } = item
  const errorAt = (field: ImportField) => {
    const problem = problems.find(({ path }) => path === field)
    return problem && problemIn(words, problem)
  }
  return (
    <li
      aria-label={words('people.import.row', { place: index + 1 })}
      className="flex items-start gap-1 border-t border-line pt-2 [contain-intrinsic-size:auto_5rem] [content-visibility:auto]"
    >
      <div className="grid flex-1 gap-2">
        {role && (
          <p>
            <Badge tone="accent">
              {role === 'policyholder' ? words('funnel.holder.title') : words('funnel.extra.traveller', { place: 1 })}
            </Badge>
          </p>
        )}
        <div
          className={`grid flex-1 grid-cols-[minmax(0,1fr)] gap-2 sm:grid-cols-2 ${hasSecondLastName ? 'lg:grid-cols-6' : 'lg:grid-cols-5'}`}
        >
          {fieldsOf(hasSecondLastName).map(field =>
            field === 'documentKind' ? (
              <Select
                key={field}
                className={cellRows}
                label={fieldLabel(field, hasSecondLastName, words)}
                name={`${sourceRow}.${field}`}
                value={isKind(row[field]) ? row[field] : ''}
                {...(isKind(row[field]) ? {} : { placeholder: row[field] })}
                error={errorAt(field)}
                options={documentKinds.map(value => ({ value, label: words(documentKindNames[value]) }))}
                onChange={text => onChange(draft => draft && edit(draft, sourceRow, field, text))}
              />
            ) : (
              <PreviewCell
                key={field}
                label={fieldLabel(field, hasSecondLastName, words)}
                name={`${sourceRow}.${field}`}
                text={row[field]}
                error={errorAt(field)}
                onCommit={text => text !== row[field] && onChange(draft => draft && edit(draft, sourceRow, field, text))}
              />
            ),
          )}
        </div>
      </div>
      <IconButton
        icon="trash"
        label={words('people.import.drop', { place: index + 1 })}
        className="mt-6.5"
        onClick={() => onChange(draft => draft && without(draft, sourceRow))}
      />
    </li>
  )
}, unchanged)

/** True if a row needs no rendering: an edit creates a new item, and `onChange` never changes. */
function unchanged(before: Props, after: Props): boolean {
  const isSame = before.item === after.item && before.index === after.index && before.role === after.role
  return (
    isSame && before.problems.length === after.problems.length && before.problems.every((one, at) => isSameProblem(one, after.problems[at]))
  )
}

const isSameProblem = (one: Problem, other: Problem | undefined): boolean => one.path === other?.path && one.key === other.key

const isKind = (text: string): boolean => documentKinds.some(kind => kind === text)

/** Controls are aligned, even beside a label of two lines. */
export const cellRows = 'row-span-3 grid-rows-subgrid'

type CellProps = { label: string; name: string; text: string; error: string | undefined; onCommit: (text: string) => void }

function PreviewCell({ label, name, text, error, onCommit }: CellProps) {
  const id = useId()
  return (
    <div className={`grid grid-cols-[minmax(0,1fr)] gap-1.5 ${cellRows}`}>
      <label htmlFor={id} className={labelLook}>
        {label}
      </label>
      <input
        // A new key shows the text as parsed on blur, such as a date.
        key={text}
        id={id}
        name={name}
        defaultValue={text}
        autoComplete="off"
        spellCheck={false}
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? `${id}-error` : undefined}
        onBlur={event => onCommit(event.target.value)}
        className="control px-3"
      />
      <FieldNotes id={id} error={error} />
    </div>
  )
}
