import { type ReactNode, useId } from 'react'
import { Icon } from '#portal/kit/ui/icon.tsx'

export type FieldProps = {
  label: string
  hint?: ReactNode | undefined
  error?: string | undefined
  required?: boolean | undefined
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
  required,
  hideLabel,
  className = '',
  children,
}: FieldProps & { children: (control: ControlProps) => ReactNode }) {
  const id = useId()
  return (
    <div className={`grid grid-cols-[minmax(0,1fr)] content-start gap-1.5 ${className}`}>
      <label htmlFor={id} className={hideLabel ? 'sr-only' : labelLook}>
        {label}
        {required && <RequiredMark />}
      </label>
      {children({ id, 'aria-invalid': error ? true : undefined, 'aria-describedby': describedBy(id, hint, error) })}
      <FieldNotes id={id} hint={hint} error={error} />
    </div>
  )
}

export const labelLook = 'justify-self-start text-sm font-medium text-ink'

/** The star beside a required field. Screen readers take it from the control's `required`. */
export function RequiredMark() {
  return (
    <span aria-hidden="true" className="ml-0.5 text-danger">
      *
    </span>
  )
}

export const describedBy = (id: string, hint: ReactNode, error: string | undefined): string | undefined =>
  [error && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(' ') || undefined

export function FieldNotes({ id, hint, error }: { id: string; hint?: ReactNode; error?: string | undefined }) {
  return (
    <>
      {error && (
        <p id={`${id}-error`} className="flex gap-1.5 text-sm text-danger">
          <Icon name="alert-circle" className="mt-0.5 size-4" />
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
