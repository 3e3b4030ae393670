import { type FormEvent, useState } from 'react'
import { errorMessage, refusedFields } from '#portal/kit/errors/error-message.ts'
import { useWords } from '#portal/kit/words.tsx'

/** Sends a form once at a time. Returns what went wrong, for the form and for each field; what was typed stays. */
export function useSubmit(send: (form: Record<string, string>) => Promise<void>) {
  const { words } = useWords()
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<{ message?: string; fields: Record<string, string> }>({ fields: {} })

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (busy) return
    setBusy(true)
    setFailure({ fields: {} })
    try {
      await send(Object.fromEntries(new FormData(event.currentTarget)) as Record<string, string>)
    } catch (error) {
      const fields = Object.fromEntries(refusedFields(error).map(({ path, message }) => [path, message]))
      setFailure({ message: errorMessage(error, words), fields })
    } finally {
      setBusy(false)
    }
  }

  return { busy, failure, submit: (event: FormEvent<HTMLFormElement>) => void submit(event) }
}
