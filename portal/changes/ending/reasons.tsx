import { useId } from 'react'
import { FieldNotes } from '#portal/kit/field/field.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { reasonLabels } from '../labels.ts'

const reasons = ['trip_cancelled', 'visa_refused', 'duplicate', 'price', 'error', 'other'] as const
export type Reason = (typeof reasons)[number]

type Props = { value: Reason | ''; onChange: (reason: Reason) => void; error: string | undefined }

/** The reason for the end, which statement and insurer need. One key chooses, the arrow keys move on. */
export function Reasons({ value, onChange, error }: Props) {
  const { words } = useWords()
  const id = useId()
  return (
    <fieldset role="radiogroup" aria-invalid={error ? true : undefined} aria-describedby={error && `${id}-error`} className="grid gap-1.5">
      <legend className="mb-1 text-sm text-quiet">{words('changes.reason')}</legend>
      <div className="flex flex-wrap gap-2">
        {reasons.map(reason => (
          <label
            key={reason}
            className="inline-flex min-h-(--control) items-center gap-2 rounded-md border border-line px-3 text-sm hover:bg-sunken has-checked:border-ink has-checked:font-semibold has-checked:inset-ring has-checked:inset-ring-ink has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-ink"
          >
            <input
              type="radio"
              name="reason"
              value={reason}
              checked={value === reason}
              required
              onChange={() => onChange(reason)}
              className="size-3.5 shrink-0 appearance-none rounded-full border border-field-line outline-none checked:border-[4px] checked:border-ink"
            />
            {words(reasonLabels[reason])}
          </label>
        ))}
      </div>
      <FieldNotes id={id} error={error} />
    </fieldset>
  )
}
