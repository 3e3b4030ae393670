import { Link, useNavigate } from '@tanstack/react-router'
import { type ReactNode, useEffect, useState } from 'react'
import type { ResponseOf } from '#common/kit/call.ts'
import { acceptInvitation, invitation } from '#common/session/invitation-calls.ts'
import { login } from '#common/session/calls.ts'
import { errorMessage } from '#portal/kit/errors/error-message.ts'
import { ask } from '#portal/kit/ask.ts'
import { Button, buttonLook } from '#portal/kit/ui/button.tsx'
import { Skeleton } from '#portal/kit/ui/progress.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { FormError, useSubmit } from '#portal/kit/submit/submit.tsx'
import { EmailField } from '../form/sign-in-fields.tsx'
import { NewPasswordForm, takeLinkToken } from '../form/new-password-form.tsx'
import { SheetPage } from '#portal/kit/page/sheet-page.tsx'

type Invited = ResponseOf<typeof invitation>

/** Lets invitees accept by the link in their email. They choose a password if they have none, and are signed in. */
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
    <SheetPage title={words('session.invitation.title')}>
      <FormError text={failure} />
      {!invited && !failure && <Skeleton className="h-24 w-full" />}
      {invited &&
        (accepted ? (
          <output>{words('session.invitation.done', { brand: invited.brandName })}</output>
        ) : (
          <Acceptance token={token} invited={invited} onAccepted={() => setAccepted(true)} />
        ))}
      {(failure || accepted) && (
        <Link to="/auth/sign-in" search={{}} className={buttonLook(accepted ? 'main' : 'quiet')}>
          {words('session.sign_in.submit')}
        </Link>
      )}
    </SheetPage>
  )
}

function Acceptance({ token, invited, onAccepted }: { token: string; invited: Invited; onAccepted: () => void }) {
  const { words } = useWords()
  const navigate = useNavigate()
  const { brandName, name, email, choosesPassword } = invited
  async function accept({ password }: { password?: string }) {
    await ask(acceptInvitation, { token, ...(password ? { password } : {}) })
    const signedIn = password ? await ask(login, { email, password }).catch(() => undefined) : undefined
    if (signedIn) await navigate({ href: signedIn.callback, replace: true })
    else onAccepted()
  }
  const Form = choosesPassword ? NewPasswordForm : Confirmation
  return (
    <Form submitLabel={words('session.invitation.submit')} onSend={accept}>
      <p className="text-quiet">
        {words(choosesPassword ? 'session.invitation.intro_new' : 'session.invitation.intro_known', { name, brand: brandName })}
      </p>
      <EmailField readOnly value={email} />
    </Form>
  )
}

type ConfirmationProps = { submitLabel: string; onSend: (values: { password?: string }) => Promise<void>; children: ReactNode }

/** The form for invitees who already have a password. */
function Confirmation({ submitLabel, onSend, children }: ConfirmationProps) {
  const { busy, failure, submit } = useSubmit(onSend)
  return (
    <form onSubmit={submit} className="grid gap-4">
      {children}
      <FormError text={failure.message} />
      <Button type="submit" busy={busy}>
        {submitLabel}
      </Button>
    </form>
  )
}
