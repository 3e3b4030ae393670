import { lazy, Suspense, useEffect, useState } from 'react'
import { whenSessionEnds } from '#portal/kit/ask.ts'
import { goToExternalSignIn, hasExternalSignIn, type SessionUser, useSession } from './session.ts'
import { loadMessages } from '#portal/kit/words.tsx'

const loadDialog = () => Promise.all([import('./sign-in-again-dialog.tsx'), loadMessages('lost')])
const SignInAgainDialog = lazy(() => loadDialog().then(([{ SignInAgainDialog }]) => ({ default: SignInAgainDialog })))

/** Asks the user to sign in again when the session ends, over the current page. `leave` opens the sign-in page. */
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

/** The calls that wait for this user to sign in again. */
type Waiting = PromiseWithResolvers<boolean> & { uuid: string | undefined }

/** Handles a session that ends while a page is open. `show` shows or hides the sign-in over it; `leave` opens the sign-in page. */
export function openEndedSession(show: (isEnded: boolean) => void, leave: () => Promise<void>) {
  let waiting: Waiting | undefined

  function answer(isSignedIn: boolean): void {
    show(false)
    waiting?.resolve(isSignedIn)
    waiting = undefined
  }
  async function giveUp(): Promise<void> {
    answer(false)
    await leave()
  }
  return {
    /** Asks the user to sign in again. Returns true once they have, and false if they give up. */
    end: (): Promise<boolean> => {
      if (hasExternalSignIn()) return goToExternalSignIn(window.location.pathname + window.location.search)
      show(true)
      waiting ??= { ...Promise.withResolvers<boolean>(), uuid: useSession.getState().user?.uuid }
      return waiting.promise
    },
    /** Continues the waiting calls after the user has signed in. */
    resume: async (user: SessionUser): Promise<void> => {
      if (user.uuid === waiting?.uuid) return answer(true)
      // Another user must not see anything that was entered here.
      await giveUp()
      window.location.assign('/')
    },
    giveUp,
  }
}
