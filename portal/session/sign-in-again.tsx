import { lazy, Suspense, useEffect, useState } from 'react'
import { whenSessionEnds } from '#portal/kit/ask.ts'
import { openEndedSession } from './ended-session.ts'

const loadDialog = () => import('./sign-in-again-dialog.tsx')
const SignInAgainDialog = lazy(() => loadDialog().then(({ SignInAgainDialog }) => ({ default: SignInAgainDialog })))

/** Asks the user to sign in again when the session ends, over the current page (ended-session.ts). `leave` opens the sign-in page. */
export function SignInAgain({ leave }: { leave: () => Promise<void> }) {
  const [isEnded, setIsEnded] = useState(false)
  const [endedSession] = useState(() => openEndedSession(setIsEnded, leave))
  useEffect(() => {
    whenSessionEnds(endedSession.end)
    return () => whenSessionEnds(undefined)
  }, [endedSession])
  useEffect(() => {
    // Loads the dialog at the first key press. A user who has typed needs it, and it may not be loadable later.
    const load = () => void loadDialog()
    window.addEventListener('keydown', load, { once: true })
    return () => window.removeEventListener('keydown', load)
  }, [])
  return (
    <Suspense>{isEnded && <SignInAgainDialog onSignedIn={endedSession.resume} onGiveUp={() => void endedSession.giveUp()} />}</Suspense>
  )
}
