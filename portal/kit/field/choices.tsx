import { type ReactNode, type Ref, useId } from 'react'
import { Icon } from '#portal/kit/ui/icon.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { describedBy, FieldNotes, type FieldProps } from './field.tsx'

export type Flag = Omit<FieldProps, 'hideLabel' | 'label'> & {
  label: ReactNode
  name: string
  checked: boolean
  onChange: (checked: boolean) => void
  onBlur?: (() => void) | undefined
  disabled?: boolean | undefined
  ref?: Ref<HTMLInputElement> | undefined
}

/** A yes-or-no field of a form. */
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
            className="peer absolute inset-0 appearance-none rounded-sm border border-field-line bg-sheet checked:border-ink checked:bg-ink indeterminate:border-ink indeterminate:bg-ink aria-invalid:border-danger off:border-line off:bg-sunken"
          />
          <Icon
            name={indeterminate ? 'minus' : 'check'}
            className={`pointer-events-none relative hidden size-3.5 stroke-3 peer-checked:block peer-indeterminate:block ${props.disabled ? 'text-faint' : 'text-sheet'}`}
          />
        </span>
      )}
    </FlagRow>
  )
}

type FlagControl = { id: string; name: string; checked: boolean; required: boolean | undefined } & object

export function FlagRow({
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
  const { words } = useWords()
  const id = useId()
  const control = {
    id,
    name,
    checked,
    required,
    'aria-disabled': disabled || undefined,
    'aria-invalid': error ? true : undefined,
    'aria-describedby': describedBy(id, hint, error),
    onChange: (event: { target: { checked: boolean } }) => disabled || onChange(event.target.checked),
    onBlur,
  }
  return (
    <div className={`grid gap-1.5 ${className}`}>
      <label
        htmlFor={id}
        className={`flex min-h-6 items-start gap-2.5 justify-self-start py-0.5 pointer-coarse:min-h-11 pointer-coarse:py-3 ${disabled ? 'cursor-not-allowed text-quiet' : ''}`}
      >
        {children(control)}
        <span>{label}</span>
      </label>
      <div className={`grid gap-1 empty:hidden ${indent}`}>
        <FieldNotes id={id} hint={hint} error={error === true ? words('validation.required') : error} />
      </div>
    </div>
  )
}
