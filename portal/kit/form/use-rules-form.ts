import { errorMessage, refusedFields } from '#portal/kit/errors/error-message.ts'
import { useRef, useState } from 'react'
import { type DefaultValues, type FieldPath, type FieldValues, type UseFormReturn, useForm } from 'react-hook-form'
import type { Problem } from '#common/kit/problems.ts'
import { useWords } from '#portal/kit/words.tsx'
import { formName, resolverOf } from './problems.ts'

type Options<Values extends FieldValues> = {
  defaultValues: DefaultValues<Values>
  /** The same rules that the service refuses by. */
  rules: (values: Values) => Problem[]
  send: (values: Values) => Promise<void>
  /** Where a refusal's field stands in this form, when it is called otherwise there. */
  fieldOf?: (path: string) => string
}

export type RulesForm<Values extends FieldValues> = UseFormReturn<Values> & {
  submit: (event?: { preventDefault(): void }) => void
  busy: boolean
  /** What went wrong with the whole, in words. */
  failure: string | undefined
}

/** A form that is judged by rules on blur and change, not on input (spec 5), and sent once at a time. Nothing typed is ever lost. */
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
      const name = formName(fieldOf?.(path) ?? path) as FieldPath<Values>
      form.setError(name, { type: rule, message }, { shouldFocus: index === 0 })
    })
  }
  return { ...form, submit: event => void submit(event), busy, failure }
}
