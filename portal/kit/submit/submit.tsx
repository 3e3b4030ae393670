import { type FormEvent, useState } from 'react'
import { Refused } from '#portal/kit/ask.ts'
import { errorMessage, refusedFields } from '#portal/kit/errors/error-message.ts'
import { Icon } from '#portal/kit/ui/icon.tsx'
import { useWords } from '#portal/kit/words.tsx'

/** Shows why a form could not be sent. */
export const FormError = ({ text }: { text: string | undefined }) => (
  <p role="alert" className="flex gap-1.5 text-sm font-semibold text-danger empty:hidden">
    {text && (
      <>
        <Icon name="alert-circle" className="mt-0.5 size-3.5" />
        {text}
      </>
    )}
  </p>
)

type Values = Record<string, string>
type Failure = { message?: string; fields: Values }

/** Sends a form once at a time, and returns the messages for the form and its fields. The input is kept. */
export function useSubmit(send: (values: Values) => Promise<void>) {
  const { words } = useWords()
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Failure>({ fields: {} })

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (busy) return
    const form = event.currentTarget
    setBusy(true)
    setFailure({ fields: {} })
    try {
      // Safe: these forms have no file fields.
      await send(Object.fromEntries(new FormData(form)) as Values)
    } catch (error) {
      const refused = Object.fromEntries(refusedFields(error).map(({ path, message }) => [path, message]))
      setFailure({ message: errorMessage(error, words), fields: refused })
      if (error instanceof Refused) focusRefused(form, Object.keys(refused))
    } finally {
      setBusy(false)
    }
  }

  return { busy, failure, submit: (event: FormEvent<HTMLFormElement>) => void submit(event) }
}

/** Focuses the field to be typed again: the refused one, else one marked as such. After a lost connection nothing has to be typed again. */
function focusRefused(form: HTMLFormElement, refused: readonly string[]): void {
  const fields = [...form.querySelectorAll<HTMLInputElement>('input, select, textarea')].filter(each => each.checkVisibility())
  const field = fields.find(({ name }) => refused.includes(name)) ?? fields.find(each => each.matches('[data-again]'))
  field?.focus()
  field?.select?.()
}
