import { type FormEvent, useState } from 'react'
import { Refused } from '#portal/kit/ask.ts'
import { useWords } from '#portal/kit/words.tsx'

/** Sends a form once at a time; what went wrong comes back as words, for the whole and for each field, and nothing typed is lost. */
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
      setFailure(tell(error, words('shell.offline')))
    } finally {
      setBusy(false)
    }
  }

  return { busy, failure, submit: (event: FormEvent<HTMLFormElement>) => void submit(event) }
}

function tell(error: unknown, unreachable: string) {
  if (!(error instanceof Refused)) return { message: unreachable, fields: {} }
  const { fields = [], errorMessage } = error.failure
  return { message: errorMessage, fields: Object.fromEntries(fields.map(({ path, message }) => [path, message])) }
}
