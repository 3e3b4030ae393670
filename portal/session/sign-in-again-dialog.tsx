import { login } from '#common/session/calls.ts'
import { ask } from '#portal/kit/ask.ts'
import { Dialog } from '#portal/kit/overlay/dialog.tsx'
import { Button } from '#portal/kit/ui/button.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { CodeField } from './form/code-field.tsx'
import { EmailField, PasswordField, useCode } from './form/sign-in-fields.tsx'
import { exchangeToken } from './open.ts'
import { setSession, type SessionUser, useSession, useUser } from './session.ts'
import { FormError, useSubmit } from '#portal/kit/submit/submit.tsx'

type Props = { onSignedIn: (user: SessionUser) => Promise<void>; onGiveUp: () => void }

/** Signs the user in again with password and code, over the current page. */
export function SignInAgainDialog({ onSignedIn, onGiveUp }: Props) {
  const { words } = useWords()
  const { email } = useUser()
  const code = useCode()
  const { busy, failure, submit } = useSubmit(async ({ password = '', code: typedCode }) => {
    const user = await code.unlessNeeded(signInHere(useSession.getState().email || email, password, typedCode))
    if (user) await onSignedIn(user)
  })
  return (
    <Dialog
      open
      onClose={() => {}}
      showCloseIcon={false}
      busy
      onTop
      size="small"
      title={words('lost.ended.title')}
      description={words('lost.ended.message')}
    >
      <form onSubmit={submit} className="grid gap-4">
        <EmailField readOnly value={email} />
        <PasswordField data-first error={failure.fields['password']} />
        {code.isNeeded && <CodeField />}
        <FormError text={failure.message} />
        <div className="flex flex-wrap justify-end gap-2">
          <Button look="quiet" onClick={onGiveUp}>
            {words('session.sign_out')}
          </Button>
          <Button type="submit" busy={busy}>
            {words('session.sign_in.submit')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

/** Signs in without leaving the page, in the same two steps as the callback page. */
async function signInHere(email: string, password: string, code: string | undefined): Promise<SessionUser> {
  const { callback } = await ask(login, { email, password, ...(code ? { code } : {}) })
  const token = new URL(callback, window.location.origin).searchParams.get('token') ?? ''
  const { user } = await exchangeToken(token)
  setSession(user)
  return user
}
