import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { resetPassword } from '#common/session/calls.ts'
import { ask } from '#portal/kit/ask.ts'
import { useWords } from '#portal/kit/words.tsx'
import { NewPasswordForm, takeLinkToken } from '../form/new-password-form.tsx'
import { SheetPage } from '#portal/kit/page/sheet-page.tsx'

/** Sets a new password for a user who followed the link in an email. */
export function Reset() {
  const { words } = useWords()
  const [token] = useState(takeLinkToken)
  const [done, setDone] = useState(false)
  async function reset({ password }: { password: string }) {
    // A reloaded link has lost its token, and the service responds as to an expired one.
    await ask(resetPassword, { token: token || '-', password })
    setDone(true)
  }
  return (
    <SheetPage title={words('session.forgot.title')}>
      {done ? (
        <output>{words('session.reset.done')}</output>
      ) : (
        <NewPasswordForm submitLabel={words('session.reset.submit')} onSend={reset} />
      )}
      <Link
        to="/auth/sign-in"
        search={{}}
        className="inline-flex min-h-(--control) items-center justify-self-center text-sm text-quiet underline underline-offset-4"
      >
        {words('session.forgot.back')}
      </Link>
    </SheetPage>
  )
}
