import { useEffect, useRef, useState } from 'react'
import { whenSessionEnds } from '#portal/kit/ask.ts'
import { TextField } from '#portal/kit/field/text-field.tsx'
import { Dialog } from '#portal/kit/overlay/dialog.tsx'
import { Button } from '#portal/kit/ui/button.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { CodeField } from '#portal/session/code-field.tsx'
import { leaveFor, signsInElsewhere } from '#portal/session/elsewhere.ts'
import { signInHere } from '#portal/session/open.ts'
import { useSession, useUser } from '#portal/session/session.ts'
import { useCode } from '#portal/session/use-code.ts'
import { useSubmit } from '#portal/session/use-submit.ts'
import { useLeave } from './leave.ts'

/** When the session ends, over the page as it stands: whoever was signed in signs in again, and what was under way goes on. */
export function SignInAgain() {
  const { words } = useWords()
  const leave = useLeave()
  const { uuid, email } = useUser()
  const [ended, setEnded] = useState(false)
  const waiting = useRef<PromiseWithResolvers<boolean>>(undefined)
  useEffect(() => {
    whenSessionEnds(() => {
      if (signsInElsewhere()) return leaveFor(window.location.pathname + window.location.search)
      setEnded(true)
      waiting.current ??= Promise.withResolvers<boolean>()
      return waiting.current.promise
    })
    return () => whenSessionEnds(undefined)
  }, [])

  function answer(signedIn: boolean) {
    setEnded(false)
    waiting.current?.resolve(signedIn)
    waiting.current = undefined
  }
  async function giveUp() {
    answer(false)
    await leave()
  }
  const code = useCode()
  const { busy, failure, submit } = useSubmit(async ({ password = '', code: given }) => {
    const user = await code.unlessWanted(signInHere(useSession.getState().email || email, password, given))
    if (!user) return
    code.again()
    if (user.uuid === uuid) answer(true)
    // Somebody else must see nothing of what was typed here.
    else await giveUp().then(() => window.location.assign('/'))
  })
  return (
    <Dialog
      open={ended}
      onClose={() => {}}
      showCloseIcon={false}
      busy
      size="small"
      title={words('shell.ended.title')}
      description={words('shell.ended.message')}
    >
      <form onSubmit={submit} className="grid gap-4">
        <TextField label={words('session.sign_in.email')} name="email" type="email" autoComplete="username" readOnly value={email} />
        <TextField
          label={words('session.sign_in.password')}
          data-first
          name="password"
          type="password"
          autoComplete="current-password"
          required
          error={failure.fields['password']}
        />
        {code.wanted && <CodeField error={undefined} />}
        <p role="alert" className="text-sm text-danger empty:hidden">
          {failure.message}
        </p>
        <div className="flex flex-wrap justify-end gap-2">
          <Button look="quiet" onClick={() => void giveUp()}>
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
