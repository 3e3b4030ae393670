import { type FormEvent, useState } from 'react'
import { errorMessage, refusedFields } from '#portal/kit/errors/error-message.ts'
import { useWords } from '#portal/kit/words.tsx'

type Values = Record<string, string>
type Failure = { message?: string; fields: Values }

/**
 * Sends a form once at a time, and returns the messages for the form and for its fields. The entries stay.
 *
 * `check` returns the messages for wrong fields before anything is sent.
 */
export function useSubmit(send: (values: Values) => Promise<void>, check?: (values: Values) => Values) {
  const { words } = useWords()
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Failure>({ fields: {} })

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (busy) return
    const form = event.currentTarget
    // Safe: these forms have no file fields.
    const values = Object.fromEntries(new FormData(form)) as Values
    const fields = check?.(values) ?? {}
    setFailure({ fields })
    const [first] = Object.keys(fields)
    if (first) return form.querySelector<HTMLElement>(`[name="${first}"]`)?.focus()
    setBusy(true)
    try {
      await send(values)
    } catch (error) {
      const refused = Object.fromEntries(refusedFields(error).map(({ path, message }) => [path, message]))
      setFailure({ message: errorMessage(error, words), fields: refused })
    } finally {
      setBusy(false)
    }
  }

  return { busy, failure, submit: (event: FormEvent<HTMLFormElement>) => void submit(event) }
}
