import type { ReactNode, Ref } from 'react'
import { Icon } from '#portal/kit/ui/icon.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { Field, type FieldProps } from './field.tsx'

type Props = FieldProps & {
  name: string
  value: string
  onChange: (value: string) => void
  onBlur?: (() => void) | undefined
  options: readonly { value: string; label: string; disabled?: boolean }[]
  /** Shown while nothing is chosen. Without a placeholder, an option is always chosen. */
  placeholder?: string | true
  before?: ReactNode
  disabled?: boolean | undefined
  autoComplete?: string | undefined
  ref?: Ref<HTMLSelectElement> | undefined
}

/** A choice of one of a few options. It is the browser's own list, which phones and screen readers support. */
export function Select({ options, onChange, placeholder, before, ...rest }: Props) {
  const { words } = useWords()
  const { label, hint, error, required, optional, hideLabel, className, ...select } = rest
  return (
    <Field label={label} hint={hint} error={error} optional={optional} hideLabel={hideLabel} className={className}>
      {control => (
        <div className="control relative flex items-center">
          {before && <span className="pointer-events-none absolute left-3 text-quiet">{before}</span>}
          <select
            {...select}
            {...control}
            required={required && placeholder !== undefined}
            onChange={event => onChange(event.target.value)}
            className={`typed appearance-none self-stretch truncate rounded-md pr-8 ${before ? 'pl-9' : 'pl-3'} ${select.value === '' ? 'text-faint' : ''}`}
          >
            {placeholder && (
              <option value="" disabled={required} className="text-quiet">
                {placeholder === true ? words('ui.select.placeholder') : placeholder}
              </option>
            )}
            {options.map(option => (
              <option key={option.value} value={option.value} disabled={option.disabled} className="bg-raised text-ink">
                {option.label}
              </option>
            ))}
          </select>
          <Icon name="chevron-down" className="pointer-events-none absolute right-2.5 size-4 text-quiet" />
        </div>
      )}
    </Field>
  )
}
