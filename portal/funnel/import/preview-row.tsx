import { memo, useId } from 'react'
import type { Problem } from '#common/kit/problems.ts'
import { fieldsOf } from '#common/policies/import/columns.ts'
import { FieldNotes } from '#portal/kit/field/field.tsx'
import { IconButton } from '#portal/kit/ui/icon-button.tsx'
import { problemIn, useWords } from '#portal/kit/words.tsx'
import { type Change, type Item, mend, without } from './draft.ts'
import { fieldLabel } from './labels.ts'

type Props = { item: Item; place: number; second: boolean; problems: readonly Problem[]; onChange: Change }

/** One traveller of the list. What is typed is judged when its field is left; two hundred of these must not wait for each other. */
export const PreviewRow = memo(function PreviewRow({ item, place, second, problems, onChange }: Props) {
  const { words } = useWords()
  const { line, row } = item
  return (
    <li
      aria-label={words('people.import.row', { place: place + 1 })}
      className="flex items-start gap-1 border-t border-line pt-2 [contain-intrinsic-size:auto_5rem] [content-visibility:auto]"
    >
      <div className={`grid flex-1 gap-2 sm:grid-cols-2 ${second ? 'lg:grid-cols-5' : 'lg:grid-cols-4'}`}>
        {fieldsOf(second).map(field => (
          <PreviewCell
            key={field}
            label={fieldLabel(field, second, words)}
            name={`${line}.${field}`}
            text={row[field]}
            problem={problems.find(({ path }) => path === field)}
            onLeave={text => text !== row[field] && onChange(now => now && mend(now, line, field, text))}
          />
        ))}
      </div>
      <IconButton
        icon="trash"
        label={words('people.import.drop', { place: place + 1 })}
        className="mt-6.5"
        onClick={() => onChange(now => now && without(now, line))}
      />
    </li>
  )
}, unchanged)

/** A row that was mended elsewhere is another object; what changes it is the same throughout. */
function unchanged(before: Props, after: Props): boolean {
  return before.item === after.item && before.place === after.place && before.second === after.second
}

type CellProps = { label: string; name: string; text: string; problem: Problem | undefined; onLeave: (text: string) => void }

function PreviewCell({ label, name, text, problem, onLeave }: CellProps) {
  const { words } = useWords()
  const id = useId()
  const error = problem && problemIn(words, problem)
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-1">
      <label htmlFor={id} className="text-sm text-quiet">
        {label}
      </label>
      <input
        // What was made of the text when it was left, such as a date, is shown.
        key={text}
        id={id}
        name={name}
        defaultValue={text}
        autoComplete="off"
        spellCheck={false}
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? `${id}-error` : undefined}
        onBlur={event => onLeave(event.target.value)}
        className="control px-3"
      />
      <FieldNotes id={id} error={error} />
    </div>
  )
}
