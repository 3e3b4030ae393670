import { useEffect, useState } from 'react'
import { Button } from '#portal/kit/ui/button.tsx'
import { useTitle } from '#portal/kit/ui/page.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { endMarked } from './open.ts'
import { forgetSession, useLeaving } from './sign-out.ts'

const againMs = 5000

/** Ends the session, as often as it takes; nothing else is shown meanwhile. */
export function Leaving() {
  const { words } = useWords()
  const [busy, setBusy] = useState(true)
  const [failed, setFailed] = useState(false)
  const title = words(failed ? 'session.not_left.title' : 'session.leaving')
  useTitle(title)
  useEffect(() => {
    if (!busy) {
      const timer = setTimeout(() => setBusy(true), againMs)
      return () => clearTimeout(timer)
    }
    // No page is shown any more: what the session left goes at once, also where it cannot be ended yet. What is still being asked for it is given up.
    forgetSession()
    void endMarked().then(ended => {
      setBusy(ended)
      setFailed(!ended)
      // Everything begun for this user goes with the page. A page that was only just opened goes on: its address may be a link from a mail.
      if (ended && useLeaving.getState().since === 'before') useLeaving.setState({ since: undefined })
      else if (ended) window.location.replace('/auth/sign-in')
    })
    return undefined
  }, [busy])
  return (
    <main className="grid min-h-dvh place-content-center p-6">
      <div role="alert" className="grid justify-items-center gap-3 text-center">
        <h1 className="text-xl font-semibold">{title}</h1>
        {failed && <p className="max-w-96 text-quiet">{words('session.not_left.text')}</p>}
        {failed && (
          <Button busy={busy} onClick={() => setBusy(true)}>
            {words('shell.try_again')}
          </Button>
        )}
      </div>
    </main>
  )
}
