import { useId, useRef, useState } from 'react'
import { type DefaultValues, type FieldPath, type FieldValues, type UseFormReturn, useForm } from 'react-hook-form'
import { errorMessage, refusedFields } from '#portal/kit/errors/error-message.ts'
import { useWords } from '#portal/kit/words.tsx'
import { type FormRules, formName, resolverOf } from './problems.ts'

type Options<Values extends FieldValues> = {
  defaultValues: DefaultValues<Values>
  /** The rules, which the service applies too. */
  rules: FormRules<Values>
  send: (values: Values) => Promise<void>
  /** Returns this form's path of a refused field, if the form names it differently. */
  fieldOf?: (path: string) => string
  /** Focuses the first problem, if its field may not be on the screen. */
  onInvalid?: () => void
}

export type RulesForm<Values extends FieldValues> = UseFormReturn<Values> & {
  /** The id by which a button outside the form submits it. With such a button, Enter in a field does so, too. */
  id: string
  submit: (event?: { preventDefault(): void }) => void
  busy: boolean
  /** The message for the whole form, if it could not be sent. */
  failure: string | undefined
}

/**
 * A form that rules validate on blur and change, not on input (spec 5). Empty fields are marked once the user wants to send it. It is sent once at a time
 * and keeps its values.
 */
export function useRulesForm<Values extends FieldValues>({
  defaultValues,
  rules,
  send,
  fieldOf,
  onInvalid,
}: Options<Values>): RulesForm<Values> {
  const { words } = useWords()
  const id = useId()
  const wasSent = useRef(false)
  const validation = { mode: 'onBlur', reValidateMode: 'onBlur' } as const
  const form = useForm<Values>({
    ...validation,
    defaultValues,
    resolver: (...asked) => resolverOf(rules, wasSent.current)(...asked),
    shouldFocusError: onInvalid === undefined,
  })
  const [failure, setFailure] = useState<string>()
  const [busy, setBusy] = useState(false)
  const sending = useRef(false)

  async function submit(event?: { preventDefault(): void }) {
    event?.preventDefault()
    if (sending.current) return
    sending.current = true
    wasSent.current = true
    setBusy(true)
    setFailure(undefined)
    try {
      let isInvalid = false
      await form.handleSubmit(
        values => send(values),
        () => {
          isInvalid = true
        },
      )()
      if (isInvalid) onInvalid?.()
    } catch (error) {
      setFailure(errorMessage(error, words))
      showAtFields(error)
    } finally {
      sending.current = false
      setBusy(false)
    }
  }
  function showAtFields(error: unknown) {
    refusedFields(error).forEach(({ path, rule, message }, index) => {
      // Safe: the service names the fields of the call that the form sends.
      const name = formName(fieldOf?.(path) ?? path) as FieldPath<Values>
      form.setError(name, { type: rule, message }, { shouldFocus: index === 0 })
    })
  }
  return { ...form, id, submit: event => void submit(event), busy, failure }
}
