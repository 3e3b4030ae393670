import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { whenSessionEnds } from '#portal/kit/ask.ts'
import { goToExternalSignIn, hasExternalSignIn } from '#portal/session/external-sign-in.ts'
import { type SessionUser, useUser } from '#portal/session/session.ts'
import { useLeave } from './leave.ts'

const loadDialog = () => import('#portal/session/sign-in-again-dialog.tsx')
const SignInAgainDialog = lazy(() => loadDialog().then(({ SignInAgainDialog }) => ({ default: SignInAgainDialog })))

/** Asks the user to sign in again when the session ends, over the current page. Then the waiting calls go on. */
export function SignInAgain() {
  const leave = useLeave()
  const { uuid } = useUser()
  const [ended, setEnded] = useState(false)
  const waiting = useRef<PromiseWithResolvers<boolean>>(undefined)
  useEffect(() => {
    whenSessionEnds(() => {
      if (hasExternalSignIn()) return goToExternalSignIn(window.location.pathname + window.location.search)
      setEnded(true)
      waiting.current ??= Promise.withResolvers<boolean>()
      return waiting.current.promise
    })
    return () => whenSessionEnds(undefined)
  }, [])
  useEffect(() => {
    // Loads the dialog at the first key. A user who has typed something needs it, and it may not load later.
    const load = () => void loadDialog()
    window.addEventListener('keydown', load, { once: true })
    return () => window.removeEventListener('keydown', load)
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
  async function resume(user: SessionUser) {
    if (user.uuid === uuid) answer(true)
    // Another user must not see anything that was entered here.
    else await giveUp().then(() => window.location.assign('/'))
  }
  return <Suspense>{ended && <SignInAgainDialog onSignedIn={resume} onGiveUp={() => void giveUp()} />}</Suspense>
}
