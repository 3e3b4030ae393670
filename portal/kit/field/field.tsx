import { type ReactNode, useId } from 'react'
import { Icon } from '#portal/kit/ui/icon.tsx'
import { useWords } from '#portal/kit/words.tsx'

/** The message of a wrong field. True for one that is empty and must not be: it then says by its own label that it is missing. */
export type FieldMessage = string | true

export type FieldProps = {
  label: string
  hint?: ReactNode | undefined
  error?: FieldMessage | undefined
  required?: boolean | undefined
  /** Says that the field may stay empty. */
  optional?: boolean | undefined
  /** Hides the label; screen readers still read it. */
  hideLabel?: boolean | undefined
  className?: string | undefined
}

/** The attributes that connect a control with its label, hint and error. */
export type ControlProps = {
  id: string
  'aria-invalid': true | undefined
  'aria-describedby': string | undefined
}

/** Shows a control with its label, hint and error, and connects them for screen readers. */
export function Field({
  label,
  hint,
  error,
  optional,
  hideLabel,
  className = '',
  children,
}: FieldProps & { children: (control: ControlProps) => ReactNode }) {
  const { words } = useWords()
  const id = useId()
  return (
    <div className={`grid grid-cols-[minmax(0,1fr)] content-start gap-1 ${className}`}>
      <label htmlFor={id} className={hideLabel ? 'sr-only' : labelLook}>
        {label}
        {/* For screen readers, the control's `required` marks the others. */}
        {optional && (
          <span aria-hidden="true" className="ml-1.5 text-xs text-faint">
            {words('ui.optional')}
          </span>
        )}
      </label>
      {children({ id, 'aria-invalid': error ? true : undefined, 'aria-describedby': describedBy(id, hint, error) })}
      <FieldNotes id={id} hint={hint} error={error} label={label} />
    </div>
  )
}

export const labelLook = 'justify-self-start text-sm text-quiet'

export const describedBy = (id: string, hint: ReactNode, error: FieldMessage | undefined): string | undefined =>
  [error && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(' ') || undefined

type NotesProps = { id: string; hint?: ReactNode; error?: FieldMessage | undefined; label?: string }

export function FieldNotes({ id, hint, error, label }: NotesProps) {
  const { words } = useWords()
  return (
    <>
      {error && (
        <p id={`${id}-error`} className="flex gap-1.5 text-sm font-semibold text-danger">
          <Icon name="alert-circle" className="mt-0.5 size-3.5" />
          {error === true ? words('validation.missing', { fields: withinText(label) }) : error}
        </p>
      )}
      {hint && (
        <p id={`${id}-hint`} className="text-sm text-quiet">
          {hint}
        </p>
      )}
    </>
  )
}

/** Returns a label as it stands within a text: without the capital of a word, but not of an abbreviation. */
export const withinText = (label = ''): string => label.replace(/^.(?![A-Z])/, first => first.toLowerCase())
