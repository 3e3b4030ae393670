import { type FormEvent, type ReactNode, useState } from 'react'
import { TextField } from '#portal/kit/field/text-field.tsx'
import { Button } from '#portal/kit/ui/button.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { FormError, useSubmit } from '#portal/kit/submit/submit.tsx'

/** The minimum length in characters, which the service also enforces. */
const minLength = 12

type Props = {
  /** The user's email address, for the browser's password manager. */
  email?: string
  /** Label of the field for the current password, which signed-in users must enter. */
  currentLabel?: string
  submitLabel: string
  quiet?: boolean
  onSend: (values: { current: string; password: string }) => Promise<void>
  className?: string
  /** Shown above the fields. */
  children?: ReactNode
  /** Shown beside the button. */
  note?: ReactNode
}

/** The form for a new password, after a link in an email, for an invitation, or in the user's account. */
export function NewPasswordForm({ email, currentLabel, submitLabel, quiet = false, onSend, className = '', children, note }: Props) {
  const { words } = useWords()
  const hint = words('session.reset.hint')
  const [isShort, setIsShort] = useState(false)
  const { busy, failure, submit } = useSubmit(({ current = '', password = '' }) => onSend({ current, password }))
  const { message, fields } = failure
  function check(event: FormEvent<HTMLFormElement>) {
    const field = event.currentTarget.querySelector<HTMLInputElement>('[name=password]')
    const isTooShort = (field?.value.length ?? 0) < minLength
    setIsShort(isTooShort)
    if (!isTooShort) return submit(event)
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

/** Returns the token after `#` in an emailed link, and removes it from the URL. Browsers send that part to no server. */
export function takeLinkToken(): string {
  const token = new URLSearchParams(window.location.hash.slice(1)).get('token') ?? ''
  window.history.replaceState(window.history.state, '', window.location.pathname)
  return token
}
