import { createContext, type ReactNode, use, useCallback, useEffect, useMemo } from 'react'
import { type FieldValues, useController, useFormState } from 'react-hook-form'
import { Failure } from '#portal/kit/errors/failure.tsx'
import type { FieldMessage } from '#portal/kit/field/field.tsx'
import { Callout } from '#portal/kit/ui/card.tsx'
import { problemIn, useWords, type Words } from '#portal/kit/words.tsx'
import { completeFocused } from './complete-focused.ts'
import { type FieldProblem, inScreenOrder, problemList } from './problems.ts'
import type { RulesForm as Form } from './use-rules-form.ts'

type FormAccess = Pick<Form<FieldValues>, 'control' | 'trigger' | 'getFieldState' | 'setFocus'> & {
  labels: Map<string, string>
  elements: Map<string, HTMLElement>
}

const FormContext = createContext<FormAccess | undefined>(undefined)

/** The form around bound fields. The browser's own validation is off, as the rules replace it. */
export function RulesForm<Values extends FieldValues>({
  form,
  className = '',
  children,
}: {
  form: Form<Values>
  className?: string
  children: ReactNode
}) {
  const { control, trigger, getFieldState, setFocus, failure, id, submit } = form
  const access = useMemo(
    () =>
      // Safe: the fields use these functions only with names of this form.
      ({
        control,
        trigger,
        getFieldState,
        setFocus,
        labels: new Map<string, string>(),
        elements: new Map<string, HTMLElement>(),
      }) as unknown as FormAccess,
    [control, trigger, getFieldState, setFocus],
  )
  return (
    <FormContext value={access}>
      <form
        id={id}
        noValidate
        onSubmit={event => {
          completeFocused(event.currentTarget)
          submit(event)
        }}
        className={className}
      >
        {children}
        <Failure>{failure}</Failure>
      </form>
    </FormContext>
  )
}

function useFormAccess(): FormAccess {
  const access = use(FormContext)
  if (!access) throw new Error('no RulesForm above this field')
  return access
}

export type BoundField<Value> = {
  name: string
  value: Value
  onChange: (value: Value) => void
  onBlur: () => void
  ref: (element: HTMLElement | null) => void
  error: FieldMessage | undefined
}

export type BoundProps<Value> = {
  name: string
  label?: string
  /** Fields whose rules depend on this one. They are validated again with it, once the user has visited them. */
  also?: readonly string[] | undefined
  onChanged?: ((value: Value) => void) | undefined
  /** The value of a field in a row that was added later. */
  empty?: Value | undefined
}

/** Connects a field with the form around it. Validates on blur, or at once if the value is chosen and not typed. */
export function Bound<Value>({
  name,
  label,
  also,
  chosen = false,
  onChanged,
  empty,
  children,
}: BoundProps<Value> & { chosen?: boolean; children: (field: BoundField<Value>) => ReactNode }) {
  const { control, trigger, getFieldState, labels, elements } = useFormAccess()
  const { field, fieldState } = useController({ control, name, defaultValue: empty })
  const { words } = useWords()
  useEffect(() => {
    if (label) labels.set(name, label)
  }, [labels, name, label])
  const { ref: register } = field
  const ref = useCallback(
    (element: HTMLElement | null) => {
      if (element) elements.set(name, element)
      else elements.delete(name)
      register(element)
    },
    [elements, name, register],
  )
  const problem: FieldProblem | undefined = fieldState.error
  const reachedFields = () => (also ?? []).filter(other => getFieldState(other).isTouched || getFieldState(other).invalid)
  return children({
    name,
    // Safe: the form's type gives this field that type of value.
    value: field.value as Value,
    ref,
    error: problem && (problem.problem?.key === 'validation.required' || messageOf(words, problem)),
    onChange: value => {
      field.onChange(value)
      onChanged?.(value)
      if (chosen) void trigger([name, ...reachedFields()])
    },
    onBlur: () =>
      whenReleased(() => {
        field.onBlur()
        if (reachedFields().length > 0) void trigger(reachedFields())
      }),
  })
}

const messageOf = (words: Words, { problem, message }: FieldProblem): string | undefined => (problem ? problemIn(words, problem) : message)

/** Lists the problems after a form could not be sent, each with a link to its field. */
export function ErrorSummary({
  labelOf,
  within,
}: {
  labelOf?: (name: string) => string | undefined
  within?: (name: string) => string | undefined
}) {
  const { words } = useWords()
  const { control, labels, elements, setFocus } = useFormAccess()
  const { errors, submitCount } = useFormState({ control })
  const problems = inScreenOrder(problemList(errors), elements)
  return (
    <div role="alert" className="empty:hidden">
      {submitCount > 0 && problems.length > 0 && (
        <Callout tone="danger" title={words('ui.form.problems', { count: problems.length })}>
          <ul className="mt-1 grid max-h-48 gap-0.5 overflow-y-auto">
            {problems.map(({ name, problem }) => {
              const label = [within?.(name), labelOf?.(name) ?? labels.get(name)].filter(Boolean).join(' · ')
              return (
                <li key={name}>
                  <button
                    type="button"
                    onClick={() => setFocus(name)}
                    className="text-left underline underline-offset-4 pointer-coarse:min-h-11"
                  >
                    {label && <strong className="font-medium">{words('ui.form.field', { label })} </strong>}
                    {messageOf(words, problem)}
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

let isPointerDown = false
let waiting: (() => void)[] = []

function onDown(): void {
  isPointerDown = true
}

function onUp(): void {
  const works = waiting
  isPointerDown = false
  waiting = []
  // The timer lets the click event come first.
  setTimeout(() => {
    for (const work of works) work()
  })
}

window.addEventListener('pointerdown', onDown, { capture: true })
window.addEventListener('pointerup', onUp, { capture: true })
window.addEventListener('pointercancel', onUp, { capture: true })

/**
 * Runs the work when the pressed pointer is released, as nothing may move away from under it. Without a pointer it runs once the next field has the
 * visible focus. That must not wait for the rules of the field that was left.
 */
export function whenReleased(work: () => void): void {
  if (isPointerDown) waiting.push(work)
  else requestAnimationFrame(() => setTimeout(work))
}
