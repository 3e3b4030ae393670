import { type ReactNode, useId } from 'react'
import { Icon } from '#portal/kit/ui/icon.tsx'
import { useWords } from '#portal/kit/words.tsx'

export type FieldProps = {
  label: string
  hint?: ReactNode | undefined
  error?: string | undefined
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
  const id = useId()
  return (
    <div className={`grid grid-cols-[minmax(0,1fr)] content-start gap-1 ${className}`}>
      <label htmlFor={id} className={hideLabel ? 'sr-only' : labelLook}>
        {label}
        {optional && <OptionalMark />}
      </label>
      {children({ id, 'aria-invalid': error ? true : undefined, 'aria-describedby': describedBy(id, hint, error) })}
      <FieldNotes id={id} hint={hint} error={error} />
    </div>
  )
}

export const labelLook = 'justify-self-start text-sm text-quiet'

/** The word beside a field that may stay empty. For screen readers, the control's `required` marks the others. */
function OptionalMark() {
  const { words } = useWords()
  return (
    <span aria-hidden="true" className="ml-1.5 text-xs text-faint">
      {words('ui.optional')}
    </span>
  )
}

export const describedBy = (id: string, hint: ReactNode, error: string | undefined): string | undefined =>
  [error && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(' ') || undefined

export function FieldNotes({ id, hint, error }: { id: string; hint?: ReactNode; error?: string | undefined }) {
  return (
    <>
      {error && (
        <p id={`${id}-error`} className="flex gap-1.5 text-sm font-semibold text-danger">
          <Icon name="alert-circle" className="mt-0.5 size-3.5" />
          {error}
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
