import { createContext, type ReactNode, use, useEffect, useMemo } from 'react'
import { type FieldValues, useController, useFormState } from 'react-hook-form'
import { Callout } from '#portal/kit/ui/card.tsx'
import { problemIn, useWords } from '#portal/kit/words.tsx'
import { whenReleased } from './pressing.ts'
import { type Fault, faultList } from './problems.ts'
import type { RulesForm as Form } from './use-rules-form.ts'

type Bond = Pick<Form<FieldValues>, 'control' | 'trigger' | 'getFieldState' | 'setFocus'> & { labels: Map<string, string> }

const FormContext = createContext<Bond | undefined>(undefined)

/** The form around bound fields. The rules speak, so the browser's own checks are silent. */
export function RulesForm<Values extends FieldValues>({
  form,
  className = '',
  children,
}: {
  form: Form<Values>
  className?: string
  children: ReactNode
}) {
  const { control, trigger, getFieldState, setFocus, failure, submit } = form
  const bond = useMemo(
    () => ({ control, trigger, getFieldState, setFocus, labels: new Map<string, string>() }) as unknown as Bond,
    [control, trigger, getFieldState, setFocus],
  )
  return (
    <FormContext value={bond}>
      <form noValidate onSubmit={submit} className={className}>
        {children}
        <div role="alert" className="empty:hidden">
          {failure && <Callout tone="danger">{failure}</Callout>}
        </div>
      </form>
    </FormContext>
  )
}

function useBond(): Bond {
  const bond = use(FormContext)
  if (!bond) throw new Error('no RulesForm above this field')
  return bond
}

export type BoundField<Value> = {
  name: string
  value: Value
  onChange: (value: Value) => void
  onBlur: () => void
  ref: (element: HTMLElement | null) => void
  error: string | undefined
}

export type BoundProps<Value> = {
  name: string
  label?: string
  /** Fields whose rules hang on this one: judged again with it, once they were reached. */
  also?: readonly string[] | undefined
  onChanged?: ((value: Value) => void) | undefined
  /** What a field of a row that came later holds. */
  empty?: Value | undefined
}

/** A field of the form around it. Judged when it is left; what is chosen rather than typed is judged at once. */
export function Bound<Value>({
  name,
  label,
  also,
  chosen = false,
  onChanged,
  empty,
  children,
}: BoundProps<Value> & { chosen?: boolean; children: (field: BoundField<Value>) => ReactNode }) {
  const { control, trigger, getFieldState, labels } = useBond()
  const { field, fieldState } = useController({ control, name, defaultValue: empty })
  const say = useFaultWords()
  useEffect(() => {
    if (label) labels.set(name, label)
  }, [labels, name, label])
  const reached = () => (also ?? []).filter(other => getFieldState(other).isTouched || getFieldState(other).invalid)
  return children({
    name,
    value: field.value as Value,
    ref: field.ref,
    error: fieldState.error && say(fieldState.error),
    onChange: value => {
      field.onChange(value)
      onChanged?.(value)
      if (chosen) void trigger([name, ...reached()])
    },
    onBlur: () =>
      whenReleased(() => {
        field.onBlur()
        if (reached().length > 0) void trigger(reached())
      }),
  })
}

/** What is wrong, in the language of the moment: it changes with it. */
function useFaultWords(): (fault: Fault) => string {
  const { words } = useWords()
  return ({ problem, message }) => (problem ? problemIn(words, problem) : (message ?? ''))
}

/** After a form was refused: how many fields, which, and a way to each. */
export function ErrorSummary({
  labelOf,
  within,
}: {
  labelOf?: (name: string) => string | undefined
  within?: (name: string) => string | undefined
}) {
  const { words } = useWords()
  const { control, labels, setFocus } = useBond()
  const { errors, submitCount } = useFormState({ control })
  const say = useFaultWords()
  const faults = faultList(errors)
  return (
    <div role="alert" className="empty:hidden">
      {submitCount > 0 && faults.length > 0 && (
        <Callout tone="danger" title={words('ui.form.problems', { count: faults.length })}>
          <ul className="mt-1 grid max-h-48 gap-0.5 overflow-y-auto">
            {faults.map(({ name, fault }) => {
              const label = [within?.(name), labelOf?.(name) ?? labels.get(name)].filter(Boolean).join(' · ')
              return (
                <li key={name}>
                  <button
                    type="button"
                    onClick={() => setFocus(name)}
                    className="text-left underline decoration-current/30 underline-offset-2 hover:decoration-current pointer-coarse:min-h-11"
                  >
                    {label && <strong className="font-medium">{words('ui.form.field', { label })} </strong>}
                    {say(fault)}
                  </button>
                </li>
              )
            })}
          </ul>
        </Callout>
      )}
    </div>
  )
}
