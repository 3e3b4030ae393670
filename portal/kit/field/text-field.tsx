import type { InputHTMLAttributes, ReactNode, Ref, TextareaHTMLAttributes } from 'react'
import { Field, type FieldProps } from './field.tsx'

export type TextFieldProps = FieldProps &
  Omit<InputHTMLAttributes<HTMLInputElement>, 'id' | 'className' | 'required'> & {
    name: string
    ref?: Ref<HTMLInputElement> | undefined
    /** Content before and after the text within the frame: an icon, a unit, a button. */
    before?: ReactNode
    after?: ReactNode
    frame?: Ref<HTMLDivElement> | undefined
  }

export function TextField({
  label,
  hint,
  error,
  required,
  optional,
  hideLabel,
  className,
  before,
  after,
  frame,
  ...input
}: TextFieldProps) {
  return (
    <Field label={label} hint={hint} error={error} optional={optional} hideLabel={hideLabel} className={className}>
      {control =>
        before || after ? (
          <div ref={frame} className="control flex items-center">
            {before}
            <input
              {...input}
              {...control}
              required={required}
              className={`typed self-stretch ${before ? 'pl-1.5' : 'pl-3'} ${after ? 'pr-1.5' : 'pr-3'}`}
            />
            {after}
          </div>
        ) : (
          <input {...input} {...control} required={required} className="control px-3" />
        )
      }
    </Field>
  )
}

type TextAreaProps = FieldProps &
  Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'id' | 'className' | 'required'> & {
    name: string
    ref?: Ref<HTMLTextAreaElement> | undefined
  }

/** A field for several lines, which grows with its text. */
export function TextArea({ label, hint, error, required, optional, hideLabel, className, rows = 3, ...area }: TextAreaProps) {
  return (
    <Field label={label} hint={hint} error={error} optional={optional} hideLabel={hideLabel} className={className}>
      {control => (
        <textarea
          {...area}
          {...control}
          rows={rows}
          required={required}
          style={{ minHeight: `calc(${rows}lh + 1.125rem)` }}
          className="control field-sizing-content max-h-80 px-3 py-2"
        />
      )}
    </Field>
  )
}
