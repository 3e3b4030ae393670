import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { resetPassword } from '#common/session/calls.ts'
import { ask } from '#portal/kit/ask.ts'
import { Button } from '#portal/kit/ui/button.tsx'
import { TextField } from '#portal/kit/field/text-field.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { Frame } from '../frame.tsx'
import { takeLinkToken } from './link-token.ts'
import { useSubmit } from '../use-submit.ts'

/** A new password for whoever came by the link of a mail. */
export function Reset() {
  const { words } = useWords()
  const [token] = useState(takeLinkToken)
  const [done, setDone] = useState(false)
  const { busy, failure, submit } = useSubmit(async ({ password = '' }) => {
    await ask(resetPassword, { token, password })
    setDone(true)
  })
  return (
    <Frame title={words('session.forgot.title')}>
      {done ? (
        <output>{words('session.reset.done')}</output>
      ) : (
        <form onSubmit={submit} className="grid gap-4">
          <TextField
            label={words('session.reset.password')}
            hint={words('session.reset.hint')}
            name="password"
            type="password"
            autoComplete="new-password"
            required
            minLength={12}
            error={failure.fields['password']}
          />
          <p role="alert" className="text-sm text-danger empty:hidden">
            {failure.message}
          </p>
          <Button type="submit" busy={busy}>
            {words('session.reset.submit')}
          </Button>
        </form>
      )}
      <Link to="/auth/sign-in" search={{}} className="justify-self-center py-2 text-sm text-quiet underline underline-offset-4">
        {words('session.forgot.back')}
      </Link>
    </Frame>
  )
}
