import { type FormEvent, useState } from 'react'
import { errorMessage, refusedFields } from '#portal/kit/errors/error-message.ts'
import { useWords } from '#portal/kit/words.tsx'

type Values = Record<string, string>
type Failure = { message?: string; fields: Values }

/** Sends a form once at a time, and returns the messages for the form and for its fields. The entries stay. */
export function useSubmit(send: (values: Values) => Promise<void>) {
  const { words } = useWords()
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Failure>({ fields: {} })

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (busy) return
    setBusy(true)
    setFailure({ fields: {} })
    try {
      // Safe: these forms have no file fields.
      await send(Object.fromEntries(new FormData(event.currentTarget)) as Values)
    } catch (error) {
      const refused = Object.fromEntries(refusedFields(error).map(({ path, message }) => [path, message]))
      setFailure({ message: errorMessage(error, words), fields: refused })
    } finally {
      setBusy(false)
    }
  }

  return { busy, failure, submit: (event: FormEvent<HTMLFormElement>) => void submit(event) }
}
