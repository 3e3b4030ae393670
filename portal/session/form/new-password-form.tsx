import { type FormEvent, type ReactNode, useState } from 'react'
import { TextField } from '#portal/kit/field/text-field.tsx'
import { Button } from '#portal/kit/ui/button.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { FormError } from '#portal/kit/submit/form-error.tsx'
import { useSubmit } from '#portal/kit/submit/use-submit.ts'

/** In characters; the service refuses less, too. */
const leastLength = 12

type Props = {
  /** Whose password it is, for the browser's password manager. */
  email?: string
  /** Label of the field for the current password, which is asked for where the user is signed in. */
  currentLabel?: string
  submitLabel: string
  quiet?: boolean
  onSend: (values: { current: string; password: string }) => Promise<void>
  className?: string
  /** Above the fields. */
  children?: ReactNode
  /** Beside the button. */
  note?: ReactNode
}

/** The form for a new password: by a link from an email, with an invitation, or in one's own account. */
export function NewPasswordForm({ email, currentLabel, submitLabel, quiet = false, onSend, className = '', children, note }: Props) {
  const { words } = useWords()
  const hint = words('session.reset.hint')
  const [isShort, setIsShort] = useState(false)
  const { busy, failure, submit } = useSubmit(({ current = '', password = '' }) => onSend({ current, password }))
  const { message, fields } = failure
  function check(event: FormEvent<HTMLFormElement>) {
    const field = event.currentTarget.querySelector<HTMLInputElement>('[name=password]')
    const short = (field?.value.length ?? 0) < leastLength
    setIsShort(short)
    if (!short) return submit(event)
    event.preventDefault()
    field?.focus()
  }
  return (
    <form onSubmit={check} className={`grid gap-4 ${className}`}>
      {children}
      {email && <input type="email" name="username" autoComplete="username" value={email} readOnly hidden />}
      {currentLabel && (
        <TextField label={currentLabel} name="current" type="password" autoComplete="current-password" required error={fields['current']} />
      )}
      <TextField
        label={words('session.reset.password')}
        hint={isShort ? undefined : hint}
        name="password"
        type="password"
        autoComplete="new-password"
        required
        error={isShort ? hint : fields['password']}
      />
      <FormError text={(fields['current'] ?? fields['password']) ? undefined : message} />
      <div className="flex flex-wrap items-center justify-between gap-2">
        {note}
        <Button type="submit" look={quiet ? 'quiet' : 'main'} busy={busy} className={note ? 'max-sm:flex-1' : 'flex-1'}>
          {submitLabel}
        </Button>
      </div>
    </form>
  )
}
