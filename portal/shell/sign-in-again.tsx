import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { whenSessionEnds } from '#portal/kit/ask.ts'
import { leaveFor, signsInElsewhere } from '#portal/session/external-sign-in.ts'
import { type SessionUser, useUser } from '#portal/session/session.ts'
import { useLeave } from './leave.ts'

const loadDialog = () => import('#portal/session/sign-in-again-dialog.tsx')
const AgainDialog = lazy(() => loadDialog().then(({ AgainDialog }) => ({ default: AgainDialog })))

/** When the session ends, over the page as it stands: whoever was signed in signs in again, and what was under way goes on. */
export function SignInAgain() {
  const leave = useLeave()
  const { uuid } = useUser()
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
  useEffect(() => {
    // Whoever has begun to type has something to lose: the window is there before it is needed.
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
  async function take(user: SessionUser) {
    if (user.uuid === uuid) answer(true)
    // Somebody else must see nothing of what was typed here.
    else await giveUp().then(() => window.location.assign('/'))
  }
  return <Suspense>{ended && <AgainDialog onSignedIn={take} onGiveUp={() => void giveUp()} />}</Suspense>
}
