import { errorMessage, refusedFields } from '#portal/kit/errors/error-message.ts'
import { useRef, useState } from 'react'
import { type DefaultValues, type FieldPath, type FieldValues, type UseFormReturn, useForm } from 'react-hook-form'
import type { Problem } from '#common/kit/problems.ts'
import { useWords } from '#portal/kit/words.tsx'
import { formName, resolverOf } from './problems.ts'

type Options<Values extends FieldValues> = {
  defaultValues: DefaultValues<Values>
  /** The rules, which the service applies too. */
  rules: (values: Values) => Problem[]
  send: (values: Values) => Promise<void>
  /** Returns this form's path of a refused field, if the form names it differently. */
  fieldOf?: (path: string) => string
}

export type RulesForm<Values extends FieldValues> = UseFormReturn<Values> & {
  submit: (event?: { preventDefault(): void }) => void
  busy: boolean
  /** The message for the whole form, if it could not be sent. */
  failure: string | undefined
}

/** A form that rules validate on blur and change, not on input (spec 5). It is sent once at a time and keeps its entries. */
export function useRulesForm<Values extends FieldValues>({ defaultValues, rules, send, fieldOf }: Options<Values>): RulesForm<Values> {
  const { words } = useWords()
  const form = useForm<Values>({ defaultValues, mode: 'onBlur', reValidateMode: 'onBlur', resolver: resolverOf(rules) })
  const [failure, setFailure] = useState<string>()
  const [busy, setBusy] = useState(false)
  const sending = useRef(false)

  async function submit(event?: { preventDefault(): void }) {
    event?.preventDefault()
    if (sending.current) return
    sending.current = true
    setBusy(true)
    setFailure(undefined)
    try {
      await form.handleSubmit(values => send(values))()
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
  return { ...form, submit: event => void submit(event), busy, failure }
}
