import { Link, useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import type { Reply } from '#common/kit/call.ts'
import { acceptInvitation, invitation } from '#common/session/account-calls.ts'
import { login } from '#common/session/calls.ts'
import { errorMessage } from '#portal/kit/errors/error-message.ts'
import { ask } from '#portal/kit/ask.ts'
import { TextField } from '#portal/kit/field/text-field.tsx'
import { Button, buttonLook } from '#portal/kit/ui/button.tsx'
import { Skeleton } from '#portal/kit/ui/progress.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { Frame } from '../frame.tsx'
import { takeLinkToken } from './link-token.ts'
import { useSubmit } from '../use-submit.ts'

type Invited = Reply<typeof invitation>

/** Whoever was invited comes here by the link of his mail: he accepts, with a password where he has none yet, and is in. */
export function Invitation() {
  const { words } = useWords()
  const [token] = useState(takeLinkToken)
  const [invited, setInvited] = useState<Invited>()
  const [failed, setFailed] = useState<unknown>()
  const [accepted, setAccepted] = useState(false)
  useEffect(() => {
    ask(invitation, { token: token || '-' })
      .then(setInvited)
      .catch(setFailed)
  }, [token])
  const failure = failed ? errorMessage(failed, words) : undefined
  return (
    <Frame title={words('session.invitation.title')}>
      <p role="alert" className="text-danger empty:hidden">
        {failure}
      </p>
      {!invited && !failure && <Skeleton className="h-24 w-full" />}
      {invited && accepted && <output>{words('session.invitation.done', { brand: invited.brandName })}</output>}
      {invited && !accepted && <Acceptance token={token} invited={invited} onAccepted={() => setAccepted(true)} />}
      {(failure || accepted) && (
        <Link to="/auth/sign-in" search={{}} className={buttonLook(accepted ? 'main' : 'quiet')}>
          {words('session.sign_in.submit')}
        </Link>
      )}
    </Frame>
  )
}

function Acceptance({ token, invited, onAccepted }: { token: string; invited: Invited; onAccepted: () => void }) {
  const { words } = useWords()
  const navigate = useNavigate()
  const { brandName, name, email, choosesPassword } = invited
  const { busy, failure, submit } = useSubmit(async ({ password }) => {
    await ask(acceptInvitation, { token, ...(password ? { password } : {}) })
    const signedIn = password ? await ask(login, { email, password }).catch(() => undefined) : undefined
    if (signedIn) await navigate({ href: signedIn.callback, replace: true })
    else onAccepted()
  })
  return (
    <form onSubmit={submit} className="grid gap-4">
      <p>{words(choosesPassword ? 'session.invitation.intro_new' : 'session.invitation.intro_known', { name, brand: brandName })}</p>
      <TextField label={words('session.sign_in.email')} name="email" type="email" autoComplete="username" readOnly value={email} />
      {choosesPassword && (
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
      )}
      <p role="alert" className="text-sm text-danger empty:hidden">
        {failure.message}
      </p>
      <Button type="submit" busy={busy}>
        {words('session.invitation.submit')}
      </Button>
    </form>
  )
}
