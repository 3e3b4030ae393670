import { type ReactNode, type Ref, useId } from 'react'
import { Icon, type IconName } from '#portal/kit/ui/icon.tsx'
import { describedBy, FieldNotes, type FieldProps } from './field.tsx'

type CardsProps<Value extends string> = Omit<FieldProps, 'hideLabel'> & {
  name: string
  value: Value | ''
  onChange: (value: Value) => void
  onBlur?: (() => void) | undefined
  options: readonly { value: Value; label: string; detail?: ReactNode; icon?: IconName; disabled?: boolean }[]
  ref?: Ref<HTMLInputElement> | undefined
}

/** A choice of one of a few options, each with room for an explanation. They are the browser's radio buttons. */
export function RadioCards<Value extends string>({
  label,
  hint,
  error,
  required,
  className = '',
  name,
  value,
  onChange,
  onBlur,
  options,
  ref,
}: CardsProps<Value>) {
  const id = useId()
  return (
    <fieldset aria-describedby={describedBy(id, hint, error)} className={`grid gap-1.5 ${className}`}>
      <legend className="mb-1 text-sm text-quiet">{label}</legend>
      {/* Three options are stacked: two columns would leave a gap. */}
      <div className={`grid gap-2 ${options.length === 3 ? 'grid-cols-1' : 'grid-cols-[repeat(auto-fit,minmax(min(100%,12rem),1fr))]'}`}>
        {options.map((option, index) => (
          <label
            key={option.value}
            className="flex gap-3 rounded-lg border border-line bg-sheet p-3 transition-colors hover:border-field-line has-checked:border-ink has-checked:inset-ring has-checked:inset-ring-ink has-disabled:bg-sunken has-disabled:text-quiet has-disabled:hover:border-line has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-ink"
          >
            {option.icon && <Icon name={option.icon} className="size-5 text-quiet" />}
            <span className="grid flex-1 content-start gap-0.5">
              <span className="font-medium">{option.label}</span>
              {option.detail && <span className="text-sm text-quiet">{option.detail}</span>}
            </span>
            <input
              ref={index === 0 ? ref : undefined}
              type="radio"
              name={name}
              value={option.value}
              checked={option.value === value}
              disabled={option.disabled}
              required={required}
              onChange={() => onChange(option.value)}
              onBlur={onBlur}
              className="mt-0.5 size-4 shrink-0 appearance-none rounded-full border border-field-line bg-sheet outline-none checked:border-[5px] checked:border-ink disabled:border-line"
            />
          </label>
        ))}
      </div>
      <FieldNotes id={id} hint={hint} error={error} label={label} />
    </fieldset>
  )
}
