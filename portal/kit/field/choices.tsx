import { type ReactNode, type Ref, useId } from 'react'
import { Icon, type IconName } from '#portal/kit/ui/icon.tsx'
import { describedBy, FieldNotes, type FieldProps, RequiredMark } from './field.tsx'

type Flag = Omit<FieldProps, 'hideLabel' | 'label'> & {
  label: ReactNode
  name: string
  checked: boolean
  onChange: (checked: boolean) => void
  onBlur?: (() => void) | undefined
  disabled?: boolean | undefined
  ref?: Ref<HTMLInputElement> | undefined
}

/** Yes or no, as part of a form. */
export function Checkbox(props: Flag & { indeterminate?: boolean }) {
  const { indeterminate = false, ...flag } = props
  return (
    <FlagRow {...flag} indent="pl-6.5">
      {control => (
        <span className="relative mt-0.5 grid size-4 shrink-0 place-items-center">
          <input
            {...control}
            type="checkbox"
            ref={node => {
              if (node) node.indeterminate = indeterminate
              if (typeof props.ref === 'function') props.ref(node)
              else if (props.ref) props.ref.current = node
            }}
            className="peer absolute inset-0 appearance-none rounded-sm border border-field-line bg-sheet checked:border-accent-ink checked:bg-accent-ink indeterminate:border-accent-ink indeterminate:bg-accent-ink aria-invalid:border-danger disabled:border-line disabled:bg-sunken"
          />
          <Icon
            name={indeterminate ? 'minus' : 'check'}
            className="pointer-events-none relative hidden size-3.5 stroke-3 text-sheet peer-checked:block peer-indeterminate:block peer-disabled:text-faint"
          />
        </span>
      )}
    </FlagRow>
  )
}

/** On or off, at once. */
export function Switch(flag: Flag) {
  return (
    <FlagRow {...flag} indent="pl-10.5">
      {control => (
        <span className="relative mt-px h-[1.125rem] w-8 shrink-0">
          <input
            {...control}
            ref={flag.ref}
            type="checkbox"
            role="switch"
            aria-checked={flag.checked}
            className="peer absolute inset-0 appearance-none rounded-full border border-field-line bg-[color-mix(in_srgb,var(--color-ink)_18%,var(--color-sheet))] transition-colors checked:border-accent-ink checked:bg-accent-ink disabled:border-line disabled:bg-sunken"
          />
          <span className="pointer-events-none absolute top-[3px] left-[3px] size-3 rounded-full bg-sheet shadow-low transition-transform peer-checked:translate-x-3.5 peer-disabled:bg-faint" />
        </span>
      )}
    </FlagRow>
  )
}

type FlagControl = { id: string; name: string; checked: boolean; disabled: boolean | undefined; required: boolean | undefined } & object

function FlagRow({
  label,
  hint,
  error,
  required,
  className = '',
  name,
  checked,
  onChange,
  onBlur,
  disabled,
  indent,
  children,
}: Flag & { indent: string } & { children: (control: FlagControl) => ReactNode }) {
  const id = useId()
  const control = {
    id,
    name,
    checked,
    disabled,
    required,
    'aria-invalid': error ? true : undefined,
    'aria-describedby': describedBy(id, hint, error),
    onChange: (event: { target: { checked: boolean } }) => onChange(event.target.checked),
    onBlur,
  }
  return (
    <div className={`grid gap-1.5 ${className}`}>
      <label
        htmlFor={id}
        className="flex min-h-6 items-start gap-2.5 justify-self-start py-0.5 has-disabled:text-quiet pointer-coarse:min-h-11 pointer-coarse:py-3"
      >
        {children(control)}
        <span>
          {label}
          {required && <RequiredMark />}
        </span>
      </label>
      <div className={`grid gap-1 empty:hidden ${indent}`}>
        <FieldNotes id={id} hint={hint} error={error} />
      </div>
    </div>
  )
}

type CardsProps<Value extends string> = Omit<FieldProps, 'hideLabel'> & {
  name: string
  value: Value | ''
  onChange: (value: Value) => void
  onBlur?: (() => void) | undefined
  options: readonly { value: Value; label: string; detail?: ReactNode; icon?: IconName; disabled?: boolean }[]
  ref?: Ref<HTMLInputElement> | undefined
}

/** One of a few, with room to say what each means. The arrow keys move among them, as among all radio buttons. */
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
      <legend className="mb-1.5 text-sm font-medium">
        {label}
        {required && <RequiredMark />}
      </legend>
      <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,12rem),1fr))] gap-2">
        {options.map((option, index) => (
          <label
            key={option.value}
            className="flex gap-3 rounded-lg border border-line bg-sheet p-3 transition-colors hover:border-field-line has-checked:border-accent-ink has-checked:bg-accent-soft has-disabled:bg-sunken has-disabled:text-quiet has-disabled:hover:border-line has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent-ink"
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
              className="mt-0.5 size-4 shrink-0 appearance-none rounded-full border border-field-line bg-sheet outline-none checked:border-[5px] checked:border-accent-ink disabled:border-line"
            />
          </label>
        ))}
      </div>
      <FieldNotes id={id} hint={hint} error={error} />
    </fieldset>
  )
}
